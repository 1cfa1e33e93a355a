// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstTest",
  dependencies: [.package(url: "https://example.org/obscura.git", from: "0.1.0")],
  targets: [
    .testTarget(
      name: "CameraTests",
      dependencies: [
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "ObscuraSimulation", package: "obscura"),
      ])
  ])

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CameraWindow",
  dependencies: [
    .package(url: "https://example.org/obscura.git", from: "0.1.0", traits: [.defaults, "GTKLayers"])
  ],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4"),
    .executableTarget(
      name: "CameraWindow",
      dependencies: [
        "CGTK",
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "GTKLayers", package: "obscura"),
      ]),
  ])

// swift-tools-version: 6.2
import PackageDescription

// On Apple's platforms the system's frameworks serve; elsewhere Obscura's of the same names.
func onLinux(_ product: String) -> Target.Dependency {
  .product(name: product, package: "obscura", condition: .when(platforms: [.linux]))
}

let package = Package(
  name: "TestingYourApp",
  platforms: [.iOS(.v17)],
  products: [.library(name: "Scanner", targets: ["Scanner"])],
  dependencies: [.package(url: "https://example.org/obscura.git", from: "0.1.0")],
  targets: [
    .target(name: "Scanner", dependencies: [onLinux("AVFoundation")]),
    .testTarget(
      name: "ScannerTests",
      dependencies: ["Scanner", onLinux("AVFoundation"), onLinux("ObscuraSimulation")]),
  ])

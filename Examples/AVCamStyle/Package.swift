// swift-tools-version: 6.2
import PackageDescription

// On Apple's platforms the system's frameworks serve; elsewhere Obscura's of the same names.
func onLinux(_ product: String) -> Target.Dependency {
  .product(name: product, package: "obscura", condition: .when(platforms: [.linux]))
}

let package = Package(
  name: "AVCamStyle",
  platforms: [.iOS(.v18)],
  products: [.library(name: "CaptureKit", targets: ["CaptureKit"])],
  dependencies: [.package(url: "https://example.org/obscura.git", from: "0.1.0")],
  targets: [
    .target(name: "CaptureKit", dependencies: [onLinux("AVFoundation")]),
    .testTarget(
      name: "CaptureKitTests",
      dependencies: ["CaptureKit", onLinux("AVFoundation"), onLinux("ObscuraSimulation")]),
  ])

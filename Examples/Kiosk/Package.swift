// swift-tools-version: 6.2
import PackageDescription

// On Apple's platforms the system's frameworks serve; elsewhere Obscura's of the same names.
func onLinux(_ product: String) -> Target.Dependency {
  .product(name: product, package: "obscura", condition: .when(platforms: [.linux]))
}

let package = Package(
  name: "Kiosk",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [.executable(name: "kiosk-scanner", targets: ["kiosk-scanner"])],
  dependencies: [.package(url: "https://example.org/obscura.git", from: "0.1.0")],
  targets: [
    .target(name: "Kiosk", dependencies: [onLinux("AVFoundation")]),
    .executableTarget(name: "kiosk-scanner", dependencies: ["Kiosk", onLinux("AVFoundation")]),
    .testTarget(
      name: "KioskTests",
      dependencies: ["Kiosk", onLinux("AVFoundation"), onLinux("ObscuraSimulation")]),
  ])

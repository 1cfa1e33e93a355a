// swift-tools-version: 6.2
import PackageDescription

// On Apple's platforms the system's frameworks serve. On Linux those beside AVFoundation go by names of their own, so that
// `canImport(os)` and its like stay false in all packages but those that take them.
#if os(Linux)
  let frameworks: [Target.Dependency] =
    [.product(name: "AVFoundation", package: "obscura")]
    + [
      ("Combine", "ObscuraCombine"), ("CoreLocation", "ObscuraCoreLocation"), ("os", "ObscuraOS"),
      ("UniformTypeIdentifiers", "ObscuraUniformTypeIdentifiers"), ("Vision", "ObscuraVision"),
    ].map { .product(name: $0, package: "obscura", moduleAliases: [$0: $1]) }
  let simulation: [Target.Dependency] = [.product(name: "ObscuraSimulation", package: "obscura")]
#else
  let frameworks: [Target.Dependency] = []
  let simulation: [Target.Dependency] = []
#endif

let package = Package(
  name: "BesideAVFoundation",
  platforms: [.iOS(.v17)],
  dependencies: [
    .package(url: "https://example.org/obscura.git", from: "0.1.0"), .package(path: "PortableLog"),
  ],
  targets: [
    // Written as apps are: Swift 5, and what the video recorder's tutorials import.
    .target(name: "Recorder", dependencies: frameworks, swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "RecorderTests", dependencies: ["Recorder", "PortableLog"] + frameworks + simulation),
  ])

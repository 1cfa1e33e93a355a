// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// Filters change every pixel of the camera's pictures, also in the builds with which the window is tested.
let optimized = SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))

let package = Package(
  name: "obscura-camera",
  products: [.executable(name: "obscura-camera", targets: ["Camera"])],
  dependencies: [.package(name: "obscura", path: "..", traits: [.defaults, "GTKLayers"])],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "libadwaita-1"),
    // GTK in Swift, and no camera word in it.
    .target(
      name: "GTKKit", dependencies: ["CGTK", .product(name: "GTKLayers", package: "obscura")],
      swiftSettings: strict),
    // Every screen as state and intents, and no GTK in it.
    .target(
      name: "CameraModel",
      dependencies: [
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "DepthMaps", package: "obscura"),
        .product(name: "Photos", package: "obscura"),
        .product(name: "SimulatedDevices", package: "obscura"),
        .product(name: "VideoToolbox", package: "obscura"),
        .product(name: "VirtualCameras", package: "obscura"),
      ],
      swiftSettings: strict + [optimized]),
    .executableTarget(
      name: "Camera",
      dependencies: [
        .product(name: "AVFoundation", package: "obscura"), .product(name: "GTKLayers", package: "obscura"),
        .product(name: "VirtualCameras", package: "obscura"), "GTKKit", "CameraModel", "CGTK",
      ], swiftSettings: strict),
    // Examples/CameraWindow, which a newcomer builds as a package of its own.
    .executableTarget(
      name: "CameraWindow",
      dependencies: [
        .product(name: "AVFoundation", package: "obscura"), .product(name: "GTKLayers", package: "obscura"),
        "CGTK",
      ], swiftSettings: strict),
    .testTarget(
      name: "GTKKitTests",
      dependencies: [
        "GTKKit", "CGTK", .product(name: "GTKLayers", package: "obscura"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CameraModelTests",
      dependencies: [
        "CameraModel",
        .product(name: "GTKLayers", package: "obscura"),
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "Photos", package: "obscura"),
        .product(name: "SimulatedDevices", package: "obscura"),
        .product(name: "VirtualCameras", package: "obscura"),
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx20
)

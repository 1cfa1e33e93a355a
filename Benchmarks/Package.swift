// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "obscura-bench",
  dependencies: [.package(name: "obscura", path: "..")],
  targets: [
    .systemLibrary(name: "CGStreamer", pkgConfig: "gstreamer-app-1.0"),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg"),
    .target(
      name: "CPeers", dependencies: ["CGStreamer", "CTurboJPEG"],
      linkerSettings: [.linkedLibrary("ZXing"), .linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "obscura-bench",
      dependencies: [
        "CPeers",
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "ImageIO", package: "obscura"),
        .product(name: "Photos", package: "obscura"),
        .product(name: "ObscuraSimulation", package: "obscura"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    // A process with nothing in it but the photo library, whose memory is measured.
    .executableTarget(
      name: "library-walk", dependencies: [.product(name: "Photos", package: "obscura")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    // Run it as it is built by default, without an optimizer: `swift run --package-path Benchmarks debug-speed`.
    .executableTarget(
      name: "debug-speed",
      dependencies: [
        .product(name: "AVFoundation", package: "obscura"),
        .product(name: "ObscuraSimulation", package: "obscura"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ],
  cxxLanguageStandard: .cxx20
)

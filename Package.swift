// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The floors of ARCHITECTURE.md, bottom to top. A floor imports only floors below it;
// `scripts/check-imports` holds that rule, because the compiler does not.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

#if os(Linux)
  /// Whether the toolchain's Dispatch has the class DispatchSerialQueue: then FoundationExtras brings none.
  let hasSerialQueue = dlsym(nil, "$s8Dispatch0A11SerialQueueCMa") != nil
#else
  let hasSerialQueue = true
#endif

func room(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency] = [], defines: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)",
    swiftSettings: strict + defines.map { .define($0) })
}

func facade(_ name: String, links: [String]) -> Target {
  .target(
    name: name, path: "Sources/System/\(name)",
    cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: links.map { .linkedLibrary($0) })
}

/// Release builds do not optimize the tests: that would take more time than all the rest.
let quicklyBuilt = SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["SeededNumbers"], path: "Tests/\(name)Tests",
    resources: resources, swiftSettings: strict + [quicklyBuilt])
}

let system: [Target] = [
  room("System", "Linux"),
  facade("CVideo4Linux", links: []),
  facade("CALSA", links: ["asound"]),
  facade("CSystemBus", links: ["systemd"]),
  facade("CImageCodecs", links: ["jpeg", "heif", "png16", "exif"]),
  facade("CYUV", links: ["yuv"]),
  facade("CZXing", links: ["ZXing"]),
  facade("CLiteRT", links: []),
  facade("CPainting", links: ["m"]),
  facade("CSQLite", links: ["sqlite3"]),
  facade("CFFmpeg", links: ["avformat", "avcodec", "swresample", "avutil"]),
]

let media: [Target] = [
  room(
    "Media", "FoundationExtras", ["Linux"], defines: hasSerialQueue ? ["TOOLCHAIN_HAS_SERIAL_QUEUE"] : []),
  room("Media", "CoreVideo", ["Linux", "FoundationExtras"]),
  room("Media", "CoreMedia", ["Linux", "FoundationExtras", "CoreVideo"]),
  room("Media", "GraphicsCore", ["Linux", "FoundationExtras"]),
  room("Media", "simd"),
]

let engines: [Target] = [
  room("Engines", "DepthMaps", ["CoreVideo", "FoundationExtras"]),
  room("Engines", "AudioTransforms"),
  room("Engines", "PixelTransforms", ["CYUV", "Linux", "FoundationExtras", "CoreVideo", "GraphicsCore"]),
  room(
    "Engines", "MediaFiles",
    ["CFFmpeg", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore"]),
  room(
    "Engines", "StillCodecs",
    [
      "CImageCodecs", "MediaFiles", "Linux", "FoundationExtras", "CoreVideo", "GraphicsCore",
      "PixelTransforms",
    ]),
  room(
    "Engines", "VideoCodecs",
    ["CFFmpeg", "MediaFiles", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia", "PixelTransforms"]),
  room("Engines", "CodeReading", ["CZXing", "Linux", "FoundationExtras", "CoreVideo", "PixelTransforms"]),
  room("Engines", "RectangleFinding", ["FoundationExtras", "CoreVideo", "PixelTransforms"]),
  room("Engines", "PeopleFinding", ["CLiteRT", "Linux", "FoundationExtras", "CoreVideo", "PixelTransforms"]),
]

let devices: [Target] = [
  room("Devices", "CaptureDevice", ["Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
  room("Devices", "StreamParts", ["CaptureDevice", "Linux", "CoreMedia"]),
  room(
    "Devices", "CaptureDeviceTesting",
    ["CaptureDevice", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
  room(
    "Devices", "SimulatedDevices",
    [
      "CPainting", "CaptureDevice", "StreamParts", "PixelTransforms", "StillCodecs", "CodeReading",
      "DepthMaps", "Linux",
      "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore",
    ]),
  room(
    "Devices", "V4L2Devices",
    ["CVideo4Linux", "CaptureDevice", "StreamParts", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
  room(
    "Devices", "ALSADevices",
    ["CALSA", "CaptureDevice", "StreamParts", "Linux", "FoundationExtras", "CoreMedia"]),
  room(
    "Devices", "MovieDevices",
    [
      "CaptureDevice", "StreamParts", "MediaFiles", "VideoCodecs", "PixelTransforms", "Linux",
      "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore",
    ]),
]

let frameworks: [Target] = [
  room(
    "Frameworks", "ImageIO",
    ["StillCodecs", "PixelTransforms", "GraphicsCore", "CoreVideo", "FoundationExtras", "Linux"]),
  room("Frameworks", "QuartzCore", ["GraphicsCore", "FoundationExtras", "Linux"]),
  room(
    "Frameworks", "ImageCore",
    [
      "ImageIO", "StillCodecs", "CodeReading", "PeopleFinding", "RectangleFinding", "PixelTransforms",
      "GraphicsCore", "CoreVideo", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "AudioToolbox",
    ["ALSADevices", "MediaFiles", "VideoCodecs", "CoreMedia", "FoundationExtras", "Linux"]),
  room("Frameworks", "AVFAudio", ["VideoCodecs", "CoreMedia", "FoundationExtras", "Linux"]),
  room(
    "Frameworks", "AVFCore",
    [
      "AVFAudio", "QuartzCore", "ALSADevices", "AudioTransforms", "MediaFiles", "VideoCodecs", "StillCodecs",
      "PixelTransforms", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "PhotoProcessing",
    [
      "AVFCore", "ImageIO", "CaptureDevice", "PixelTransforms", "StillCodecs", "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "VideoToolbox",
    [
      "VideoCodecs", "MediaFiles", "StillCodecs", "PixelTransforms", "CoreMedia", "CoreVideo", "GraphicsCore",
      "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "AVFCapture",
    [
      "PhotoProcessing", "AVFCore", "AVFAudio", "AudioTransforms", "ImageIO", "ImageCore", "QuartzCore",
      "CaptureDevice",
      "MediaFiles", "StreamParts", "SimulatedDevices", "V4L2Devices", "ALSADevices", "MovieDevices",
      "CSystemBus",
      "PixelTransforms", "StillCodecs", "CodeReading", "PeopleFinding", "DepthMaps", "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras",
      "Linux", "simd",
    ]),
  room(
    "Frameworks", "Photos",
    [
      "CSQLite", "PhotoProcessing", "AVFCore", "ImageIO", "ImageCore", "StillCodecs", "PixelTransforms",
      "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "AVFoundation",
    [
      "AVFCapture", "AVFAudio", "AVFCore", "AudioToolbox", "ImageCore", "ImageIO", "QuartzCore", "CoreMedia",
      "CoreVideo",
      "GraphicsCore", "FoundationExtras", "simd",
    ]),
  // Faces: Apple's module names over our cores; see ARCHITECTURE.md for why nothing of ours imports them.
  room("Frameworks", "CoreGraphics", ["GraphicsCore", "FoundationExtras"]),
  room(
    "Frameworks", "CoreImage",
    ["ImageCore", "ImageIO", "GraphicsCore", "CoreVideo", "FoundationExtras"]),
  room("Frameworks", "_Testing_CoreGraphics", ["CoreGraphics"]),
  room("Frameworks", "_Testing_CoreImage", ["CoreImage"]),
]

let apps: [Target] = [
  room(
    "Apps", "CameraTasks",
    [
      "AVFoundation", "AVFCapture", "ImageIO", "V4L2Devices", "CaptureDevice", "StillCodecs", "CoreVideo",
      "CoreMedia", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Apps", "ObscuraCommands",
    [
      "CameraTasks", "AVFoundation", "AVFCapture", "Photos", "PhotoProcessing", "ImageIO", "SimulatedDevices",
      "V4L2Devices", "ALSADevices",
      "CaptureDevice", "StillCodecs", "CodeReading", "PeopleFinding", "DepthMaps", "VideoCodecs",
      "PixelTransforms", "GraphicsCore", "CoreVideo", "CoreMedia", "FoundationExtras", "Linux",
    ]),
  .executableTarget(
    name: "obscura", dependencies: ["ObscuraCommands", "Linux"], path: "Sources/Apps/obscura",
    swiftSettings: strict),
]

let examples: [Target] = [
  .executableTarget(
    name: "first-photo-example", dependencies: ["AVFoundation"], path: "Examples/FirstPhoto",
    swiftSettings: strict),
  .executableTarget(
    name: "custom-camera-example", dependencies: ["AVFoundation"], path: "Examples/CustomCamera",
    swiftSettings: strict),
  .executableTarget(
    name: "responsive-camera-example", dependencies: ["AVFoundation"], path: "Examples/ResponsiveCamera",
    swiftSettings: strict),
  .executableTarget(
    name: "depth-streaming-example", dependencies: ["AVFoundation"], path: "Examples/DepthStreaming",
    swiftSettings: strict),
  .executableTarget(
    name: "video-recorder-example", dependencies: ["AVFoundation"], path: "Examples/VideoRecorder",
    swiftSettings: strict),
  .executableTarget(
    name: "qr-gate-example", dependencies: ["AVFoundation"], path: "Examples/QRGate",
    swiftSettings: strict),
]

let suites: [Target] = [
  // Random numbers that are the same in every run; all tests may use them.
  .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
  // Plays logind on a bus of its own, for the tests of sleep.
  .target(
    name: "CFakeLogind", path: "Tests/CFakeLogind", cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: [.linkedLibrary("systemd")]),
  tests("Linux", ["Linux"]),
  tests("FoundationExtras", ["FoundationExtras", "Linux"]),
  tests("CoreVideo", ["CoreVideo", "FoundationExtras", "Linux"]),
  tests("CoreMedia", ["CoreMedia", "CoreVideo", "FoundationExtras", "Linux"]),
  tests("GraphicsCore", ["GraphicsCore", "FoundationExtras"]),
  tests("simd", ["simd"]),
  tests("AudioTransforms", ["AudioTransforms"]),
  tests("PixelTransforms", ["PixelTransforms", "CoreVideo", "GraphicsCore", "FoundationExtras"]),
  tests("DepthMaps", ["DepthMaps", "CoreVideo", "FoundationExtras"]),
  // Pictures and audio whose content names their time, and FFmpeg's programs to compare with.
  .target(
    name: "MovieTools", dependencies: ["CoreMedia", "CoreVideo", "FoundationExtras"],
    path: "Tests/MovieTools",
    swiftSettings: strict),
  tests(
    "VideoCodecs",
    [
      "VideoCodecs", "MediaFiles", "MovieTools", "PixelTransforms", "CoreMedia", "CoreVideo",
      "FoundationExtras",
    ]),
  tests(
    "MediaFiles",
    [
      "MediaFiles", "VideoCodecs", "MovieTools", "PixelTransforms", "CoreMedia", "CoreVideo", "GraphicsCore",
      "Linux",
    ]),
  tests("StillCodecs", ["StillCodecs", "PixelTransforms", "CoreVideo", "GraphicsCore", "FoundationExtras"]),
  // Draws the codes that the tests read; ZXing-C++'s writing half.
  .target(
    name: "CodeDrawing", path: "Tests/CodeDrawing", linkerSettings: [.linkedLibrary("ZXing")]),
  tests(
    "CodeReading",
    ["CodeReading", "CodeDrawing", "PixelTransforms", "CoreVideo", "FoundationExtras", "Linux"]),
  tests("RectangleFinding", ["RectangleFinding", "CoreVideo", "FoundationExtras"]),
  // Photographs of people, their faces marked by hand.
  .target(
    name: "Portraits", dependencies: ["StillCodecs", "PixelTransforms", "CoreVideo", "FoundationExtras"],
    path: "Tests/Portraits", exclude: ["SOURCES.md"], resources: [.copy("Pictures")],
    swiftSettings: strict),
  tests(
    "PeopleFinding",
    ["PeopleFinding", "Portraits", "PixelTransforms", "CoreVideo", "FoundationExtras"]),
  tests("ImageIO", ["ImageIO", "StillCodecs", "GraphicsCore", "CoreVideo", "FoundationExtras"]),
  tests("QuartzCore", ["QuartzCore", "GraphicsCore", "FoundationExtras"]),
  tests(
    "ImageCore",
    [
      "ImageCore", "ImageIO", "CodeReading", "CodeDrawing", "PeopleFinding", "Portraits", "GraphicsCore",
      "CoreVideo", "FoundationExtras",
    ]),
  tests("AudioToolbox", ["AudioToolbox", "MovieTools", "CoreMedia", "FoundationExtras", "Linux"]),
  tests("AVFAudio", ["AVFAudio", "MovieTools", "CoreMedia", "FoundationExtras"]),
  tests(
    "AVFCore",
    [
      "AVFCore", "AVFAudio", "QuartzCore", "MovieTools", "CoreMedia", "CoreVideo", "GraphicsCore",
      "FoundationExtras", "Linux",
    ], resources: [.copy("Movies")]),
  tests(
    "PhotoProcessing",
    [
      "PhotoProcessing", "CaptureDevice", "ImageIO", "StillCodecs", "AVFCore", "CoreMedia", "CoreVideo",
      "FoundationExtras", "GraphicsCore", "Linux",
    ]),
  tests(
    "VideoToolbox",
    ["VideoToolbox", "MovieTools", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras"]),
  tests("Faces", ["CoreGraphics", "CoreImage", "_Testing_CoreGraphics", "_Testing_CoreImage"]),
  tests("StreamParts", ["StreamParts", "CaptureDevice", "CoreMedia", "Linux"]),
  tests(
    "SimulatedDevices",
    [
      "SimulatedDevices", "CaptureDeviceTesting", "CaptureDevice", "StillCodecs", "PixelTransforms",
      "CodeReading", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  tests(
    "V4L2Devices",
    [
      "V4L2Devices", "StreamParts", "CaptureDeviceTesting", "CaptureDevice", "AVFCapture", "PhotoProcessing",
      "ImageIO",
      "StillCodecs",
      "PixelTransforms", "CoreMedia", "CoreVideo", "FoundationExtras", "Linux",
    ], resources: [.copy("Streams")]),
  tests(
    "ALSADevices", ["ALSADevices", "CaptureDeviceTesting", "CaptureDevice", "CoreMedia", "Linux"]),
  tests(
    "MovieDevices",
    [
      "MovieDevices", "MovieTools", "CaptureDeviceTesting", "CaptureDevice", "CoreMedia", "CoreVideo",
      "Linux",
    ]),
  tests(
    "AVFCapture",
    [
      "AVFoundation", "AVFCapture", "PhotoProcessing", "AVFCore", "AVFAudio", "CameraTasks",
      "SimulatedDevices",
      "CaptureDeviceTesting", "MovieTools",
      "CaptureDevice", "StreamParts", "CFakeLogind", "StillCodecs", "CodeReading", "CodeDrawing",
      "PeopleFinding",
      "DepthMaps", "Portraits",
      "PixelTransforms",
      "ImageIO", "ImageCore",
      "CoreMedia", "CoreVideo", "GraphicsCore",
      "FoundationExtras", "Linux", "simd",
    ]),
  // Works in a library until a test kills it.
  .executableTarget(
    name: "LibraryWorker",
    dependencies: ["Photos", "PhotoProcessing", "CaptureDevice", "CoreVideo", "FoundationExtras", "Linux"],
    path: "Tests/LibraryWorker", swiftSettings: strict),
  tests(
    "Photos",
    [
      "Photos", "AVFoundation", "SimulatedDevices", "PhotoProcessing", "CaptureDevice", "AVFCore", "ImageIO",
      "ImageCore", "StillCodecs",
      "MovieTools", "LibraryWorker",
      "CSQLite", "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  tests("CameraTasks", ["CameraTasks", "Linux"]),
  tests(
    "ObscuraCommands", ["ObscuraCommands", "CameraTasks", "MovieTools", "Linux", "obscura"]),
]

let package = Package(
  name: "obscura",
  products: [
    .library(name: "AVFoundation", targets: ["AVFoundation"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "CoreVideo", targets: ["CoreVideo"]),
    .library(name: "CoreGraphics", targets: ["CoreGraphics"]),
    .library(name: "CoreImage", targets: ["CoreImage"]),
    .library(name: "ImageIO", targets: ["ImageIO"]),
    .library(name: "Photos", targets: ["Photos"]),
    .library(name: "QuartzCore", targets: ["QuartzCore"]),
    .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
    .library(name: "simd", targets: ["simd"]),
    .library(name: "VideoToolbox", targets: ["VideoToolbox"]),
    // Simulated cameras in a program, which must not need Testing's library.
    .library(name: "SimulatedDevices", targets: ["SimulatedDevices"]),
    .library(
      name: "ObscuraSimulation",
      targets: ["SimulatedDevices", "CaptureDeviceTesting", "_Testing_CoreGraphics", "_Testing_CoreImage"]),
    .executable(name: "obscura", targets: ["obscura"]),
  ],
  targets: system + media + engines + devices + frameworks + apps + examples + suites,
  // ZXing-C++ 1.4 asks for C++17, 3.x for C++20.
  cxxLanguageStandard: .cxx20
)

// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The floors of ARCHITECTURE.md, bottom to top. A floor imports only floors below it;
// `scripts/checks/imports` holds that rule, because the compiler does not.

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

/// - Parameter isAlwaysFast: Whether debug builds optimize it, too: what has loops over pixels, which take most of what a frame takes.
func room(
  _ floor: String, _ name: String, _ dependencies: [Target.Dependency] = [], defines: [String] = [],
  isAlwaysFast: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)",
    swiftSettings: strict + (isAlwaysFast ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
      + defines.map { .define($0) })
}

/// - Parameters:
///   - isAlwaysFast: As of ``room``.
///   - headers: Folders of a library's headers that the compiler does not find by itself.
///   - trait: The trait without which it does not need its library; it then defines `LIBCAMERA_DEVICES` for `LibcameraDevices`.
func facade(
  _ name: String, links: [String], _ dependencies: [Target.Dependency] = [], defines: [String: String] = [:],
  headers: [String] = [], isAlwaysFast: Bool = false, onlyWith trait: String? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/System/\(name)",
    cSettings: [.define("_GNU_SOURCE")]
      + (isAlwaysFast ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [])
      + (headers.isEmpty || trait != nil ? [] : [.unsafeFlags(headers.flatMap { ["-isystem", $0] })])
      + defines.sorted { $0.key < $1.key }.map { .define($0.key, to: $0.value) },
    cxxSettings: trait.map { trait in
      let isOn = BuildSettingCondition.when(traits: [trait])
      let words = trait.replacingOccurrences(of: "Devices", with: "_DEVICES").uppercased()
      return [
        .define(words, isOn), .unsafeFlags(headers.flatMap { ["-isystem", $0] }, isOn),
      ]
    } ?? [],
    linkerSettings: links.map { .linkedLibrary($0, trait.map { .when(traits: [$0]) }) })
}

/// Release builds do not optimize the tests: that would take more time than all the rest.
let quicklyBuilt = SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["SeededNumbers", "Waiting"],
    path: "Tests/\(name)Tests",
    resources: resources, swiftSettings: strict + [quicklyBuilt])
}

/// What several modules of tests share: built as they are, and in the compiler's index, which `scripts/checks/tag-symbols` reads.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict + [quicklyBuilt])
}

/// A device backend: the folder `Sources/Devices/NAME`, its tests' `Tests/NAMETests`, and its C module's in `Sources/System`.
///
/// The targets are made of it, and it is linked into what opens devices, where it registers itself (`DeviceBackend`).
struct Backend {
  let name: String
  let targets: [Target]
  let suite: Target
  let isOptional: Bool
  let isUsual: Bool

  /// - Parameters:
  ///   - module: Its C module, which no other module imports, and the libraries that this is linked to.
  ///   - opensLibrary: Whether the C module opens libraries that a machine may lack (`CLibraries`).
  ///   - headers: As of ``facade``.
  ///   - engines: What it uses beside the contract, `StreamParts` and media.
  ///   - helpers: What its tests use beside that.
  ///   - isOptional: Whether a trait of its name brings it.
  ///   - isUsual: Whether that trait is on by default. Without one that is not its C module does not need its library.
  init(
    _ name: String, c module: String? = nil, links: [String] = [], opensLibrary: Bool = false,
    headers: [String] = [], uses engines: [Target.Dependency] = [],
    tests helpers: [Target.Dependency] = [], resources: [Resource] = [], isOptional: Bool = false,
    isUsual: Bool = true
  ) {
    let common: [Target.Dependency] =
      ["CaptureDevice", "StreamParts", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore"]
      + engines
    self.name = name
    self.isOptional = isOptional
    self.isUsual = isUsual
    targets =
      [room("Devices", name, common + (module.map { [.target(name: $0)] } ?? []))]
      + (module.map {
        [
          facade(
            $0, links: links, opensLibrary ? ["CLibraries"] : [], headers: headers,
            onlyWith: isUsual ? nil : name)
        ]
      } ?? [])
    suite = tests(
      name, [.target(name: name), "CaptureDeviceTesting"] + common + helpers, resources: resources)
  }

  var dependency: Target.Dependency {
    .target(name: name, condition: isOptional ? .when(traits: [name]) : nil)
  }
}

// The backends, one line each: all that a new one needs beside its folders (CONTRIBUTING.md, "A new backend").
let backends = [
  Backend(
    "V4L2Devices", c: "CVideo4Linux",
    tests: ["AVFCapture", "CameraFrames", "PhotoProcessing", "ImageIO", "StillCodecs", "PixelTransforms"],
    resources: [.copy("Streams")]),
  Backend("ALSADevices", c: "CALSA", links: ["asound"]),
  Backend(
    "SimulatedDevices", c: "CPainting", links: ["m"],
    uses: ["PixelTransforms", "StillCodecs", "CodeReading", "DepthMaps"], tests: ["PeopleFinding"]),
  Backend(
    "MovieDevices", uses: ["MediaFiles", "VideoCodecs", "PixelTransforms"],
    tests: ["MovieTools", "AVFoundation", "SimulatedDevices", "CaptureStage"], isOptional: true),
  Backend(
    "OpenNIDevices", c: "COpenNI", opensLibrary: true, uses: ["PixelTransforms"],
    tests: ["AVFoundation", "AVFCapture", "CaptureStage"], isOptional: true),
  Backend(
    "NetworkDevices", c: "CKeyring", opensLibrary: true,
    uses: ["MediaStreaming", "VideoCodecs", "StillCodecs"],
    tests: [
      "AVFoundation", "AVFCapture", "CameraFrames", "CaptureStage", "PixelTransforms", "BusStage",
      "CFakeKeyring", "ONVIFStage", "NetworkStage",
    ]),
  Backend(
    "PipeWireDevices", c: "CPipeWire", opensLibrary: true,
    headers: ["/usr/include/pipewire-0.3", "/usr/include/spa-0.2"],
    tests: ["AVFoundation", "AVFCapture", "CaptureStage", "PipeWireStage", "BusStage", "CFakePortal"]),
  Backend(
    "LibcameraDevices", c: "CLibcamera", links: ["camera", "camera-base"],
    headers: ["/usr/include/libcamera"], tests: ["AVFoundation", "AVFCapture", "CaptureStage"],
    isOptional: true, isUsual: false),
]

/// What opens devices, or asks what they are, is linked with all backends.
let everyBackend = backends.map(\.dependency)
let optionalBackends = backends.filter(\.isOptional).map(\.name)

/// Whether the desktop camera, a package of its own (App/Package.swift), is built and tested with the rest: `make test` does, where its
/// libraries can be had.
let withDesktopCamera = Context.environment["OBSCURA_DESKTOP_CAMERA"] != nil

let system: [Target] = [
  room("System", "Linux"),
  facade("CBackends", links: [], defines: ["OPTIONAL_BACKENDS": optionalBackends.joined(separator: ",")]),
  facade("CActorObjects", links: []),
  facade("CLibraries", links: []),
  facade("CSystemBus", links: [], ["CLibraries"]),
  facade("CMosquitto", links: [], ["CLibraries"]),
  facade("CImageCodecs", links: ["jpeg", "heif", "png16", "gif", "exif", "lcms2"]),
  facade("CYUV", links: ["yuv"], isAlwaysFast: true),
  facade("CFusion", links: ["m"]),
  facade("CMosaics", links: [], isAlwaysFast: true),
  facade("CPixels", links: [], isAlwaysFast: true),
  facade("CEffects", links: []),
  facade("CReactions", links: []),
  facade("CFrameRings", links: []),
  facade("CZXing", links: ["ZXing"]),
  facade("CLiteRT", links: [], ["CLibraries"]),
  facade("CTesseract", links: [], ["CLibraries"]),
  facade("CSQLite", links: ["sqlite3"]),
  facade("CFFmpeg", links: ["avformat", "avcodec", "swresample", "avutil"]),
  .systemLibrary(name: "COSNames", path: "Sources/System/COSNames"),
  .systemLibrary(name: "CFrameworkNames", path: "Sources/System/CFrameworkNames"),
  .systemLibrary(name: "CPangoCairo", path: "Sources/System/CPangoCairo", pkgConfig: "cairo"),
  .systemLibrary(name: "CGTK4", path: "Sources/System/CGTK4", pkgConfig: "gtk4"),
]

let media: [Target] = [
  room(
    "Media", "FoundationExtras", ["CActorObjects", "Linux"],
    defines: hasSerialQueue ? ["TOOLCHAIN_HAS_SERIAL_QUEUE"] : []),
  room("Media", "CoreVideo", ["Linux", "FoundationExtras"]),
  room("Media", "CoreMedia", ["Linux", "FoundationExtras", "CoreVideo"]),
  room("Media", "GraphicsCore", ["Linux", "FoundationExtras"]),
  room("Media", "simd"),
]

let engines: [Target] = [
  room("Engines", "DepthMaps", ["CoreVideo", "FoundationExtras", "simd"], isAlwaysFast: true),
  room("Engines", "AudioTransforms"),
  room(
    "Engines", "PixelTransforms",
    ["CYUV", "CPixels", "Linux", "FoundationExtras", "CoreVideo", "GraphicsCore"]),
  room(
    "Engines", "RawPictures", ["CMosaics", "PixelTransforms", "Linux", "FoundationExtras", "CoreVideo"],
    isAlwaysFast: true),
  room("Engines", "FrameFusion", ["CFusion", "PixelTransforms", "Linux", "FoundationExtras", "CoreVideo"]),
  room(
    "Engines", "MediaFiles",
    ["CFFmpeg", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore"]),
  room(
    "Engines", "StillCodecs",
    [
      "CImageCodecs", "MediaFiles", "RawPictures", "Linux", "FoundationExtras", "CoreVideo", "GraphicsCore",
      "PixelTransforms",
    ]),
  room(
    "Engines", "VideoCodecs",
    ["CFFmpeg", "MediaFiles", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia", "PixelTransforms"]),
  room("Engines", "MediaStreaming", ["CFFmpeg", "MediaFiles", "Linux", "CoreMedia"]),
  room("Engines", "CodeReading", ["CZXing", "Linux", "FoundationExtras", "CoreVideo", "PixelTransforms"]),
  room("Engines", "RectangleFinding", ["FoundationExtras", "CoreVideo", "PixelTransforms"]),
  room(
    "Engines", "VideoEffects",
    ["CEffects", "CReactions", "PixelTransforms", "DepthMaps", "Linux", "FoundationExtras", "CoreVideo"]),
  room("Engines", "TextReading", ["CTesseract", "FoundationExtras", "CoreVideo", "PixelTransforms"]),
  room("Engines", "PeopleFinding", ["CLiteRT", "Linux", "FoundationExtras", "CoreVideo", "PixelTransforms"]),
]

let devices: [Target] = [
  room("Devices", "CaptureDevice", ["CBackends", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
  room(
    "Devices", "CameraFrames",
    [
      "CaptureDevice", "RawPictures", "StillCodecs", "VideoCodecs", "PixelTransforms", "Linux",
      "FoundationExtras",
      "CoreVideo",
      "CoreMedia",
    ]),
  room("Devices", "StreamParts", ["CaptureDevice", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
  room(
    "Devices", "CaptureDeviceTesting",
    ["CaptureDevice", "Linux", "FoundationExtras", "CoreVideo", "CoreMedia"]),
]

let frameworks: [Target] = [
  room(
    "Frameworks", "ImageIO",
    [
      "StillCodecs", "DepthMaps", "PixelTransforms", "GraphicsCore", "CoreVideo", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "DrawingCore",
    ["CPangoCairo", "PixelTransforms", "GraphicsCore", "CoreVideo", "FoundationExtras"]),
  room("Frameworks", "QuartzCore", ["DrawingCore", "GraphicsCore", "FoundationExtras", "Linux"]),
  room(
    "Frameworks", "ImageCore",
    [
      "DrawingCore", "ImageIO", "StillCodecs", "CodeReading", "DepthMaps", "PeopleFinding", "RawPictures",
      "RectangleFinding", "VideoEffects", "PixelTransforms",
      "GraphicsCore", "CoreVideo", "FoundationExtras", "Linux",
    ], isAlwaysFast: true),
  room(
    "Frameworks", "AudioToolbox",
    [
      "CFrameworkNames", "CSystemBus", "ALSADevices", "MediaFiles", "VideoCodecs", "CoreMedia",
      "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "AVFAudio",
    ["ALSADevices", "AudioTransforms", "MediaFiles", "VideoCodecs", "CoreMedia", "FoundationExtras", "Linux"]),
  room("Frameworks", "MediaToolbox", ["CoreMedia", "FoundationExtras", "Linux"]),
  room(
    "Frameworks", "AVFCore",
    [
      "MediaToolbox", "AVFAudio", "ImageCore", "QuartzCore", "ALSADevices", "AudioTransforms", "MediaFiles",
      "VideoCodecs",
      "StillCodecs", "PixelTransforms", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Frameworks", "PhotoProcessing",
    [
      "AVFCore", "ImageIO", "CameraFrames", "CaptureDevice", "FrameFusion", "RawPictures", "PixelTransforms",
      "StillCodecs",
      "CoreMedia",
      "CoreVideo", "GraphicsCore", "FoundationExtras", "Linux",
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
      "CameraFrames", "CaptureDevice",
      "MediaFiles", "VideoCodecs", "StreamParts",
      "CSystemBus",
      "PixelTransforms", "StillCodecs", "CodeReading", "PeopleFinding", "VideoEffects", "DepthMaps",
      "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras",
      "Linux", "simd",
    ] + everyBackend),
  room(
    "Frameworks", "Photos",
    [
      "CSQLite", "PhotoProcessing", "CaptureDevice", "AVFCore", "ImageIO", "ImageCore", "StillCodecs",
      "PixelTransforms",
      "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras", "Linux",
    ] + everyBackend),
  room(
    "Frameworks", "AVFoundation",
    [
      "AVFCapture", "AVFAudio", "AVFCore", "AudioToolbox", "MediaToolbox", "ImageCore", "ImageIO",
      "QuartzCore",
      "DrawingCore",
      "CoreMedia",
      "CoreVideo",
      "GraphicsCore", "FoundationExtras", "simd",
    ]),
  // Empty unless the trait of its name is on: a machine that shows no windows needs no GTK.
  room(
    "Frameworks", "GTKLayers",
    [
      .target(name: "CGTK4", condition: withDesktopCamera ? nil : .when(traits: ["GTKLayers"])),
      "AVFCapture", "AVFCore", "QuartzCore", "PixelTransforms", "CoreMedia", "CoreVideo", "GraphicsCore",
      "Linux",
    ], defines: withDesktopCamera ? ["GTKLayers"] : []),
  // What stands beside AVFoundation in camera programs: products of their own, which nothing of ours imports.
  room(
    "Frameworks", "LiveStreaming",
    [
      "AVFoundation", "MediaStreaming", "VideoCodecs", "PixelTransforms", "CoreMedia", "CoreVideo", "Linux",
    ]),
  room(
    "Frameworks", "VirtualCameras",
    [
      "CFrameRings", "PipeWireDevices", "AVFoundation", "VideoToolbox", "CoreMedia", "CoreVideo",
      "FoundationExtras",
      "Linux",
    ]),
  room("Frameworks", "Combine", ["FoundationExtras", "Linux"]),
  room("Frameworks", "os", ["COSNames", "Linux"]),
  room("Frameworks", "UniformTypeIdentifiers", ["Linux"]),
  room("Frameworks", "CoreLocation", ["FoundationExtras", "Linux"]),
  room(
    "Frameworks", "Vision",
    [
      "CodeReading", "RectangleFinding", "TextReading", "PeopleFinding", "VideoEffects", "StillCodecs",
      "PixelTransforms",
      "ImageCore", "ImageIO", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  // Faces: Apple's module names over our cores; see ARCHITECTURE.md for why nothing of ours imports them.
  room("Frameworks", "CoreGraphics", ["DrawingCore", "GraphicsCore", "FoundationExtras"]),
  room(
    "Frameworks", "CoreImage",
    [
      "CFrameworkNames", "DrawingCore", "ImageCore", "ImageIO", "GraphicsCore", "CoreVideo",
      "FoundationExtras",
    ]),
  room("Frameworks", "_Testing_CoreGraphics", ["CoreGraphics"]),
  room("Frameworks", "_Testing_CoreImage", ["CoreImage"]),
]

let apps: [Target] = [
  room("Apps", "EventPublishing", ["CMosquitto", "Linux"]),
  room(
    "Apps", "CameraTasks",
    [
      "LiveStreaming", "VirtualCameras", "PipeWireDevices", "AVFoundation", "AVFCapture", "ImageIO",
      "ImageCore",
      "V4L2Devices", "CaptureDevice", "StillCodecs",
      "CoreVideo",
      "CoreMedia", "GraphicsCore", "FoundationExtras", "Linux",
    ]),
  room(
    "Apps", "ObscuraCommands",
    [
      "EventPublishing", "CameraTasks", "LiveStreaming", "VirtualCameras", "PipeWireDevices", "AVFoundation",
      "AVFCapture", "Photos",
      "PhotoProcessing", "ImageIO",
      "SimulatedDevices",
      "V4L2Devices", "ALSADevices", "NetworkDevices",
      "CaptureDevice", "StillCodecs", "CodeReading", "TextReading", "PeopleFinding", "DepthMaps",
      "VideoCodecs",
      "FrameFusion",
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
  .executableTarget(
    name: "robot-eye-example", dependencies: ["AVFoundation"], path: "Examples/RobotEye",
    swiftSettings: strict),
]

/// What the tests of AVFCapture use.
let capture: [Target.Dependency] = [
  "AVFoundation", "AVFCapture", "PhotoProcessing", "AVFCore", "AVFAudio", "CameraTasks", "SimulatedDevices",
  "CaptureDeviceTesting", "MovieTools", "CameraFrames", "CaptureDevice", "StreamParts", "BusStage",
  "CFakeLogind",
  "StillCodecs", "VideoCodecs", "CodeReading", "CodeDrawing", "PeopleFinding", "DepthMaps", "Portraits",
  "PixelTransforms",
  "RawPictures", "ImageIO", "ImageCore", "CoreMedia", "CoreVideo", "GraphicsCore", "FoundationExtras",
  "Linux",
  "simd",
]

/// The tests of AVFCapture, in parts of at most some 3000 lines: a part is compiled by one processor, anew after any change of it.
let captureSuites: [Target] =
  // Cameras, sessions and delegates that the parts share, and the suite that those nest in that install devices.
  [support("CaptureStage", capture + ["Waiting"])]
  + [
    "Devices", "Live", "Movie", "Outputs", "Photo", "PhotoPipeline", "Preview", "Running", "Scene", "Session",
    "Stress",
  ].map { tests("AVFCapture\($0)", ["CaptureStage"] + capture + ($0 == "Movie" ? ["Photos"] : [])) }

let suites: [Target] = [
  // Random numbers that are the same in every run; all tests may use them.
  .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
  // How a test waits; all tests may.
  .target(name: "Waiting", dependencies: ["Linux"], path: "Tests/Waiting", swiftSettings: strict),
  // Plays logind on a bus of its own, for the tests of sleep.
  .target(
    name: "CFakeLogind", dependencies: ["CLibraries"], path: "Tests/CFakeLogind",
    cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: [.linkedLibrary("systemd")]),
  // Plays feedbackd on a bus of its own.
  .target(
    name: "CFakeFeedback", path: "Tests/CFakeFeedback", cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: [.linkedLibrary("systemd")]),
  // Plays the desktop's camera portal on a bus of its own.
  .target(
    name: "CFakePortal", dependencies: ["CLibraries"], path: "Tests/CFakePortal",
    cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: [.linkedLibrary("systemd")]),
  // Plays the desktop's keyring on a bus of its own.
  .target(
    name: "CFakeKeyring", dependencies: ["CLibraries"], path: "Tests/CFakeKeyring",
    cSettings: [.define("_GNU_SOURCE")],
    linkerSettings: [.linkedLibrary("systemd")]),
  // Stands between programs and a bus, whose messages it spoils where a test says so.
  .target(name: "CBusProxy", path: "Tests/CBusProxy", cSettings: [.define("_GNU_SOURCE")]),
  // A bus of the tests' own.
  support("BusStage", ["CBusProxy", "Linux"]),
  // A PipeWire of the tests' own.
  support("PipeWireStage", ["Linux"]),
  // A camera of the network that speaks ONVIF.
  support("ONVIFStage", ["MediaStreaming", "Linux"]),
  // What servers of the tests' own are made of.
  support("NetworkStage", ["Linux"]),
  tests("Linux", ["Linux", "CLibraries"]),
  tests("FoundationExtras", ["FoundationExtras", "Linux"]),
  tests("CoreVideo", ["CoreVideo", "FoundationExtras", "Linux"]),
  tests("CoreMedia", ["CoreMedia", "CoreVideo", "FoundationExtras", "Linux"]),
  tests("GraphicsCore", ["GraphicsCore", "FoundationExtras"]),
  tests("simd", ["simd"]),
  tests("AudioTransforms", ["AudioTransforms"]),
  tests("PixelTransforms", ["PixelTransforms", "CPixels", "CoreVideo", "GraphicsCore", "FoundationExtras"]),
  tests("RawPictures", ["RawPictures", "CMosaics", "CoreVideo", "FoundationExtras"]),
  tests("FrameFusion", ["FrameFusion", "CFusion", "CoreVideo", "FoundationExtras"]),
  tests(
    "VideoEffects",
    [
      "VideoEffects", "CEffects", "CReactions", "PixelTransforms", "DepthMaps", "CoreVideo",
      "FoundationExtras",
    ]),
  tests("DepthMaps", ["DepthMaps", "CoreVideo", "FoundationExtras", "simd"]),
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
  tests(
    "StillCodecs", ["StillCodecs", "PixelTransforms", "CoreVideo", "GraphicsCore", "FoundationExtras"],
    resources: [.copy("Pictures")]),
  // Draws the codes that the tests read; ZXing-C++'s writing half.
  .target(
    name: "CodeDrawing", path: "Tests/CodeDrawing", linkerSettings: [.linkedLibrary("ZXing")]),
  tests(
    "CodeReading",
    [
      "CodeReading", "CodeDrawing", "StillCodecs", "PixelTransforms", "CoreVideo", "FoundationExtras",
      "Linux",
    ],
    resources: [.copy("Pictures")]),
  tests("TextReading", ["TextReading"]),
  tests("RectangleFinding", ["RectangleFinding", "CoreVideo", "FoundationExtras"]),
  // Photographs of people, their faces marked by hand.
  .target(
    name: "Portraits", dependencies: ["StillCodecs", "PixelTransforms", "CoreVideo", "FoundationExtras"],
    path: "Tests/Portraits", exclude: ["SOURCES.md"], resources: [.copy("Pictures")],
    swiftSettings: strict),
  tests(
    "PeopleFinding",
    ["PeopleFinding", "VideoEffects", "Portraits", "PixelTransforms", "CoreVideo", "FoundationExtras"]),
  tests("ImageIO", ["ImageIO", "StillCodecs", "GraphicsCore", "CoreVideo", "FoundationExtras"]),
  tests("DrawingCore", ["DrawingCore", "GraphicsCore", "FoundationExtras", "Linux"]),
  tests("QuartzCore", ["QuartzCore", "DrawingCore", "GraphicsCore", "FoundationExtras"]),
  tests(
    "ImageCore",
    [
      "ImageCore", "DrawingCore", "ImageIO", "CodeReading", "CodeDrawing", "PeopleFinding", "Portraits",
      "RawPictures", "StillCodecs", "GraphicsCore",
      "CoreVideo", "FoundationExtras",
    ], resources: [.copy("Truth")]),
  tests(
    "AudioToolbox",
    [
      "AudioToolbox", "SimulatedDevices", "CFakeFeedback", "BusStage", "MovieTools", "CoreMedia",
      "FoundationExtras",
      "Linux",
    ]),
  tests("AVFAudio", ["AVFAudio", "MovieTools", "CoreMedia", "FoundationExtras", "Linux"]),
  tests(
    "AVFCore",
    [
      "AVFCore", "AVFAudio", "MediaToolbox", "UniformTypeIdentifiers", "ImageCore", "QuartzCore",
      "MovieTools", "CoreMedia",
      "CoreVideo",
      "GraphicsCore", "FoundationExtras", "Linux",
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
  tests(
    "VirtualCameras",
    [
      "VirtualCameras", "CFrameRings", "CameraTasks", "PipeWireDevices", "PipeWireStage", "AVFoundation",
      "CaptureStage",
      "CaptureDevice",
      "CaptureDeviceTesting", "SimulatedDevices", "CoreMedia", "CoreVideo", "Linux",
    ]),
  tests(
    "LiveStreaming",
    [
      "LiveStreaming", "AVFoundation", "CaptureStage", "CaptureDevice", "CaptureDeviceTesting",
      "SimulatedDevices", "NetworkStage", "MediaStreaming", "MediaFiles",
      "VideoCodecs", "CoreMedia", "CoreVideo", "Linux",
    ]),
  tests("Combine", ["Combine", "FoundationExtras", "Linux"]),
  tests("os", ["os", "Linux"]),
  tests("UniformTypeIdentifiers", ["UniformTypeIdentifiers"]),
  tests("CoreLocation", ["CoreLocation", "FoundationExtras", "Linux"]),
  tests(
    "Vision",
    [
      "Vision", "CodeDrawing", "Portraits", "PeopleFinding", "TextReading", "DrawingCore", "ImageCore",
      "ImageIO",
      "CoreMedia", "CoreVideo",
      "GraphicsCore", "FoundationExtras", "PixelTransforms", "StillCodecs",
    ]),
  tests(
    "Faces",
    ["AudioToolbox", "CoreGraphics", "CoreImage", "_Testing_CoreGraphics", "_Testing_CoreImage"]),
  tests("StreamParts", ["StreamParts", "CaptureDevice", "CoreMedia", "Linux"]),
  // Works in a library until a test kills it.
  .executableTarget(
    name: "LibraryWorker",
    dependencies: [
      "Photos", "PhotoProcessing", "CaptureDevice", "CoreVideo", "FoundationExtras", "Linux", "SeededNumbers",
    ],
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
  // Records until a test kills it.
  .executableTarget(
    name: "RecordingWorker",
    dependencies: [
      "AVFoundation", "AVFCore", "AVFCapture", "SimulatedDevices", "MovieTools", "CoreMedia", "Waiting",
    ],
    path: "Tests/RecordingWorker", swiftSettings: strict),
  tests("EventPublishing", ["EventPublishing", "Linux"]),
  // Does one thing on a disk that fails.
  .executableTarget(
    name: "DiskWorker",
    dependencies: [
      "AVFAudio", "AVFCore", "AVFoundation", "AVFCapture", "Photos", "PhotoProcessing", "SimulatedDevices",
      "ObscuraCommands",
      "MovieTools",
      "CaptureDevice", "ImageIO", "CoreMedia", "CoreVideo", "FoundationExtras", "Linux",
    ],
    path: "Tests/DiskWorker", swiftSettings: strict),
  tests("Disk", ["DiskWorker", "SimulatedDevices", "Linux"]),
  tests("CameraTasks", ["CameraTasks", "Linux"]),
  tests(
    "ObscuraCommands",
    [
      "ObscuraCommands", "EventPublishing", "CameraTasks", "CFrameRings", "MovieTools", "PipeWireStage",
      "ONVIFStage", "CoreVideo", "Linux",
      "obscura", "RecordingWorker",
    ]),
]

let benchmarks: [Target] = [
  // Fuses frames of a file for Benchmarks/Fusion/run; here, because the engine is no product.
  .executableTarget(
    name: "fuse-frames", dependencies: ["FrameFusion", "CoreVideo", "FoundationExtras"],
    path: "Benchmarks/Fusion/fuse-frames", swiftSettings: strict),
  // Filters depth maps of a stream for Benchmarks/Depth/run.
  .executableTarget(
    name: "depth-frames", dependencies: ["DepthMaps"], path: "Benchmarks/Depth/depth-frames",
    swiftSettings: strict),
  // Draws reactions over a picture of a file, for eyes and for times; here, because the engine is no product.
  .executableTarget(
    name: "draw-reactions",
    dependencies: ["VideoEffects", "PixelTransforms", "CoreVideo", "FoundationExtras"],
    path: "Benchmarks/Reactions/draw-reactions", swiftSettings: strict),
  // Draws effects of video for Benchmarks/Effects/run; here, because the engines are no products.
  .executableTarget(
    name: "effect-frames",
    dependencies: ["PeopleFinding", "VideoEffects", "PixelTransforms", "CoreVideo", "FoundationExtras"],
    path: "Benchmarks/Effects/effect-frames", swiftSettings: strict),
  // Gives a sound another tempo for Benchmarks/Sound/run; here, because the engine is no product.
  .executableTarget(
    name: "stretch-sound", dependencies: ["AudioTransforms"], path: "Benchmarks/Sound/stretch-sound",
    swiftSettings: strict),
  // Computes filters for Benchmarks/Filters/run; beside it, and like a program of Core Image's own.
  .executableTarget(
    name: "filter-frames", dependencies: ["CoreImage"], path: "Benchmarks/Filters/filter-frames",
    swiftSettings: strict),
]

/// The desktop camera's targets, with the settings of its own manifest; they differ in what a build for release asks of tested modules.
let desktopCamera: [Target] = {
  // By the name of a package of its own it sees of the library what other packages see.
  let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
    .unsafeFlags(["-package-name", "obscura_camera"]),
  ]
  let library: [Target.Dependency] = [
    "AVFoundation", "DepthMaps", "GTKLayers", "Photos", "SimulatedDevices", "VideoToolbox", "VirtualCameras",
  ]
  func part(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
      name: name, dependencies: library + dependencies, path: "App/Sources/\(name)", packageAccess: false,
      // Its tests ask that of builds for release, too.
      swiftSettings: settings + [.unsafeFlags(["-enable-testing"])])
  }
  func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: library + dependencies, path: "App/Sources/\(name)", packageAccess: false,
      swiftSettings: settings)
  }
  func suite(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
      name: "\(name)Tests", dependencies: library + dependencies + [.target(name: name)],
      path: "App/Tests/\(name)Tests", packageAccess: false, swiftSettings: settings + [quicklyBuilt])
  }
  return [
    .systemLibrary(name: "CGTK", path: "App/Sources/CGTK", pkgConfig: "libadwaita-1"),
    part("GTKKit", ["CGTK"]),
    part("CameraModel", []),
    program("Camera", ["GTKKit", "CameraModel", "CGTK"]),
    program("CameraWindow", ["CGTK"]),
    suite("GTKKit", ["CGTK"]),
    suite("CameraModel", []),
  ]
}()

/// Everything, or the suites of tests that `OBSCURA_SUITES` names, with what they need: a sanitizer's build holds what it runs.
let chosen = (Context.environment["OBSCURA_SUITES"] ?? "").split(separator: ",").map(String.init)

func built(_ all: [Target]) -> [Target] {
  if chosen.isEmpty { return all }
  let dependencies = Dictionary(
    uniqueKeysWithValues: all.map { target in
      (
        target.name,
        target.dependencies.compactMap { dependency -> String? in
          switch dependency {
          case .targetItem(let name, _), .byNameItem(let name, _): name
          default: nil
          }
        }
      )
    })
  for name in chosen where dependencies[name] == nil { fatalError("OBSCURA_SUITES: there is no \(name).") }
  var names = Set<String>()
  var waiting = chosen
  while let name = waiting.popLast() {
    if names.insert(name).inserted { waiting += dependencies[name] ?? [] }
  }
  return all.filter { names.contains($0.name) }
}

let package = Package(
  name: "obscura",
  products: !chosen.isEmpty
    ? []
    : [
      .library(name: "AVFoundation", targets: ["AVFoundation"]),
      .library(name: "CoreMedia", targets: ["CoreMedia"]),
      .library(name: "CoreVideo", targets: ["CoreVideo"]),
      .library(name: "CoreGraphics", targets: ["CoreGraphics"]),
      .library(name: "CoreImage", targets: ["CoreImage"]),
      .library(name: "ImageIO", targets: ["ImageIO"]),
      .library(name: "Photos", targets: ["Photos"]),
      .library(name: "QuartzCore", targets: ["QuartzCore"]),
      .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
      .library(name: "MediaToolbox", targets: ["MediaToolbox"]),
      .library(name: "simd", targets: ["simd"]),
      // Point clouds and depth maps as plain numbers, which Apple has no names for.
      .library(name: "DepthMaps", targets: ["DepthMaps"]),
      .library(name: "VideoToolbox", targets: ["VideoToolbox"]),
      .library(name: "LiveStreaming", targets: ["LiveStreaming"]),
      // A session's pictures for other programs: as a camera of PipeWire, or in memory that they read.
      .library(name: "VirtualCameras", targets: ["VirtualCameras"]),
      .library(name: "Combine", targets: ["Combine"]),
      .library(name: "os", targets: ["os"]),
      .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
      .library(name: "CoreLocation", targets: ["CoreLocation"]),
      .library(name: "Vision", targets: ["Vision"]),
      // Layers in a program's own GTK window; with the trait of its name.
      .library(name: "GTKLayers", targets: ["GTKLayers"]),
      // Simulated cameras in a program, which must not need Testing's library.
      .library(name: "SimulatedDevices", targets: ["SimulatedDevices"]),
      .library(
        name: "ObscuraSimulation",
        targets: ["SimulatedDevices", "CaptureDeviceTesting", "_Testing_CoreGraphics", "_Testing_CoreImage"]),
      .executable(name: "obscura", targets: ["obscura"]),
    ],
  // A trait is called after the module that it brings.
  traits: Set(
    (optionalBackends + ["GTKLayers"]).map { .trait(name: $0) } + [
      .default(enabledTraits: Set(backends.filter { $0.isOptional && $0.isUsual }.map(\.name)))
    ]),
  targets: built(
    system + media + engines + devices + backends.flatMap(\.targets) + frameworks + apps + examples
      + benchmarks + suites + captureSuites + backends.map(\.suite)
      + (withDesktopCamera ? desktopCamera : [])),
  // ZXing-C++ 1.4 asks for C++17, 3.x for C++20.
  cxxLanguageStandard: .cxx20
)

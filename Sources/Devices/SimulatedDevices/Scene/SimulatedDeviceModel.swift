public import CaptureDevice
internal import FoundationExtras

/// One simulated camera or microphone: what it says of itself, and what its optics do.
public struct SimulatedDeviceModel: Sendable, Hashable {
  /// The facts that a client gets.
  public var facts: DeviceFacts
  /// The magnification against the main camera: 0.5 is an ultra-wide, 2 a telephoto lens; at least 0.1.
  ///
  /// Only the built-in scene is larger than a frame; in others every camera sees the whole frame.
  public var magnification: Double
  /// Photosites in a row of the sensor, fours of which that are added count as one: the widest picture that it gives unasked.
  var photosites: Int {
    facts.formats.flatMap(\.stillSizes).map(\.width).max() ?? facts.formats.last?.size.width ?? 0
  }

  /// A device with these facts.
  public init(facts: DeviceFacts, magnification: Double = 1) {
    self.facts = facts
    self.magnification = magnification
  }

  /// Has all formats send frames, and depth maps, at one rate alone.
  mutating func setRate(_ rate: Double) {
    let duration =
      rate < 1
      ? FrameDuration(Int32((1000 / rate).rounded()), 1000)
      : FrameDuration(1000, Int32((rate * 1000).rounded()))
    for index in facts.formats.indices {
      facts.formats[index].frameDurations = [duration...duration]
      for map in facts.formats[index].depthFormats.indices {
        facts.formats[index].depthFormats[map].frameDurations = [duration...duration]
      }
    }
  }

  /// A back camera for tests, with formats as small as they like.
  ///
  /// - Parameters:
  ///   - uniqueID: Must differ among the devices of a scene.
  ///   - sizes: A 420v and a 420f format each, smallest first.
  ///   - rates: The lowest and highest frame rate of every format.
  ///   - stillSizes: What stills each format offers; the format's own size when `nil`.
  ///   - fullStillSizes: Larger stills that the largest formats offer where they are asked for, see
  ///     `AVCapturePhotoOutput.maxPhotoDimensions`; a whole multiple of the largest of `stillSizes` is what sensors have.
  ///   - encodings: In which encodings each size is offered; 420v and 420f when `nil`.
  ///   - usualSensorRotation: How the sensors of such machines lie otherwise; as this one's when `nil`.
  ///   - depthSizes: Of the depth maps that it can measure beside each format, smallest first, in all four formats and
  ///     at most 30 times a second; empty is a camera without depth.
  public static func camera(
    uniqueID: String = "simulated.test", name: String = "Test Camera", kind: DeviceKind = .wideAngleCamera,
    position: DevicePosition = .back, sizes: [FrameSize] = [FrameSize(width: 160, height: 120)],
    rates: ClosedRange<Int32> = 1...60, stillSizes: [FrameSize]? = nil, fullStillSizes: [FrameSize] = [],
    encodings: [FrameEncoding]? = nil, scalesStream: Bool = false, sensorRotation: Int = 90,
    usualSensorRotation: Int? = nil,
    depthSizes: [FrameSize] = []
  ) -> SimulatedDeviceModel {
    let photosites = (stillSizes ?? sizes).map(\.width).max() ?? 1
    let durations = FrameDuration(1, rates.upperBound)...FrameDuration(1, rates.lowerBound)
    let formats = sizes.flatMap { size in
      (encodings ?? bothRanges).map { encoding in
        var format = StreamFormat(
          size: size, encoding: encoding, frameDurations: [durations], stillSizes: stillSizes,
          scalesStream: scalesStream, exposureNanoseconds: exposures, iso: isos,
          isPhotoQuality: size == sizes.last)
        if format.isPhotoQuality { format.fullStillSizes = fullStillSizes }
        format.giveControls(photosites: photosites, isVideo: true)
        let slowest = FrameDuration(1, rates.lowerBound)
        format.depthFormats = DepthStreamFormat.all(
          depthSizes, durations: min(FrameDuration(1, min(rates.upperBound, 30)), slowest)...slowest)
        format.giveMosaics(of: (stillSizes ?? sizes).last)
        return format.besideOtherCameras()
      }
    }
    var facts = DeviceFacts(
      uniqueID: uniqueID, modelID: "Simulated Test Camera", name: name, manufacturer: "Obscura", kind: kind,
      position: position, media: depthSizes.isEmpty ? [.video] : [.video, .depth], formats: formats,
      lens: wideLens, capabilities: .everything, sensorRotation: sensorRotation,
      usualSensorRotation: usualSensorRotation)
    facts.giveColors(sensorColors)
    return SimulatedDeviceModel(facts: facts)
  }

  /// A Motion JPEG webcam, for the fault `corrupt`; scene files with that fault have it.
  public static let webcam: SimulatedDeviceModel = {
    let durations = [FrameDuration(1, 30)...FrameDuration(1, 5)]
    let formats = [FrameSize(width: 640, height: 480), FrameSize(width: 1280, height: 720)].map {
      StreamFormat(
        size: $0, encoding: .motionJPEG, frameDurations: durations, exposureNanoseconds: exposures, iso: isos
      ).besideOtherCameras()
    }
    return SimulatedDeviceModel(
      facts: DeviceFacts(
        uniqueID: "simulated.webcam", modelID: "Simulated Webcam", name: "Webcam", manufacturer: "Obscura",
        kind: .externalCamera, position: .unspecified, media: [.video], formats: formats,
        capabilities: CameraCapabilities(exposureModes: [.locked, .auto, .continuousAuto])))
  }()
}

// The figures of the built-in devices: those of a phone of the years when the API was written.
extension SimulatedDeviceModel {
  /// The phone's cameras, back to front, and its microphone.
  public static let builtIn: [SimulatedDeviceModel] = [
    back("wide", "Back Camera", .wideAngleCamera, wideLens, 1, full: FrameSize(width: 8064, height: 6048)),
    back("ultrawide", "Back Ultra Wide Camera", .ultraWideCamera, ultraWideLens, 0.5),
    back("telephoto", "Back Telephoto Camera", .telephotoCamera, telephotoLens, 2),
    back(
      "dual", "Back Dual Camera", .dualCamera, wideLens, 1,
      ["simulated.back.wide", "simulated.back.telephoto"]),
    back(
      "dualwide", "Back Dual Wide Camera", .dualWideCamera, ultraWideLens, 0.5,
      ["simulated.back.ultrawide", "simulated.back.wide"]),
    back(
      "triple", "Back Triple Camera", .tripleCamera, ultraWideLens, 0.5,
      ["simulated.back.ultrawide", "simulated.back.wide", "simulated.back.telephoto"]),
    front("truedepth", "Front TrueDepth Camera", .trueDepthCamera),
    front("wide", "Front Camera", .wideAngleCamera),
    SimulatedDeviceModel(
      facts: DeviceFacts(
        uniqueID: "simulated.microphone", modelID: "Simulated Microphone", name: "Built-in Microphone",
        manufacturer: "Obscura", kind: .builtInMicrophone, position: .unspecified, media: [.audio],
        formats: [])),
  ]

  fileprivate static let bothRanges: [FrameEncoding] = [
    .pixels(FourCharacterCodes.videoRange420), .pixels(FourCharacterCodes.fullRange420),
  ]
  fileprivate static let exposures: ClosedRange<Int64> = 24_000...1_000_000_000
  fileprivate static let isos: ClosedRange<Float> = 32...3072

  /// The colours of our sensors: broad and overlapping, so that daylight wants gains of 2.5, 1 and 1.5.
  fileprivate static let sensorColors = SensorColors(
    red: SIMD3(0.80, -0.25, -0.08), green: SIMD3(-0.45, 1.25, 0.22), blue: SIMD3(-0.08, 0.20, 0.55))

  fileprivate static let wideLens = LensFacts(
    focalLength: 4.25, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 69.4,
    model: "Obscura back camera 4.25mm f/1.8", minimumFocusDistance: 150)
  private static let ultraWideLens = LensFacts(
    focalLength: 1.54, focalLengthIn35mmFilm: 13, aperture: 2.4, fieldOfView: 108.3,
    model: "Obscura back ultra wide camera 1.54mm f/2.4", minimumFocusDistance: 20, bending: 0.12)
  private static let telephotoLens = LensFacts(
    focalLength: 6, focalLengthIn35mmFilm: 52, aperture: 2, fieldOfView: 38.2,
    model: "Obscura back telephoto camera 6mm f/2", minimumFocusDistance: 400)
  private static let frontLens = LensFacts(
    focalLength: 2.71, focalLengthIn35mmFilm: 30, aperture: 2.2, fieldOfView: 61.9,
    model: "Obscura front camera 2.71mm f/2.2", bending: 0.05)

  private static func back(
    _ id: String, _ name: String, _ kind: DeviceKind, _ lens: LensFacts, _ magnification: Double,
    _ constituents: [String] = [], full: FrameSize? = nil
  ) -> SimulatedDeviceModel {
    let still = FrameSize(width: 4032, height: 3024)
    return phoneCamera(
      "simulated.back.\(id)", name, kind, .back, lens, magnification, constituents,
      formats: videoFormats(
        [(640, 480, 60), (1280, 720, 240), (1920, 1080, 60), (3840, 2160, 30)], still: still)
        + photoFormats(still, full: full))
  }

  private static func front(_ id: String, _ name: String, _ kind: DeviceKind) -> SimulatedDeviceModel {
    let still = FrameSize(width: 3088, height: 2320)
    var formats =
      videoFormats([(640, 480, 60), (1280, 720, 60), (1920, 1080, 60)], still: still) + photoFormats(still)
    if kind == .trueDepthCamera {
      for index in formats.indices {
        formats[index].depthFormats = DepthStreamFormat.pattern(beside: formats[index].size)
      }
    }
    return phoneCamera("simulated.front.\(id)", name, kind, .front, frontLens, 1, [], formats: formats)
  }

  private static func phoneCamera(
    _ id: String, _ name: String, _ kind: DeviceKind, _ position: DevicePosition, _ lens: LensFacts,
    _ magnification: Double, _ constituents: [String], formats: [StreamFormat]
  ) -> SimulatedDeviceModel {
    var capabilities = CameraCapabilities.everything
    if position == .front {
      capabilities.removeFocus()
      capabilities.removeTorch()
    }
    // The zoom factors at which the lenses of ``builtIn`` that lie under the camera are as narrow as the frame.
    capabilities.switchOverZooms = Array([2.0, 4.0].prefix(max(constituents.count - 1, 0)))
    capabilities.takesConstituentStills = constituents.count > 1
    if magnification < 1 { capabilities.displayZoomMultiplier = 0.5 }
    if kind == .telephotoCamera { capabilities.displayZoomMultiplier = 2 }
    capabilities.hasDistortionCorrection = lens.bending > 0
    var facts = DeviceFacts(
      uniqueID: id, modelID: "Obscura Simulated Phone", name: name, manufacturer: "Obscura", kind: kind,
      position: position, media: kind == .trueDepthCamera ? [.video, .depth] : [.video],
      formats: formats.map { format in
        var format = format.besideOtherCameras(if: \.isForSeveralCameras)
        // What several lenses make of a view, no one sensor sees.
        if constituents.isEmpty { format.giveMosaics(of: formats.last?.size) }
        return format
      }, lens: lens,
      capabilities: capabilities, constituents: constituents, sensorRotation: 90)
    facts.sharesViewpoint = !constituents.isEmpty
    facts.giveColors(sensorColors)
    return SimulatedDeviceModel(facts: facts, magnification: magnification)
  }

  private static func videoFormats(_ list: [(Int, Int, Int32)], still: FrameSize) -> [StreamFormat] {
    list.flatMap { width, height, rate in
      bothRanges.map { encoding in
        var format = StreamFormat(
          size: FrameSize(width: width, height: height), encoding: encoding,
          frameDurations: [FrameDuration(1, rate)...FrameDuration(1, 1)],
          stillSizes: [FrameSize(width: width, height: height), still],
          exposureNanoseconds: exposures, iso: isos, isBinned: rate > 60, supportsP3: true)
        format.giveControls(photosites: still.width, isVideo: true)
        return format
      }
    }
  }

  private static func photoFormats(_ still: FrameSize, full: FrameSize? = nil) -> [StreamFormat] {
    bothRanges.map { encoding in
      var format = StreamFormat(
        size: still, encoding: encoding, frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 1)],
        stillSizes: [still], scalesStream: true, exposureNanoseconds: exposures, iso: isos,
        isPhotoQuality: true, supportsP3: true)
      format.fullStillSizes = full.map { [$0] } ?? []
      format.giveControls(photosites: still.width, isVideo: false)
      return format
    }
  }
}

extension StreamFormat {
  /// Lets stills come with the numbers of all of the sensor, which has `size`.
  fileprivate mutating func giveMosaics(of size: FrameSize?) {
    if case .mosaic = encoding { return }
    guard let size, size.width > 1, size.height > 1, !stillSizes.isEmpty else { return }
    stillMosaic = StillMosaicFormat(
      layout: MosaicLayout(pixelFormat: FourCharacterCodes.redFirst14, bits: 12),
      size: FrameSize(width: size.width & ~1, height: size.height & ~1))
  }

  /// The abilities of a phone's formats: zoom to 16 times, wide range and stabilization up to 60 frames a second.
  fileprivate mutating func giveControls(photosites: Int, isVideo: Bool) {
    maxZoom = 16
    zoomUpscaleThreshold = max(Double(photosites) / Double(size.width), 1)
    let isFast = frameDurations.contains { $0.lowerBound.rate > 60.5 }
    supportsHDR = !isFast
    if isVideo && !isFast { stabilizationModes = Set(StabilizationMode.allCases).subtracting([.off]) }
  }
}

extension DeviceFacts {
  /// Gives a camera the colours of its sensor, and of its flash, which is as white as daylight (CIE D65); those of a screen follow the
  /// scene's light.
  fileprivate mutating func giveColors(_ colors: SensorColors) {
    sensorColors = colors
    if !capabilities.torchModes.isEmpty { capabilities.flashGains = colors.gains(x: 0.3127, y: 0.3290) }
  }
}

extension CameraCapabilities {
  /// All controls but those that need a lens of their own: bending to correct, cameras to choose from.
  fileprivate static let everything: CameraCapabilities = {
    var all = CameraCapabilities(exposureModes: Set(ExposureMode.allCases))
    all.focusModes = Set(FocusMode.allCases)
    all.focusSystem = .phaseDetection
    all.hasFocusPoint = true
    all.hasLensPosition = true
    all.hasFocusRange = true
    all.hasSmoothFocus = true
    all.hasFaceFocus = true
    all.hasExposurePoint = true
    all.hasFaceExposure = true
    all.exposureBias = -8...8
    all.exposesStillsApart = true
    all.recalledFrames = 16
    all.whiteBalanceModes = Set(WhiteBalanceMode.allCases)
    all.whiteBalanceGains = 1...4
    all.torchLevel = 1
    all.torchModes = Set(TorchMode.allCases)
    all.flashModes = Set(FlashMode.allCases)
    all.hasLowLightBoost = true
    all.hasGlobalToneMapping = true
    all.monitorsScene = true
    return all
  }()

  fileprivate mutating func removeFocus() {
    focusModes = []
    focusSystem = .none
    hasFocusPoint = false
    hasLensPosition = false
    hasFocusRange = false
    hasSmoothFocus = false
    hasFaceFocus = false
  }

  /// A camera beside a screen has no lamp; the screen is its flash.
  fileprivate mutating func removeTorch() {
    torchLevel = nil
    torchModes = []
  }
}

/// The pixel formats that simulated sensors have.
enum FourCharacterCodes {
  /// `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange`, `420v`.
  static let videoRange420: OSType = 0x3432_3076
  /// `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`, `420f`.
  static let fullRange420: OSType = 0x3432_3066
  /// `kCVPixelFormatType_14Bayer_RGGB`, `rgg4`.
  static let redFirst14: OSType = 0x7267_6734
}

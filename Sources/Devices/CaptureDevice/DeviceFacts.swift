internal import Glibc
public import FoundationExtras

/// A kind of media that a device sends.
public enum MediaKind: Sendable, Hashable {
  /// Pictures.
  case video
  /// Audio.
  case audio
  /// Distances, beside pictures.
  case depth
}

/// The kind of a camera or microphone.
public enum DeviceKind: Sendable, Hashable, CaseIterable {
  case wideAngleCamera, ultraWideCamera, telephotoCamera
  /// Virtual cameras over the ones before.
  case dualCamera, dualWideCamera, tripleCamera
  case trueDepthCamera, lidarDepthCamera
  /// A camera that is plugged in: every kernel camera whose place on the machine is unknown.
  case externalCamera
  case builtInMicrophone, externalMicrophone
}

/// The side of the machine that a camera is on.
public enum DevicePosition: Sendable, Hashable {
  case unspecified, back, front
}

/// Width and height of a picture in pixels.
public struct FrameSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// `1920×1080`.
  public var description: String { "\(width)×\(height)" }
}

/// A duration or rate as an exact fraction of seconds; cameras count in 1/30 and 1001/30000, not in decimals.
public struct FrameDuration: Sendable, Hashable, Comparable {
  /// Seconds are `numerator / denominator`; both are above zero.
  public var numerator: Int32
  /// The divisor of ``numerator``.
  public var denominator: Int32

  /// The duration of `numerator / denominator` seconds; both must be above zero.
  public init(_ numerator: Int32, _ denominator: Int32) {
    precondition(numerator > 0 && denominator > 0, "A frame duration is above zero.")
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The duration in nanoseconds, rounded to the nearest.
  public var nanoseconds: Int64 {
    (Int64(numerator) * 1_000_000_000 + Int64(denominator) / 2) / Int64(denominator)
  }

  /// Frames per second.
  public var rate: Double { Double(denominator) / Double(numerator) }

  /// Whether the left duration is the shorter one (by value: 2/60 is not below 1/30).
  public static func < (left: FrameDuration, right: FrameDuration) -> Bool {
    Int64(left.numerator) * Int64(right.denominator) < Int64(right.numerator) * Int64(left.denominator)
  }
}

/// The encoding of a format's pictures when they leave the device.
public enum FrameEncoding: Sendable, Hashable {
  /// Uncompressed, as the Core Video pixel format `kCVPixelFormatType_…`.
  case pixels(OSType)
  /// One JPEG picture a frame.
  case motionJPEG
  /// One access unit of H.264 a frame, see ``CodedPicture``.
  case h264
  /// One access unit of HEVC a frame, see ``CodedPicture``.
  case hevc
  /// The sensor's numbers, behind a filter of red, green and blue; pictures are developed of them here.
  case mosaic(MosaicLayout)

  /// Whether frames are coded pictures that build on each other.
  public var isCoded: Bool { self == .h264 || self == .hevc }
}

/// One way in which a camera can stream.
public struct StreamFormat: Sendable, Hashable {
  /// The size of the format's frames.
  public var size: FrameSize
  /// The encoding of the frames.
  public var encoding: FrameEncoding
  /// The shortest and longest frame duration of each range, shortest first; a discrete rate is a range of one value.
  public var frameDurations: [ClosedRange<FrameDuration>]
  /// Sizes in which a still can be taken while this format streams, smallest first; empty for H.264 and HEVC, whose
  /// photos are pictures of the stream.
  public var stillSizes: [FrameSize]
  /// Larger sizes, smallest first, that a still has where it is asked for in one of them; empty where the sensor has no more
  /// than ``stillSizes`` show.
  ///
  /// Then photosites are read one by one that are otherwise added in fours. Such a still is of an exposure of its own: neither of a past frame, nor with a mosaic.
  public var fullStillSizes: [FrameSize] = []
  /// Whether ``StreamConfiguration/size`` may be smaller than ``size`` (an image processor scales), or must equal it.
  public var scalesStream: Bool
  /// Exposure durations in nanoseconds, and ISO; `nil` where the device does not report it.
  public var exposureNanoseconds: ClosedRange<Int64>?
  /// Sensitivities that the format can be exposed at; `nil` where the device does not report it.
  public var iso: ClosedRange<Float>?
  /// Whether the format reads the sensor at its full quality, as a photo wants it.
  public var isPhotoQuality: Bool
  /// Whether neighbouring photosites are added (faster, less detail).
  public var isBinned: Bool
  /// Whether the wide colour space P3 can be chosen beside sRGB.
  public var supportsP3: Bool
  /// The greatest zoom of the format; 1 where it has none.
  public var maxZoom = 1.0
  /// Up to which zoom every pixel of a frame has a pixel of the sensor of its own; from there on pictures are enlarged.
  public var zoomUpscaleThreshold = 1.0
  /// Whether frames of wider dynamic range can be had, see ``CameraControl/videoHDR(_:)``.
  public var supportsHDR = false
  /// The stabilization modes of the format's frames; empty where the device has none.
  public var stabilizationModes: Set<StabilizationMode> = []
  /// Whether the format can stream while other cameras of the machine do.
  public var supportsMultiCam = false
  /// In which ways depth can be measured while the format streams, what is taken unasked last; empty where it cannot.
  public var depthFormats: [DepthStreamFormat] = []
  /// The mosaics that stills of the format can come with, beside their pictures; `nil` where there are none, and where frames are
  /// mosaics themselves.
  public var stillMosaic: StillMosaicFormat?

  /// A format; without `stillSizes` its stills are as large as its frames, and of H.264 and HEVC there are none.
  public init(
    size: FrameSize, encoding: FrameEncoding, frameDurations: [ClosedRange<FrameDuration>],
    stillSizes: [FrameSize]? = nil, scalesStream: Bool = false,
    exposureNanoseconds: ClosedRange<Int64>? = nil, iso: ClosedRange<Float>? = nil,
    isPhotoQuality: Bool = false, isBinned: Bool = false, supportsP3: Bool = false
  ) {
    self.size = size
    self.encoding = encoding
    self.frameDurations = frameDurations
    self.stillSizes = stillSizes ?? (encoding.isCoded ? [] : [size])
    self.scalesStream = scalesStream
    self.exposureNanoseconds = exposureNanoseconds
    self.iso = iso
    self.isPhotoQuality = isPhotoQuality
    self.isBinned = isBinned
    self.supportsP3 = supportsP3
  }
}

/// The facts of a camera's lens.
public struct LensFacts: Sendable, Hashable, Codable {
  /// Millimetres; 0 where it is unknown.
  public var focalLength: Double
  /// Millimetres, as if the sensor were 36 mm wide.
  public var focalLengthIn35mmFilm: Double
  /// The f-number; 0 where it is unknown.
  public var aperture: Double
  /// Horizontal, in degrees, once straight lines are straight; see ``fieldOfView(of:isCorrected:)`` for bent ones.
  public var fieldOfView: Double
  /// The bending of straight lines outwards, until distortion correction is on: a place at *r* half widths from the
  /// middle of its whole view shows what a straight lens would show at *r* · (1 + bending · *r*²) / c, where c is what
  /// leaves the corners where they are.
  public var bending = 0.0
  /// The lens model, as in EXIF; empty where it is unknown.
  public var model: String
  /// Millimetres from the lens to the nearest thing that it can focus on; `nil` where it is unknown.
  public var minimumFocusDistance: Int?

  /// The facts of a lens.
  public init(
    focalLength: Double, focalLengthIn35mmFilm: Double, aperture: Double, fieldOfView: Double, model: String,
    minimumFocusDistance: Int? = nil, bending: Double = 0
  ) {
    self.focalLength = focalLength
    self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
    self.aperture = aperture
    self.fieldOfView = fieldOfView
    self.model = model
    self.minimumFocusDistance = minimumFocusDistance
    self.bending = bending
  }

  /// The facts of a lens of which only the field of view is known, in degrees, horizontal.
  public init(fieldOfView: Double) {
    self.init(
      focalLength: 0, focalLengthIn35mmFilm: 18 / tan(fieldOfView * .pi / 360), aperture: 0,
      fieldOfView: fieldOfView, model: "")
  }
}

extension LensFacts {
  /// The `c` of ``bending`` in pictures of that shape.
  public func cornerBending(of size: FrameSize) -> Double {
    let aspect = Double(size.height) / Double(max(size.width, 1))
    return 1 + bending * (1 + aspect * aspect)
  }

  /// The field of view of pictures of that shape from their left edge to their right one, in degrees, at zoom 1.
  public func fieldOfView(of size: FrameSize, isCorrected: Bool) -> Double {
    guard !isCorrected, bending != 0 else { return fieldOfView }
    let edge = tan(fieldOfView * .pi / 360) * (1 + bending) / cornerBending(of: size)
    return atan(edge) * 360 / .pi
  }
}

/// The identity and the abilities of a device; constant as long as it is plugged in.
public struct DeviceFacts: Sendable, Hashable {
  /// Stable across replug and reboot (USB serial or bus path; a fixed name for simulated ones).
  public var uniqueID: String
  /// The model, the same for all devices of one make: `UVC Camera VendorID_1133 ProductID_2085`.
  public var modelID: String
  /// The device's name for people.
  public var name: String
  /// The manufacturer; empty where it is unknown.
  public var manufacturer: String
  /// The kind of camera or microphone.
  public var kind: DeviceKind
  /// The side of the machine that it is on.
  public var position: DevicePosition
  /// The media that it sends; `depth` exactly where some of ``formats`` have ``StreamFormat/depthFormats``.
  public var media: Set<MediaKind>
  /// Largest last; empty for a microphone.
  public var formats: [StreamFormat]
  /// Codes of formats that the device has besides and that are not offered, because nothing here reads them: `VP80`.
  public var unreadableFormats: [String] = []
  /// The formats of a microphone, the default first; empty for a camera.
  public var audioFormats: [AudioStreamFormat]
  /// The facts of its lens; `nil` where nothing is known.
  public var lens: LensFacts?
  /// The controls that can be changed, and their ranges.
  public var capabilities: CameraCapabilities
  /// The unique identifiers of the cameras under a virtual one, widest first.
  public var constituents: [String]
  /// Whether they all see from one place in one direction.
  public var sharesViewpoint = false
  /// The degrees clockwise that the sensor's picture must turn to stand upright when the machine stands upright:
  /// 90 in phones, 0 on desktops.
  public var sensorRotation: Int
  /// The ``sensorRotation`` of machines of this kind whose sensor lies as most do; the same where this one does.
  public var usualSensorRotation: Int
  /// The relation of its white balance gains to the colour of light; `nil` where it is unknown.
  public var sensorColors: SensorColors?

  /// The facts of one device; a microphone has ``AudioStreamFormat/usual`` until it is said otherwise.
  public init(
    uniqueID: String, modelID: String, name: String, manufacturer: String, kind: DeviceKind,
    position: DevicePosition, media: Set<MediaKind>, formats: [StreamFormat], lens: LensFacts? = nil,
    capabilities: CameraCapabilities = CameraCapabilities(), constituents: [String] = [],
    sensorRotation: Int = 0, usualSensorRotation: Int? = nil
  ) {
    self.uniqueID = uniqueID
    self.modelID = modelID
    self.name = name
    self.manufacturer = manufacturer
    self.kind = kind
    self.position = position
    self.media = media
    self.formats = formats
    audioFormats = media == [.audio] ? AudioStreamFormat.usual : []
    self.lens = lens
    self.capabilities = capabilities
    self.constituents = constituents
    self.sensorRotation = sensorRotation
    self.usualSensorRotation = usualSensorRotation ?? sensorRotation
  }
}

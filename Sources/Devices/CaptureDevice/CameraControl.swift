/// One change of a camera's controls, as ``CaptureDeviceDriver/apply(_:)`` takes it.
public enum CameraControl: Sendable, Hashable {
  /// The focus mode; `locked` leaves the lens where it is, `auto` adjusts once.
  case focusMode(FocusMode)
  /// The point that shall be sharp. Takes effect with the next ``focusMode(_:)``.
  case focusPoint(FramePoint)
  /// Puts the lens there and leaves it: 0 is the nearest, 1 the farthest. The mode becomes `locked`.
  case lensPosition(Float)
  /// The distances that auto focus searches.
  case focusRange(FocusRange)
  /// Whether continuous auto focus moves slowly, as videos want it.
  case smoothFocus(Bool)
  /// Whether auto focus prefers faces to its point. Takes effect with the next ``focusMode(_:)``.
  case faceFocus(Bool)

  /// The exposure mode; `custom` keeps duration and ISO as they are.
  case exposureMode(ExposureMode)
  /// The point that shall be well exposed. Takes effect with the next ``exposureMode(_:)``.
  case exposurePoint(FramePoint)
  /// Whether auto exposure prefers faces to its point. Takes effect with the next ``exposureMode(_:)``.
  case faceExposure(Bool)
  /// A duration in nanoseconds and an ISO within the format's ranges; `nil` is what it is now. The mode becomes `custom`.
  case customExposure(durationNanoseconds: Int64?, iso: Float?)
  /// Stops by which auto exposure makes it brighter than it would.
  case exposureBias(Float)
  /// The longest exposure that auto exposure chooses, in nanoseconds; `nil` is the format's.
  case longestExposure(Int64?)

  /// The white balance mode; `locked` stays as it is, `auto` adjusts once.
  case whiteBalanceMode(WhiteBalanceMode)
  /// Fixed gains, each within ``CameraCapabilities/whiteBalanceGains``. The mode becomes `locked`.
  case whiteBalanceGains(WhiteBalanceGains)

  /// Zooms at once; ends a ramp.
  case zoom(Double)
  /// Zooms evenly to a factor, by `rate` powers of two a second.
  case zoomRamp(to: Double, rate: Float)
  /// Ends a ramp gently where it is.
  case endZoomRamp

  /// The lamp, and how bright: above 0, at most ``CameraCapabilities/torchLevel``; the level matters only for `on`.
  case torch(TorchMode, level: Float)

  /// Whether frames have a wider dynamic range.
  case videoHDR(Bool)
  /// Whether the device may brighten pictures in the dark beyond what its ISO gives.
  case lowLightBoost(Bool)
  /// Whether one tone curve serves the whole picture, not one for each place.
  case globalToneMapping(Bool)
  /// Whether the lens's bending of straight lines is taken back.
  case distortionCorrection(Bool)
  /// Whether ``ControlState/sceneChanges`` is counted.
  case sceneMonitoring(Bool)
  /// The rule by which a virtual device chooses its camera.
  case constituentChoice(ConstituentChoice)
  /// The cameras that a virtual one may fall back to for light and focus, by identifier; `nil` is all but the longest.
  case fallbackConstituents([String]?)

  /// The control in a sentence: `exposure`, `zoom`.
  public var name: String {
    switch self {
    case .focusMode, .focusPoint, .lensPosition, .focusRange, .smoothFocus, .faceFocus: "focus"
    case .exposureMode, .exposurePoint, .faceExposure, .customExposure, .exposureBias, .longestExposure:
      "exposure"
    case .whiteBalanceMode, .whiteBalanceGains: "white balance"
    case .zoom, .zoomRamp, .endZoomRamp: "zoom"
    case .torch: "torch"
    case .videoHDR: "dynamic range"
    case .lowLightBoost: "low-light boost"
    case .globalToneMapping: "tone mapping"
    case .distortionCorrection: "distortion correction"
    case .sceneMonitoring: "scene monitoring"
    case .constituentChoice, .fallbackConstituents: "choice of lens"
    }
  }
}

/// A place in the sensor's picture, in fractions: 0,0 is its top left, 1,1 its bottom right, as the sensor lies.
public struct FramePoint: Sendable, Hashable, Codable {
  /// To the right.
  public var x: Float
  /// Downwards.
  public var y: Float

  /// A place; the middle unless said otherwise.
  public init(x: Float = 0.5, y: Float = 0.5) {
    self.x = x
    self.y = y
  }
}

/// A focus mode.
public enum FocusMode: Sendable, Hashable, Codable, CaseIterable {
  /// Stays where it is.
  case locked
  /// Looks once, then stays.
  case auto
  /// Looks whenever the scene changes.
  case continuousAuto
}

/// The range of distances that auto focus searches.
public enum FocusRange: Sendable, Hashable, Codable, CaseIterable {
  /// All distances.
  case everywhere
  /// Up to some half a metre.
  case near
  /// Beyond some half a metre.
  case far
}

/// The method of auto focus.
public enum FocusSystem: Sendable, Hashable {
  /// There is none.
  case none
  /// By trying where the contrast is greatest.
  case contrastDetection
  /// By comparing halves of the lens.
  case phaseDetection
}

/// An exposure mode.
public enum ExposureMode: Sendable, Hashable, Codable, CaseIterable {
  /// Stays as it is.
  case locked
  /// Adjusts once, then locks.
  case auto
  /// Adjusts whenever the light changes.
  case continuousAuto
  /// Duration and ISO are the client's.
  case custom
}

/// A white balance mode.
public enum WhiteBalanceMode: Sendable, Hashable, Codable, CaseIterable {
  /// Stays as it is.
  case locked
  /// Adjusts once, then locks.
  case auto
  /// Adjusts whenever the light changes.
  case continuousAuto
}

/// The gains of the sensor's three colours.
public struct WhiteBalanceGains: Sendable, Hashable, Codable {
  /// Red.
  public var red: Float
  /// Green.
  public var green: Float
  /// Blue.
  public var blue: Float

  /// Gains; 1 leaves a colour alone.
  public init(red: Float = 1, green: Float = 1, blue: Float = 1) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// A mode of the torch.
public enum TorchMode: Sendable, Hashable, Codable, CaseIterable {
  /// Dark.
  case off
  /// Lit.
  case on
  /// Lit while ``ControlState/isDark``.
  case auto
}

/// A mode of video stabilization.
public enum StabilizationMode: Sendable, Hashable, CaseIterable {
  /// Not at all.
  case off
  /// Against a hand's tremor.
  case standard
  /// Like a camera on rails: more is cut off at the edges, and frames come later.
  case cinematic
  /// Like `cinematic`, more so.
  case cinematicExtended
  /// For a preview that is never recorded.
  case previewOptimized
  /// Like `cinematicExtended`, more so.
  case cinematicExtendedEnhanced
  /// As much as can be without frames coming later.
  case lowLatency
}

/// The rule by which a virtual camera goes from one of its cameras to another.
public enum ConstituentChoice: Sendable, Hashable, Codable {
  /// Whenever zoom, light, or focus make another one better.
  case automatic
  /// When zoom asks for it; for the sake of light and focus only when one of the conditions occurs.
  ///
  /// The camera that was chosen then stays until the next occurrence, or until zoom asks for another.
  case restricted(ConstituentConditions)
  /// Stays with the present one; zoom beyond it is cropped.
  case locked
}

/// Conditions on which a restricted virtual camera chooses anew the camera that suits light and focus.
public struct ConstituentConditions: OptionSet, Sendable, Hashable, Codable {
  /// One bit for each.
  public let rawValue: UInt8

  /// Those whose bits are set.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The zoom factor changes.
  public static let zoomChanged = Self(rawValue: 1 << 0)
  /// A focus mode or lens position is set, also the same one again.
  public static let focusModeChanged = Self(rawValue: 1 << 1)
  /// An exposure mode or custom exposure is set, also the same one again.
  public static let exposureModeChanged = Self(rawValue: 1 << 2)
}

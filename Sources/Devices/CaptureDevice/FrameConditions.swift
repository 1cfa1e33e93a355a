/// The exposure of one frame.
public struct FrameExposure: Sendable, Hashable, Codable {
  /// Nanoseconds; `nil` where the device does not report it.
  public var durationNanoseconds: Int64?
  /// `nil` where the device does not report it.
  public var iso: Float?
  /// Whether auto exposure was still moving.
  public var isAdjusting: Bool

  /// An exposure of which nothing is known unless it is given.
  public init(durationNanoseconds: Int64? = nil, iso: Float? = nil, isAdjusting: Bool = false) {
    self.durationNanoseconds = durationNanoseconds
    self.iso = iso
    self.isAdjusting = isAdjusting
  }
}

/// The state of a camera's controls, for one frame or now; a control that the device lacks keeps its default.
public struct ControlState: Sendable, Hashable, Codable {
  /// The number of the last ``CaptureDeviceDriver/apply(_:)`` that shows; 0 before the first.
  public var change: UInt64 = 0

  /// The focus mode.
  public var focusMode = FocusMode.locked
  /// The point that shall be sharp.
  public var focusPoint = FramePoint()
  /// The lens position: 0 is the nearest focus, 1 the farthest.
  public var lensPosition: Float = 1
  /// Whether auto focus is adjusting.
  public var isAdjustingFocus = false
  /// The range of distances that auto focus searches.
  public var focusRange = FocusRange.everywhere
  /// Whether continuous auto focus moves slowly.
  public var isSmoothFocus = false
  /// Whether auto focus prefers faces to its point.
  public var isFaceFocus = false

  /// The exposure mode.
  public var exposureMode = ExposureMode.continuousAuto
  /// The exposure that results.
  public var exposure = FrameExposure()
  /// The point that shall be well exposed.
  public var exposurePoint = FramePoint()
  /// Whether auto exposure prefers faces to its point.
  public var isFaceExposure = false
  /// Stops by which it shall be brighter than auto exposure would make it.
  public var exposureBias: Float = 0
  /// Stops by which the frame is brighter than it should be, bias included; 0 where the device does not report it.
  public var exposureOffset: Float = 0
  /// The longest exposure that auto exposure chooses, in nanoseconds; `nil` is the format's.
  public var longestExposure: Int64?

  /// The white balance mode.
  public var whiteBalanceMode = WhiteBalanceMode.continuousAuto
  /// The gains that result.
  public var whiteBalanceGains = WhiteBalanceGains()
  /// Gains with which the whole picture would average to grey; `nil` where the device does not report it.
  public var greyWorldGains: WhiteBalanceGains?
  /// Whether white balance is still moving.
  public var isAdjustingWhiteBalance = false

  /// The zoom factor of the frame.
  public var zoom = 1.0
  /// Whether it moves to another one.
  public var isRampingZoom = false
  /// The identifier of the camera under a virtual one that took the frame; `nil` for others.
  public var constituent: String?
  /// The rule by which a virtual camera goes to another of its cameras.
  public var constituentChoice = ConstituentChoice.automatic
  /// The cameras that it may fall back to for light and focus; `nil` is all its cameras but the longest.
  public var fallbackConstituents: [String]?

  /// The torch mode that was set.
  public var torchMode = TorchMode.off
  /// The torch's level; 0 is dark.
  public var torchLevel: Float = 0
  /// Whether the flash fired for the frame.
  public var isFlashed = false
  /// Whether it is so dark that an automatic flash would fire.
  public var isDark = false
  /// Whether the frame was exposed for a picture of its own, unlike those before and after it.
  public var isExposedApart = false

  /// Whether the frame has a wider dynamic range.
  public var isHDR = false
  /// Whether the device may brighten pictures in the dark.
  public var allowsLowLightBoost = false
  /// Whether it does.
  public var isLowLightBoosted = false
  /// Whether one tone curve serves the whole picture.
  public var isGloballyToneMapped = false
  /// Whether the lens's bending of straight lines is taken back.
  public var isDistortionCorrected = false
  /// Whether changes of the scene are counted.
  public var isMonitoringScene = false
  /// The number of great changes of the scene since monitoring began.
  public var sceneChanges: UInt32 = 0

  /// A camera whose controls were never changed.
  public init() {}
}

/// The state of the controls while frames were exposed: one immutable object for all frames between two changes.
///
/// An object, so that a frame carries it for the price of a reference, and "nothing changed" is one comparison.
public final class FrameConditions: Sendable {
  /// The state of the controls.
  public let state: ControlState

  /// The conditions of frames whose device reports nothing.
  public static let unknown = FrameConditions(ControlState())

  /// Conditions that hold until something changes.
  public init(_ state: ControlState) {
    self.state = state
  }

  /// Conditions of which only the exposure is known.
  public convenience init(exposure: FrameExposure) {
    var state = ControlState()
    state.exposure = exposure
    self.init(state)
  }
}

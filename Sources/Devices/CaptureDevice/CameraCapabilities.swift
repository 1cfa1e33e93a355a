/// The controls of a camera that can be changed, and their ranges; empty for a device that is no camera.
public struct CameraCapabilities: Sendable, Hashable {
  /// The focus modes; empty for a fixed lens.
  public var focusModes: Set<FocusMode> = []
  /// The method of auto focus.
  public var focusSystem = FocusSystem.none
  /// Whether ``CameraControl/focusPoint(_:)`` is heeded.
  public var hasFocusPoint = false
  /// Whether ``CameraControl/lensPosition(_:)`` is heeded.
  public var hasLensPosition = false
  /// Whether auto focus can search near or far only.
  public var hasFocusRange = false
  /// Whether continuous auto focus can move slowly.
  public var hasSmoothFocus = false
  /// Whether auto focus can prefer faces.
  public var hasFaceFocus = false

  /// The exposure modes; `custom` needs the format's ranges.
  public var exposureModes: Set<ExposureMode> = []
  /// Whether ``CameraControl/exposurePoint(_:)`` is heeded.
  public var hasExposurePoint = false
  /// Whether auto exposure can prefer faces.
  public var hasFaceExposure = false
  /// Stops for ``CameraControl/exposureBias(_:)``; `nil` where it is not heeded.
  public var exposureBias: ClosedRange<Float>?
  /// Whether one still can be exposed apart from the stream's frames, see ``StillRequest/exposure``.
  public var exposesStillsApart = false
  /// Of how many past frames of its stream it can still give a picture in any size, see ``StillRequest/frame``; 0 where it
  /// keeps none.
  public var recalledFrames = 0
  /// Whether each of the cameras under a virtual one can take a picture at the same time, see ``StillRequest/constituent``.
  public var takesConstituentStills = false

  /// The parts of people that its pictures come with mattes of, see ``CapturedFrame/people``.
  public var personParts: Set<PersonPart> = []

  /// The white balance modes.
  public var whiteBalanceModes: Set<WhiteBalanceMode> = []
  /// The gains that can be set, from 1 on; `nil` where they cannot.
  public var whiteBalanceGains: ClosedRange<Float>?

  /// The least zoom; the greatest is ``StreamFormat/maxZoom``.
  public var minZoom = 1.0
  /// Zoom factors at which a virtual device goes to the next of its cameras, ascending.
  public var switchOverZooms: [Double] = []
  /// The multiplier of zoom factors that are shown to people: 0.5 where 2 is the main camera's own view.
  public var displayZoomMultiplier = 1.0

  /// The greatest level of the lamp, at most 1; `nil` where there is no lamp.
  public var torchLevel: Float?
  /// The modes of the torch.
  public var torchModes: Set<TorchMode> = []
  /// The modes of the flash; empty where there is none.
  public var flashModes: Set<FlashMode> = []
  /// The white balance gains that make the flash's own light neutral; `nil` where they are not known.
  public var flashGains: WhiteBalanceGains?

  /// Whether ``CameraControl/lowLightBoost(_:)`` is heeded.
  public var hasLowLightBoost = false
  /// Whether ``CameraControl/globalToneMapping(_:)`` is heeded.
  public var hasGlobalToneMapping = false
  /// Whether ``CameraControl/distortionCorrection(_:)`` is heeded.
  public var hasDistortionCorrection = false
  /// Whether ``CameraControl/sceneMonitoring(_:)`` is heeded.
  public var monitorsScene = false

  /// A camera of which nothing can be changed unless it is said.
  public init(exposureModes: Set<ExposureMode> = []) {
    self.exposureModes = exposureModes
  }
}

internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import PhotoProcessing

/// The choices that a photo output offers with one camera, or with none.
struct PhotoOutputCapabilities: Sendable, Hashable {
  var codecs: [AVVideoCodecType] = []
  var pixelFormats: [OSType] = []
  var fileTypes: [AVFileType] = []
  var flashModes: [AVCaptureDevice.FlashMode] = [.off]
  var bracketCount = 0
  /// Whether each camera under it can take a photo of its own.
  var deliversConstituents = false
  /// Whether pictures of two cameras under it can become one photo.
  var fusesConstituents = false
  /// Whether photos can show a scene in the flash's light alone.
  var keepsColorsConstant = false
  /// Whether several frames can become one photo.
  var fusesFrames = false

  /// As many full-size frames as a bracket may hold at once: 90 MB at 12 megapixels.
  private static let bracketLimit = 5

  init(_ camera: DeviceFacts?) {
    guard let camera else { return }
    fusesFrames = true
    codecs = [.hevc, .jpeg]
    fileTypes = [.heic, .jpg]
    pixelFormats = PhotoEncoding.pixelFormats
    let modes = camera.capabilities.flashModes
    flashModes = FlashMode.allCases.filter { $0 == .off || modes.contains($0) }.map(
      AVCaptureDevice.FlashMode.init)
    let can = camera.capabilities
    keepsColorsConstant = can.flashGains != nil && modes.contains(.on) && can.canExposeStillsByHand
    let takesCustom = can.exposureModes.contains(.custom) && camera.constituents.isEmpty
    let canBracket = can.exposureBias != nil || takesCustom
    bracketCount = canBracket && can.exposesStillsApart ? Self.bracketLimit : 0
    deliversConstituents = can.takesConstituentStills && camera.constituents.count > 1
    // Each but the widest must be known to begin where another one ends.
    fusesConstituents = deliversConstituents && can.switchOverZooms.count == camera.constituents.count - 1
  }
}

extension CameraCapabilities {
  /// Whether a still can have a duration and an ISO of its own.
  var canExposeStillsByHand: Bool { exposesStillsApart && exposureModes.contains(.custom) }
}

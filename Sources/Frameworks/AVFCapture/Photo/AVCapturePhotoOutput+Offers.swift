internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// What a photo output can do with one camera, or with none.
struct PhotoOffers: Sendable, Hashable {
  var codecs: [AVVideoCodecType] = []
  var pixelFormats: [OSType] = []
  var flashModes: [AVCaptureDevice.FlashMode] = [.off]
  var bracketCount = 0

  /// As many full-size frames as a bracket may hold at once: 90 MB at 12 megapixels.
  private static let bracketLimit = 5

  init(_ camera: DeviceFacts?) {
    guard let camera else { return }
    codecs = [.hevc, .jpeg]
    pixelFormats = PhotoEncoding.pixelFormats
    let modes = camera.capabilities.flashModes
    flashModes = FlashMode.allCases.filter { $0 == .off || modes.contains($0) }.map(
      AVCaptureDevice.FlashMode.init)
    let can = camera.capabilities
    let canBracket = can.exposureBias != nil || can.exposureModes.contains(.custom)
    bracketCount = canBracket && can.exposesStillsApart ? Self.bracketLimit : 0
  }
}

extension CameraCapabilities {
  /// Whether a still can have a duration and an ISO of its own.
  var canExposeStillsByHand: Bool { exposesStillsApart && exposureModes.contains(.custom) }
}

extension AVCapturePhotoOutput {
  /// Tells observers what the camera that is connected now changes.
  func tellOffers() {
    let new = PhotoOffers(camera)
    let old = offers.withLock { offers in
      defer { offers = new }
      return offers
    }
    guard old != new, observerTable.count > 0 else { return }
    callbackQueue.async { [weak self] in
      guard let self else { return }
      if old.codecs != new.codecs {
        observerTable.changed(
          \AVCapturePhotoOutput.availablePhotoCodecTypes, of: self, from: old.codecs, to: new.codecs)
      }
      if old.pixelFormats != new.pixelFormats {
        observerTable.changed(
          \AVCapturePhotoOutput.availablePhotoPixelFormatTypes, of: self, from: old.pixelFormats,
          to: new.pixelFormats)
      }
      if old.flashModes != new.flashModes {
        observerTable.changed(
          \AVCapturePhotoOutput.supportedFlashModes, of: self, from: old.flashModes, to: new.flashModes)
      }
      if old.bracketCount != new.bracketCount {
        observerTable.changed(
          \AVCapturePhotoOutput.maxBracketedCapturePhotoCount, of: self, from: old.bracketCount,
          to: new.bracketCount)
      }
    }
  }
}

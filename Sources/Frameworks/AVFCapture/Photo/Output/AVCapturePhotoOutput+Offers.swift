internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Notifies observers of what the connected camera changes.
  func tellOffers() {
    let new = PhotoOutputCapabilities(camera)
    let old = offers.withLock { offers in
      defer { offers = new }
      return offers
    }
    if !new.deliversConstituents { deliversConstituents.withLock { $0 = false } }
    guard old != new, observerTable.count > 0 else { return }
    callbackQueue.carry { [weak self] in
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
      if old.fileTypes != new.fileTypes {
        observerTable.changed(
          \AVCapturePhotoOutput.availablePhotoFileTypes, of: self, from: old.fileTypes, to: new.fileTypes)
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
      if old.deliversConstituents != new.deliversConstituents {
        observerTable.changed(
          \AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliverySupported, of: self,
          from: old.deliversConstituents, to: new.deliversConstituents)
      }
      if old.keepsColorsConstant != new.keepsColorsConstant {
        observerTable.changed(
          \AVCapturePhotoOutput.isConstantColorSupported, of: self, from: old.keepsColorsConstant,
          to: new.keepsColorsConstant)
      }
      let isFusing = maxPhotoQualityPrioritization != .speed
      if old.fusesConstituents != new.fusesConstituents {
        observerTable.changed(
          \AVCapturePhotoOutput.isVirtualDeviceFusionSupported, of: self,
          from: old.fusesConstituents && isFusing, to: new.fusesConstituents && isFusing)
      }
      observerTable.changed(
        \AVCapturePhotoOutput.isStillImageStabilizationSupported, of: self,
        from: old.fusesFrames && isFusing, to: new.fusesFrames && isFusing)
    }
  }
}

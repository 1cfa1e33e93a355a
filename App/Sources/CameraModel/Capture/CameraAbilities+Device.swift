import AVFoundation

extension CameraAbilities {
  /// The abilities of a camera.
  ///
  /// - Parameter photoOutput: The output of its photos; `nil` where none are taken now.
  init(_ device: AVCaptureDevice, photoOutput: AVCapturePhotoOutput?) {
    self.init()
    let scale = device.zoomScale
    let least = Double(device.minAvailableVideoZoomFactor) * scale
    // Beyond ten times there is little to see.
    let most = max(least, min(Double(device.maxAvailableVideoZoomFactor) * scale, 10))
    zoom = least...most
    let switches = device.virtualDeviceSwitchOverVideoZoomFactors.map { $0.doubleValue * scale }
    var presets = [least] + switches
    for usual in [1.0, 2.0] where !presets.contains(where: { abs($0 - usual) < 0.05 }) {
      presets.append(usual)
    }
    zoomPresets = presets.filter { zoom.contains($0) }.sorted()
    canFocusAtPoint = device.isFocusPointOfInterestSupported
    canExposeAtPoint = device.isExposurePointOfInterestSupported
    if device.maxExposureTargetBias > device.minExposureTargetBias {
      bias =
        max(-2, Double(device.minExposureTargetBias))...min(2, Double(device.maxExposureTargetBias))
    }
    hasTorch = device.hasTorch
    guard let photoOutput else { return }
    let modes = photoOutput.supportedFlashModes
    flashModes = modes.contains(.on) ? FlashChoice.allCases.filter { modes.contains($0.mode) } : []
    supportsZeroShutterLag = photoOutput.isZeroShutterLagSupported
    supportsResponsiveCapture = photoOutput.isResponsiveCaptureSupported
    supportsFastCapture = photoOutput.isFastCapturePrioritizationSupported
    supportsDeferredProcessing = photoOutput.isAutoDeferredPhotoDeliverySupported
    supportsLivePhotos = photoOutput.isLivePhotoCaptureSupported
    supportsDepthInPhotos = photoOutput.isDepthDataDeliverySupported
    rawFormat = photoOutput.availableRawPhotoPixelFormatTypes.first
    offersRaw = rawFormat != nil || device.mainLens !== device
    let codecs = photoOutput.availablePhotoCodecTypes
    let givesPixels = photoOutput.availablePhotoPixelFormatTypes.contains(kCVPixelFormatType_32BGRA)
    self.givesPixels = givesPixels
    photoFormats = PhotoFormat.allCases.filter { format in
      format.codec.map { codecs.contains($0) } ?? givesPixels
    }
  }
}

extension AVCaptureDevice {
  /// From the device's factors of zoom to those that are shown.
  var zoomScale: Double { Double(displayVideoZoomFactorMultiplier) }
}

extension FlashChoice {
  /// Apple's word.
  var mode: AVCaptureDevice.FlashMode {
    switch self {
    case .off: .off
    case .auto: .auto
    case .on: .on
    }
  }
}

extension PhotoFormat {
  /// Apple's word; `nil` for what is made here of pixels.
  var codec: AVVideoCodecType? {
    switch self {
    case .jpeg: .jpeg
    case .heic: .hevc
    case .png: nil
    }
  }
}

extension PhotoQuality {
  /// Apple's word.
  var prioritization: AVCapturePhotoOutput.QualityPrioritization {
    switch self {
    case .speed: .speed
    case .balanced: .balanced
    case .quality: .quality
    }
  }
}

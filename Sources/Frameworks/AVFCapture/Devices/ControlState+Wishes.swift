internal import CaptureDevice

extension ControlState {
  /// What the state will be once `control` shows, as far as that is the client's to say.
  ///
  /// Getters answer with it from the moment of the setter on. What a camera measures (where the lens is, how long it exposes,
  /// which gains it has) is not foretold.
  mutating func expect(_ control: CameraControl) {
    switch control {
    case .focusMode(let mode): focusMode = mode
    case .focusPoint(let point): focusPoint = point
    case .lensPosition: focusMode = .locked
    case .focusRange(let range): focusRange = range
    case .smoothFocus(let isOn): isSmoothFocus = isOn
    case .faceFocus(let isOn): isFaceFocus = isOn
    case .faceExposure(let isOn): isFaceExposure = isOn
    case .exposureMode(let mode): exposureMode = mode
    case .exposurePoint(let point): exposurePoint = point
    case .customExposure: exposureMode = .custom
    case .exposureBias(let bias): exposureBias = bias
    case .longestExposure(let nanoseconds): longestExposure = nanoseconds
    case .whiteBalanceMode(let mode): whiteBalanceMode = mode
    case .whiteBalanceGains: whiteBalanceMode = .locked
    case .zoom(let factor):
      zoom = factor
      isRampingZoom = false
    case .zoomRamp(let factor, let rate): isRampingZoom = rate != 0 && factor != zoom
    // It ends gently: the frames show when.
    case .endZoomRamp: break
    case .torch(let mode, let level):
      torchMode = mode
      switch mode {
      case .off: torchLevel = 0
      case .on: torchLevel = level
      case .auto: break
      }
    case .videoHDR(let isOn): isHDR = isOn
    case .lowLightBoost(let isOn):
      allowsLowLightBoost = isOn
      if !isOn { isLowLightBoosted = false }
    case .globalToneMapping(let isOn): isGloballyToneMapped = isOn
    case .distortionCorrection(let isOn): isDistortionCorrected = isOn
    case .sceneMonitoring(let isOn): isMonitoringScene = isOn
    case .constituentChoice(let choice): constituentChoice = choice
    case .fallbackConstituents(let ids): fallbackConstituents = ids
    }
  }

  /// What is on its way with frames is not while none come.
  mutating func rest() {
    isAdjustingFocus = false
    exposure.isAdjusting = false
    isAdjustingWhiteBalance = false
    isRampingZoom = false
  }
}

internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

extension AVCaptureDevice {
  /// Tells the observers of every property that differs between two states.
  func tell(_ old: ControlState, _ new: ControlState, isFirstFrame: Bool = false) {
    guard observerTable.count > 0, old != new || isFirstFrame else { return }
    tellFocus(old, new)
    tellExposure(old, new)
    tellWhiteBalance(old, new)
    tellZoom(old, new)
    tellConstituents(old, new, isFirstFrame)
    tellLamps(old, new)
    tellPictures(old, new)
  }

  private func told<Value: Equatable>(
    _ keyPath: KeyPath<AVCaptureDevice, Value>, _ old: Value, _ new: Value
  ) {
    if old != new { observerTable.changed(keyPath, of: self, from: old, to: new) }
  }

  private func tellFocus(_ old: ControlState, _ new: ControlState) {
    told(\.focusMode, FocusMode(old.focusMode), FocusMode(new.focusMode))
    told(\.focusPointOfInterest, CGPoint(old.focusPoint), CGPoint(new.focusPoint))
    told(\.isAdjustingFocus, old.isAdjustingFocus, new.isAdjustingFocus)
    told(\.lensPosition, old.lensPosition, new.lensPosition)
    told(
      \.autoFocusRangeRestriction, AutoFocusRangeRestriction(old.focusRange),
      AutoFocusRangeRestriction(new.focusRange))
    told(\.isSmoothAutoFocusEnabled, old.isSmoothFocus, new.isSmoothFocus)
  }

  private func tellExposure(_ old: ControlState, _ new: ControlState) {
    told(\.exposureMode, ExposureMode(old.exposureMode), ExposureMode(new.exposureMode))
    told(\.exposurePointOfInterest, CGPoint(old.exposurePoint), CGPoint(new.exposurePoint))
    told(\.isAdjustingExposure, old.exposure.isAdjusting, new.exposure.isAdjusting)
    told(
      \.exposureDuration, CMTime(nanoseconds: old.exposure.durationNanoseconds),
      CMTime(nanoseconds: new.exposure.durationNanoseconds))
    told(\.iso, old.exposure.iso ?? 0, new.exposure.iso ?? 0)
    told(\.exposureTargetBias, old.exposureBias, new.exposureBias)
    told(\.exposureTargetOffset, old.exposureOffset, new.exposureOffset)
    told(\.activeMaxExposureDuration, longestExposure(old), longestExposure(new))
  }

  private func tellWhiteBalance(_ old: ControlState, _ new: ControlState) {
    told(\.whiteBalanceMode, WhiteBalanceMode(old.whiteBalanceMode), WhiteBalanceMode(new.whiteBalanceMode))
    told(\.isAdjustingWhiteBalance, old.isAdjustingWhiteBalance, new.isAdjustingWhiteBalance)
    if old.whiteBalanceGains != new.whiteBalanceGains {
      observerTable.changed(
        \AVCaptureDevice.deviceWhiteBalanceGains, of: self, from: WhiteBalanceGains(old.whiteBalanceGains),
        to: WhiteBalanceGains(new.whiteBalanceGains))
    }
    if old.greyWorldGains != new.greyWorldGains {
      observerTable.changed(
        \AVCaptureDevice.grayWorldDeviceWhiteBalanceGains, of: self,
        from: WhiteBalanceGains(old.greyWorldGains ?? old.whiteBalanceGains),
        to: WhiteBalanceGains(new.greyWorldGains ?? new.whiteBalanceGains))
    }
  }

  private func tellZoom(_ old: ControlState, _ new: ControlState) {
    told(\.videoZoomFactor, CGFloat(old.zoom), CGFloat(new.zoom))
    told(\.isRampingVideoZoom, old.isRampingZoom, new.isRampingZoom)
    told(\.minAvailableVideoZoomFactor, leastZoom(old), leastZoom(new))
  }

  private func tellConstituents(_ old: ControlState, _ new: ControlState, _ isFirstFrame: Bool) {
    guard isVirtualDevice else { return }
    if hasFrames, isFirstFrame || old.constituent != new.constituent {
      observerTable.changed(
        \AVCaptureDevice.activePrimaryConstituent, of: self, from: isFirstFrame ? nil : constituent(old),
        to: constituent(new))
    }
    told(\.primaryConstituentDeviceSwitchingBehavior, switching(old).behavior, switching(new).behavior)
    told(\.activePrimaryConstituentDeviceSwitchingBehavior, switching(old).behavior, switching(new).behavior)
    told(
      \.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions, switching(old).conditions,
      switching(new).conditions)
    told(
      \.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions, switching(old).conditions,
      switching(new).conditions)
    told(\.fallbackPrimaryConstituentDevices, fallbacks(old), fallbacks(new))
  }

  private func tellLamps(_ old: ControlState, _ new: ControlState) {
    told(\.torchMode, TorchMode(old.torchMode), TorchMode(new.torchMode))
    told(\.torchLevel, old.torchLevel, new.torchLevel)
    told(\.isTorchActive, old.torchLevel > 0, new.torchLevel > 0)
    let mode = state.withLock { $0.flashMode }
    told(\.isFlashActive, isFlashActive(mode, old), isFlashActive(mode, new))
  }

  private func tellPictures(_ old: ControlState, _ new: ControlState) {
    told(\.isVideoHDREnabled, old.isHDR, new.isHDR)
    told(\.isLowLightBoostEnabled, old.isLowLightBoosted, new.isLowLightBoosted)
    told(
      \.automaticallyEnablesLowLightBoostWhenAvailable, old.allowsLowLightBoost, new.allowsLowLightBoost)
    told(\.isGlobalToneMappingEnabled, old.isGloballyToneMapped, new.isGloballyToneMapped)
    told(\.isGeometricDistortionCorrectionEnabled, old.isDistortionCorrected, new.isDistortionCorrected)
    told(\.isSubjectAreaChangeMonitoringEnabled, old.isMonitoringScene, new.isMonitoringScene)
  }
}

internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

extension AVCaptureDevice {
  /// Notifies the observers of every property that differs between two states.
  func notify(_ old: ControlState, _ new: ControlState, isFirstFrame: Bool = false) {
    guard observerTable.count > 0, old != new || isFirstFrame else { return }
    notifyFocus(old, new)
    notifyExposure(old, new)
    notifyWhiteBalance(old, new)
    notifyZoom(old, new)
    notifyConstituents(old, new, isFirstFrame)
    notifyLamps(old, new)
    notifyPictures(old, new)
  }

  private func report<Value: Equatable>(
    _ keyPath: KeyPath<AVCaptureDevice, Value>, _ old: Value, _ new: Value
  ) {
    if old != new { observerTable.changed(keyPath, of: self, from: old, to: new) }
  }

  private func notifyFocus(_ old: ControlState, _ new: ControlState) {
    report(\.focusMode, FocusMode(old.focusMode), FocusMode(new.focusMode))
    report(\.focusPointOfInterest, CGPoint(old.focusPoint), CGPoint(new.focusPoint))
    report(\.isAdjustingFocus, old.isAdjustingFocus, new.isAdjustingFocus)
    report(\.lensPosition, old.lensPosition, new.lensPosition)
    report(
      \.autoFocusRangeRestriction, AutoFocusRangeRestriction(old.focusRange),
      AutoFocusRangeRestriction(new.focusRange))
    report(\.isSmoothAutoFocusEnabled, old.isSmoothFocus, new.isSmoothFocus)
    report(\.isFaceDrivenAutoFocusEnabled, old.isFaceFocus, new.isFaceFocus)
  }

  private func notifyExposure(_ old: ControlState, _ new: ControlState) {
    report(\.exposureMode, ExposureMode(old.exposureMode), ExposureMode(new.exposureMode))
    report(\.exposurePointOfInterest, CGPoint(old.exposurePoint), CGPoint(new.exposurePoint))
    report(\.isFaceDrivenAutoExposureEnabled, old.isFaceExposure, new.isFaceExposure)
    report(\.isAdjustingExposure, old.exposure.isAdjusting, new.exposure.isAdjusting)
    report(
      \.exposureDuration, CMTime(nanoseconds: old.exposure.durationNanoseconds),
      CMTime(nanoseconds: new.exposure.durationNanoseconds))
    report(\.iso, old.exposure.iso ?? 0, new.exposure.iso ?? 0)
    report(\.exposureTargetBias, old.exposureBias, new.exposureBias)
    report(\.exposureTargetOffset, old.exposureOffset, new.exposureOffset)
    report(\.activeMaxExposureDuration, longestExposure(old), longestExposure(new))
  }

  private func notifyWhiteBalance(_ old: ControlState, _ new: ControlState) {
    report(\.whiteBalanceMode, WhiteBalanceMode(old.whiteBalanceMode), WhiteBalanceMode(new.whiteBalanceMode))
    report(\.isAdjustingWhiteBalance, old.isAdjustingWhiteBalance, new.isAdjustingWhiteBalance)
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

  private func notifyZoom(_ old: ControlState, _ new: ControlState) {
    report(\.videoZoomFactor, CGFloat(old.zoom), CGFloat(new.zoom))
    report(\.isRampingVideoZoom, old.isRampingZoom, new.isRampingZoom)
    report(\.minAvailableVideoZoomFactor, leastZoom(old), leastZoom(new))
  }

  private func notifyConstituents(_ old: ControlState, _ new: ControlState, _ isFirstFrame: Bool) {
    guard isVirtualDevice else { return }
    if hasFrames, isFirstFrame || old.constituent != new.constituent {
      observerTable.changed(
        \AVCaptureDevice.activePrimaryConstituent, of: self, from: isFirstFrame ? nil : constituent(old),
        to: constituent(new))
    }
    report(\.primaryConstituentDeviceSwitchingBehavior, switching(old).behavior, switching(new).behavior)
    report(
      \.activePrimaryConstituentDeviceSwitchingBehavior, switching(old).behavior, switching(new).behavior)
    report(
      \.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions, switching(old).conditions,
      switching(new).conditions)
    report(
      \.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions, switching(old).conditions,
      switching(new).conditions)
    report(\.fallbackPrimaryConstituentDevices, fallbacks(old), fallbacks(new))
  }

  private func notifyLamps(_ old: ControlState, _ new: ControlState) {
    report(\.torchMode, TorchMode(old.torchMode), TorchMode(new.torchMode))
    report(\.torchLevel, old.torchLevel, new.torchLevel)
    report(\.isTorchActive, old.torchLevel > 0, new.torchLevel > 0)
    let mode = state.withLock { $0.flashMode }
    report(\.isFlashActive, isFlashActive(mode, old), isFlashActive(mode, new))
  }

  private func notifyPictures(_ old: ControlState, _ new: ControlState) {
    report(\.isVideoHDREnabled, old.isHDR, new.isHDR)
    report(\.isLowLightBoostEnabled, old.isLowLightBoosted, new.isLowLightBoosted)
    report(
      \.automaticallyEnablesLowLightBoostWhenAvailable, old.allowsLowLightBoost, new.allowsLowLightBoost)
    report(\.isGlobalToneMappingEnabled, old.isGloballyToneMapped, new.isGloballyToneMapped)
    report(\.isGeometricDistortionCorrectionEnabled, old.isDistortionCorrected, new.isDistortionCorrected)
    report(\.isSubjectAreaChangeMonitoringEnabled, old.isMonitoringScene, new.isMonitoringScene)
  }
}

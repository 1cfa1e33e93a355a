internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

extension AVCaptureDevice {
  /// Notifies the observers of every property that the news change.
  func notify(_ news: ControlLedger.News) {
    guard observerTable.count > 0, news.old != news.new || news.isFirstFrame else { return }
    notifyFocus(news)
    notifyExposure(news)
    notifyWhiteBalance(news)
    notifyZoom(news)
    notifyConstituents(news)
    notifyLamps(news)
    notifyPictures(news)
  }

  private func report<Value: Equatable>(
    _ keyPath: KeyPath<AVCaptureDevice, Value>, _ news: ControlLedger.News, _ value: (ControlState) -> Value
  ) {
    let old = value(news.old), new = value(news.new)
    guard old != new else { return }
    observerTable.changed(keyPath, of: self, from: old, to: new, number: news.number)
  }

  private func notifyFocus(_ news: ControlLedger.News) {
    report(\.focusMode, news) { FocusMode($0.focusMode) }
    report(\.focusPointOfInterest, news) { CGPoint($0.focusPoint) }
    report(\.isAdjustingFocus, news, \.isAdjustingFocus)
    report(\.lensPosition, news, \.lensPosition)
    report(\.autoFocusRangeRestriction, news) { AutoFocusRangeRestriction($0.focusRange) }
    report(\.isSmoothAutoFocusEnabled, news, \.isSmoothFocus)
    report(\.isFaceDrivenAutoFocusEnabled, news, \.isFaceFocus)
  }

  private func notifyExposure(_ news: ControlLedger.News) {
    report(\.exposureMode, news) { ExposureMode($0.exposureMode) }
    report(\.exposurePointOfInterest, news) { CGPoint($0.exposurePoint) }
    report(\.isFaceDrivenAutoExposureEnabled, news, \.isFaceExposure)
    report(\.isAdjustingExposure, news, \.exposure.isAdjusting)
    report(\.exposureDuration, news) { CMTime(nanoseconds: $0.exposure.durationNanoseconds) }
    report(\.iso, news) { $0.exposure.iso ?? 0 }
    report(\.exposureTargetBias, news, \.exposureBias)
    report(\.exposureTargetOffset, news, \.exposureOffset)
    report(\.activeMaxExposureDuration, news, longestExposure)
  }

  private func notifyWhiteBalance(_ news: ControlLedger.News) {
    let (old, new) = (news.old, news.new)
    report(\.whiteBalanceMode, news) { WhiteBalanceMode($0.whiteBalanceMode) }
    report(\.isAdjustingWhiteBalance, news, \.isAdjustingWhiteBalance)
    if old.whiteBalanceGains != new.whiteBalanceGains {
      observerTable.changed(
        \AVCaptureDevice.deviceWhiteBalanceGains, of: self, from: WhiteBalanceGains(old.whiteBalanceGains),
        to: WhiteBalanceGains(new.whiteBalanceGains), number: news.number)
    }
    if old.greyWorldGains != new.greyWorldGains {
      observerTable.changed(
        \AVCaptureDevice.grayWorldDeviceWhiteBalanceGains, of: self,
        from: WhiteBalanceGains(old.greyWorldGains ?? old.whiteBalanceGains),
        to: WhiteBalanceGains(new.greyWorldGains ?? new.whiteBalanceGains), number: news.number)
    }
  }

  private func notifyZoom(_ news: ControlLedger.News) {
    report(\.videoZoomFactor, news) { CGFloat($0.zoom) }
    report(\.isRampingVideoZoom, news, \.isRampingZoom)
    report(\.minAvailableVideoZoomFactor, news, leastZoom)
  }

  private func notifyConstituents(_ news: ControlLedger.News) {
    guard isVirtualDevice else { return }
    if hasFrames, news.isFirstFrame || news.old.constituent != news.new.constituent {
      observerTable.changed(
        \AVCaptureDevice.activePrimaryConstituent, of: self,
        from: news.isFirstFrame ? nil : constituent(news.old), to: constituent(news.new), number: news.number)
    }
    report(\.primaryConstituentDeviceSwitchingBehavior, news) { ownSwitching($0).behavior }
    report(\.activePrimaryConstituentDeviceSwitchingBehavior, news) { switching($0).behavior }
    report(\.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions, news) {
      ownSwitching($0).conditions
    }
    report(\.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions, news) {
      switching($0).conditions
    }
    report(\.fallbackPrimaryConstituentDevices, news, fallbacks)
  }

  private func notifyLamps(_ news: ControlLedger.News) {
    report(\.torchMode, news) { TorchMode($0.torchMode) }
    report(\.torchLevel, news, \.torchLevel)
    report(\.isTorchActive, news) { $0.torchLevel > 0 }
    let mode = state.withLock { $0.flashMode }
    report(\.isFlashActive, news) { isFlashActive(mode, $0) }
  }

  private func notifyPictures(_ news: ControlLedger.News) {
    report(\.isVideoHDREnabled, news, \.isHDR)
    report(\.isLowLightBoostEnabled, news, \.isLowLightBoosted)
    report(\.automaticallyEnablesLowLightBoostWhenAvailable, news, \.allowsLowLightBoost)
    report(\.isGlobalToneMappingEnabled, news, \.isGloballyToneMapped)
    report(\.isGeometricDistortionCorrectionEnabled, news, \.isDistortionCorrected)
    report(\.isSubjectAreaChangeMonitoringEnabled, news, \.isMonitoringScene)
  }
}

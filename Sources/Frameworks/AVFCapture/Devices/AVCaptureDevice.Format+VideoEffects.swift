package import CaptureDevice
public import Foundation
package import PeopleFinding

extension AVCaptureDevice.Format {
  /// Whether the format supports Portrait.
  ///
  /// `true` when the segmentation models are installed (`scripts/setup --models`) and the format is not H.264, has at most 4096×3072
  /// pixels, and has a frame rate of 30 or less.
  ///
  /// - Note: Unlike AVFoundation, whose formats above 1920×1440 do not support it.
  ///
  /// Apple: `AVCaptureDevice.Format.isPortraitEffectSupported`.
  public var isPortraitEffectSupported: Bool { supports(.portrait) }

  /// The frame rates while Portrait is active: those of the format up to 30; `nil` where it is not supported.
  ///
  /// Apple: `AVCaptureDevice.Format.videoFrameRateRangeForPortraitEffect`.
  public var videoFrameRateRangeForPortraitEffect: AVFrameRateRange? { rates(with: .portrait) }

  /// Whether the format supports Studio Light; the same as ``isPortraitEffectSupported``.
  ///
  /// Apple: `AVCaptureDevice.Format.isStudioLightSupported`.
  public var isStudioLightSupported: Bool { supports(.studioLight) }

  /// The frame rates while Studio Light is active: those of the format up to 30; `nil` where it is not supported.
  ///
  /// Apple: `AVCaptureDevice.Format.videoFrameRateRangeForStudioLight`.
  public var videoFrameRateRangeForStudioLight: AVFrameRateRange? { rates(with: .studioLight) }

  /// Whether the format supports background replacement; the same as ``isPortraitEffectSupported``.
  ///
  /// Apple: `AVCaptureDevice.Format.isBackgroundReplacementSupported`.
  public var isBackgroundReplacementSupported: Bool { supports(.background) }

  /// The frame rates while the background is replaced: those of the format up to 30; `nil` where it is not supported.
  ///
  /// Apple: `AVCaptureDevice.Format.videoFrameRateRangeForBackgroundReplacement`.
  public var videoFrameRateRangeForBackgroundReplacement: AVFrameRateRange? { rates(with: .background) }

  /// Whether the format supports reactions.
  ///
  /// They need no models; without models nothing is drawn behind people.
  ///
  /// Apple: `AVCaptureDevice.Format.reactionEffectsSupported`.
  public var reactionEffectsSupported: Bool { supports(.reactions) }

  /// The frame rates while a reaction is drawn: those of the format up to 30; `nil` where reactions are not supported.
  ///
  /// A faster stream slows down to 30 frames a second when a reaction begins, and speeds up again after it.
  ///
  /// Apple: `AVCaptureDevice.Format.videoFrameRateRangeForReactionEffectsInProgress`.
  public var videoFrameRateRangeForReactionEffectsInProgress: AVFrameRateRange? { rates(with: .reactions) }

  // MARK: Center Stage

  /// Whether the format supports Center Stage.
  ///
  /// `true` when the model that finds faces is installed (`scripts/setup --models`), and under the conditions of
  /// ``isPortraitEffectSupported``.
  ///
  /// - Note: Unlike AVFoundation, whose formats above 1920×1440 do not support it, and which needs an ultra wide camera: here the part
  ///   is cut from the pictures of any camera.
  ///
  /// Apple: `AVCaptureDevice.Format.isCenterStageSupported`.
  public var isCenterStageSupported: Bool { supports(.centerStage) }

  /// The least zoom factor while Center Stage is active: 1.
  ///
  /// Apple: `AVCaptureDevice.Format.videoMinZoomFactorForCenterStage`.
  public var videoMinZoomFactorForCenterStage: CGFloat { 1 }

  /// The greatest zoom factor while Center Stage is active: 2, or the format's own where that is less; ``videoMaxZoomFactor`` where the
  /// format does not support it.
  ///
  /// The part that follows people is cut from the zoomed picture, and enlarged twice at most.
  ///
  /// Apple: `AVCaptureDevice.Format.videoMaxZoomFactorForCenterStage`.
  public var videoMaxZoomFactorForCenterStage: CGFloat {
    isCenterStageSupported ? min(videoMaxZoomFactor, Self.mostCenterStageZoom) : videoMaxZoomFactor
  }

  static let mostCenterStageZoom: CGFloat = 2

  /// The frame rates while Center Stage is active: those of the format up to 30; `nil` where it is not supported.
  ///
  /// Apple: `AVCaptureDevice.Format.videoFrameRateRangeForCenterStage`.
  public var videoFrameRateRangeForCenterStage: AVFrameRateRange? { rates(with: .centerStage) }

  private func supports(_ effect: VideoEffect) -> Bool { streamFormat?.supports(effect) ?? false }

  private func rates(with effect: VideoEffect) -> AVFrameRateRange? {
    guard supports(effect) else { return nil }
    return streamFormat?.effectDurations.map(AVFrameRateRange.init)
  }
}

extension VideoEffect {
  /// What must be found in pictures for it; `nil` for nothing.
  package var subject: ModelFolder.Subject? {
    switch self {
    case .centerStage: .faces
    case .portrait, .studioLight, .background: .segmentation
    case .gestures: .hands
    case .reactions, .edgeLight, .voiceIsolation: nil
    }
  }
}

extension StreamFormat {
  /// No faster than this while an effect is drawn.
  private static let shortestEffectDuration = FrameDuration(1, 30)
  private static let mostEffectPixels = 4096 * 3072

  /// Whether an effect can be drawn into pictures of the format here and now.
  func supports(_ effect: VideoEffect) -> Bool {
    guard size.width * size.height <= Self.mostEffectPixels, effectDurations != nil else { return false }
    return effect.subject.map { ModelFolder.current.obstacle(to: $0) == nil } ?? true
  }

  /// The frame durations while an effect is drawn; `nil` where none is long enough.
  var effectDurations: ClosedRange<FrameDuration>? {
    let possible = frameDurations.compactMap { range in
      range.upperBound < Self.shortestEffectDuration
        ? nil : max(range.lowerBound, Self.shortestEffectDuration)...range.upperBound
    }
    guard let shortest = possible.map(\.lowerBound).min(), let longest = possible.map(\.upperBound).max()
    else { return nil }
    return shortest...longest
  }
}

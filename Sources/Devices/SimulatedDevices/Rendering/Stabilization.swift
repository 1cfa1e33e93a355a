internal import CaptureDevice

/// The effect of a stabilization mode on a stream's frames, in our own figures.
struct Stabilization: Sendable {
  /// The share of the hand's shake that remains.
  let remains: Double
  /// The magnification, because the edges are needed.
  let crop: Double
  /// The number of frames that must be exposed after a frame before it comes.
  let lookAhead: Int

  /// The figures of a mode: the stronger it is, the more is cut off; the cinematic ones look ahead.
  init(_ mode: StabilizationMode) {
    (remains, crop, lookAhead) =
      switch mode {
      case .off: (1, 1, 0)
      case .lowLatency: (0.5, 1.06, 0)
      case .previewOptimized: (0.4, 1.1, 0)
      case .standard: (0.35, 1.1, 0)
      case .cinematic: (0.2, 1.2, 5)
      case .cinematicExtended: (0.12, 1.3, 15)
      case .cinematicExtendedEnhanced: (0.08, 1.4, 24)
      }
  }
}

extension FrameMoment {
  /// The frame as a stabilized stream shows it: a part of the shake is gone, and so are the edges that it needs.
  func stabilized(_ stabilization: Stabilization) -> FrameMoment {
    guard stabilization.crop != 1 else { return self }
    var result = self
    result.shake *= stabilization.remains
    result.view.crop *= stabilization.crop
    result.view.blur *= stabilization.crop
    return result
  }
}

internal import CaptureDevice
internal import FoundationExtras
internal import Linux

/// The newest depth maps of a camera, for its effects; held, not copied.
///
/// As many as the stream has buffers for: pictures of the past, such as those of photos, are a few frames older than the newest map.
/// Thread-safe.
final class EffectDepths: Sendable {
  private let maps = Locked<[CapturedDepth]>([])

  /// Takes a map as it comes from the device.
  func take(_ depth: CapturedDepth) {
    // A manual clock need not wait for what is drawn by it later.
    var kept = depth
    kept.inFlight = nil
    let old = maps.withLock { maps in
      maps.append(kept)
      return maps.count > OutputRequirements.effectDepthBuffers ? maps.removeFirst() : nil
    }
    withExtendedLifetime(old) {}
  }

  /// The newest map that was measured before a moment, at most 0.3 s; `nil` for none.
  ///
  /// A frame's own map comes after the frame, at a time that is not the same in each run.
  func map(before moment: MonotonicInstant) -> CapturedDepth? {
    let newest = maps.withLock { maps in maps.last { $0.timestamp < moment } }
    return newest.flatMap { moment.nanoseconds - $0.timestamp.nanoseconds <= Self.longest ? $0 : nil }
  }

  private static let longest: Int64 = 300_000_000

  /// Releases all maps.
  func forget() {
    let old = maps.withLock { maps in
      defer { maps = [] }
      return maps
    }
    withExtendedLifetime(old) {}
  }
}

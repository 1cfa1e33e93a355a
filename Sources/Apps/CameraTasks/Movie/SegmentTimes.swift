/// The moments at which a recording goes on in a new file: start + n × length, for as long as it takes.
///
/// Counted by the times of frames, so that every file holds as many; a moment that has passed is left out. Times are nanoseconds of the
/// camera's clock.
package struct SegmentTimes: Sendable, Hashable {
  /// Times of files are rounded.
  private static let tolerance: Int64 = 2_000

  private let start: Int64
  private let length: Int64

  /// - Parameters:
  ///   - start: The first frame of the first file.
  ///   - seconds: From one moment to the next; above 0.
  package init(start: Int64, seconds: Double) {
    self.start = start
    length = max(1, Int64((min(seconds, 1e9) * 1e9).rounded()))
  }

  /// The first moment behind `now` at which the file ends that begins, or has begun, at `begin`.
  package func next(begin: Int64, now: Int64) -> Int64 {
    let passed = max(begin + Self.tolerance, now) - start
    return start + (passed / length + 1) * length
  }
}

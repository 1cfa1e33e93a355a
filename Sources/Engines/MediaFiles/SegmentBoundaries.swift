package import CoreMedia

/// The times at which segments shall begin: at multiples of an interval, or never by themselves.
package struct SegmentBoundaries: Sendable {
  private let start: CMTime
  private let interval: CMTime
  private var next: CMTime?

  /// - Parameter interval: Numeric and above zero, or indefinite where segments end on demand alone.
  package init(start: CMTime, interval: CMTime) {
    (self.start, self.interval) = (start, interval)
    next = interval.isNumeric && start.isNumeric ? start + interval : nil
  }

  /// Whether a time has come that a segment shall begin at; once for each.
  package mutating func pass(_ time: CMTime) -> Bool {
    guard let due = next, time >= due else { return false }
    let whole = ((time - start).seconds / interval.seconds + 1e-9).rounded(.down)
    next = start + CMTimeMultiplyByFloat64(interval, multiplier: whole + 1)
    return true
  }
}

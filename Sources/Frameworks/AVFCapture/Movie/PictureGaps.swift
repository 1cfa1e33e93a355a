/// Counts the pictures that a camera did not bring, from the times of those that it brought; a plain value, in nanoseconds.
///
/// A camera is late by its own rate: by the frame duration that it granted, by how often its pictures have come of late, or by
/// their exposures, whichever is longest. What is longer is a gap, unless the pictures after it come as slowly: then the rate has
/// changed, as cameras do in the dark. Cameras that keep their rhythm are believed sooner than those that do not.
package struct PictureGaps: Sendable {
  /// How many pictures are missing so far.
  package private(set) var missing = 0

  private var last: Int64?
  private var lastExposure: Int64 = 0
  /// Losses since the last picture that the camera has reported itself, and that count elsewhere.
  private var reported = 0
  /// The newest intervals between pictures.
  private var intervals: [Int64] = []
  /// A gap of which it is not known whether the rate has changed.
  private var doubtful: (length: Int64, missing: Int)?
  /// The frame duration that the camera granted.
  private var granted: Int64

  /// No camera changes its rate by more.
  private static let longestDoubt: Int64 = 1_000_000_000
  private static let memory = 8

  /// Gaps of a camera that granted so long a frame duration.
  package init(granted: Int64) {
    self.granted = granted
  }

  /// How long a picture lasts by the rate at which they come.
  package var usualInterval: Int64 {
    intervals.isEmpty ? granted : intervals.sorted()[intervals.count / 2]
  }

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - time: When it was captured, later than the one before.
  ///   - granted: The frame duration that the camera granted.
  ///   - exposure: How long it was exposed; `nil` when that is not known.
  package mutating func note(_ time: Int64, granted: Int64, exposure: Int64?) {
    defer {
      (last, lastExposure, reported) = (time, exposure ?? 0, 0)
      self.granted = granted
    }
    guard let last else { return }
    let interval = time - last
    let expected = max(self.granted, granted, usualInterval, lastExposure, exposure ?? 0)
    if let doubt = doubtful {
      doubtful = nil
      if interval * 10 >= doubt.length * 6 {
        intervals = [doubt.length]
        return remember(interval)
      }
      missing += doubt.missing
    }
    let count = Self.missing(in: interval, expected, reported)
    // One picture may be late by a whole interval where they come unevenly.
    let isGap = interval * 4 > expected * (isEven ? 7 : 10)
    guard isGap, count > 0 else { return remember(interval) }
    if interval > Self.longestDoubt {
      missing += count
    } else {
      doubtful = (interval, count)
      if interval * 4 <= expected * 10 { remember(interval) }
    }
  }

  /// Notes a loss that the camera has reported.
  package mutating func noteLoss() { reported += 1 }

  /// The next picture follows a pause, or comes from another camera.
  package mutating func interrupt() {
    missing += doubtful?.missing ?? 0
    doubtful = nil
    last = nil
  }

  /// No picture comes until a moment, at which the recording ends.
  package mutating func end(at moment: Int64) {
    missing += doubtful?.missing ?? 0
    doubtful = nil
    guard let last else { return }
    let expected = max(granted, usualInterval, lastExposure)
    if (moment - last) * 4 > expected * 10 { missing += Self.missing(in: moment - last, expected, reported) }
    self.last = nil
  }

  /// Whether the newest pictures have come at one interval.
  private var isEven: Bool {
    let usual = usualInterval
    return intervals.count == Self.memory && intervals.allSatisfy { abs($0 - usual) * 5 <= usual }
  }

  private mutating func remember(_ interval: Int64) {
    // Of a camera that lost some by its own account, it says nothing.
    guard reported == 0 else { return }
    intervals.append(interval)
    if intervals.count > Self.memory { intervals.removeFirst() }
  }

  private static func missing(in interval: Int64, _ expected: Int64, _ reported: Int) -> Int {
    guard expected > 0 else { return 0 }
    return max(0, Int((interval + expected / 2) / expected) - 1 - reported)
  }
}

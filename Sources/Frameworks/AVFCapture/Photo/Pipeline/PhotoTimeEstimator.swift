package import CaptureDevice
package import Linux
package import PhotoProcessing

/// The pace of photos on this machine, learned from those that were taken; decides on the quality that the next can have.
///
/// A value; the caller brings the times. Costs are kept for each codec and prioritization, per megapixel, since that is what
/// they follow.
package struct PhotoTimeEstimator: Sendable {
  package typealias Prioritization = PhotoPrioritization

  /// The kind of a photo, on which its cost depends beside its size: codec, prioritization, and whether several frames are fused.
  package struct Kind: Sendable, Hashable {
    package enum Codec: Sendable, Hashable { case pixels, jpeg, heic }

    package var codec: Codec
    package var prioritization: Prioritization
    package var isFused: Bool

    package init(_ encoding: PhotoEncoding, _ prioritization: Prioritization, isFused: Bool = false) {
      codec =
        switch encoding {
        case .pixels: .pixels
        case .jpeg: .jpeg
        case .heic: .heic
        }
      self.prioritization = prioritization
      self.isFused = isFused
    }
  }

  /// The cost of photos of one kind, in nanoseconds for each megapixel.
  private struct Cost: Sendable {
    /// Of the slowest stage, smoothed: what limits photos in a row.
    var slowestStage: Double
    /// Of all stages: the shortest and the longest that was seen.
    var shortest: Double
    var longest: Double
  }

  /// A press later than this after the one before is not of a series.
  private static let seriesNanoseconds: Int64 = 2_000_000_000

  private var costs: [Kind: Cost] = [:]
  private var lastPress: MonotonicInstant?
  /// Nanoseconds between the two presses before.
  private var lastGap = Int64.max

  package init() {}

  // MARK: Learning

  /// Notes what a photo's stages took.
  package mutating func note(_ kind: Kind, _ size: FrameSize, _ times: PhotoStageTimes) {
    let megapixels = Self.megapixels(size)
    let (developing, encoding) = times.work
    let slowest = Double(max(developing, encoding)) / megapixels
    let whole = Double(developing + encoding) / megapixels
    guard let old = costs[kind] else {
      costs[kind] = Cost(slowestStage: slowest, shortest: whole, longest: whole)
      return
    }
    costs[kind] = Cost(
      // Half of the news: two photos after a change of the machine's load the estimate has followed.
      slowestStage: (old.slowestStage + slowest) / 2, shortest: min(old.shortest, whole),
      longest: max(old.longest, whole))
  }

  private static func megapixels(_ size: FrameSize) -> Double {
    max(Double(size.width * size.height) / 1_000_000, 0.01)
  }

  // MARK: Quality

  /// The prioritization that a photo can have so that photos keep the pace of their presses.
  ///
  /// The one that was asked for, when the press before is longer ago than the slowest stage takes; else the highest that
  /// keeps up. What has never been tried is taken to keep up, unless photos have piled up already: then also the gap before
  /// counts, if it was shorter.
  ///
  /// - Parameters:
  ///   - isFused: Whether several frames would be fused as it was asked for; for speed they never are.
  ///   - isBehind: Whether earlier photos are still under way.
  ///   - now: The press.
  package mutating func prioritization(
    for asked: Prioritization, _ encoding: PhotoEncoding, _ size: FrameSize, isFused: Bool = false,
    isBehind: Bool, at now: MonotonicInstant
  ) -> Prioritization {
    guard let before = lastPress else {
      lastPress = now
      return asked
    }
    let ownGap = now.nanoseconds - before.nanoseconds
    // A client may say that it pressed before the press before, as a self-timer does.
    guard ownGap >= 0 else {
      lastPress = now
      return asked
    }
    // A client that presses as soon as it can has not slowed down because it had to wait.
    let gap = isBehind ? min(ownGap, lastGap) : ownGap
    (lastPress, lastGap) = (now, ownGap)
    guard gap < Self.seriesNanoseconds else { return asked }
    var choice = asked
    while choice != .speed {
      let known = costs[Kind(encoding, choice, isFused: isFused)].map {
        $0.slowestStage * Self.megapixels(size)
      }
      if let known {
        if known <= Double(gap) { break }
      } else if !isBehind {
        break
      }
      choice = choice == .quality ? .balanced : .speed
    }
    return choice
  }

  // MARK: Times

  /// How long the slowest stage takes for such a photo, in nanoseconds; `nil` before one was taken.
  package func slowestStage(_ kind: Kind, _ size: FrameSize) -> Double? {
    costs[kind].map { $0.slowestStage * Self.megapixels(size) }
  }

  /// How long processing may take, in seconds: the shortest and the longest that is expected.
  ///
  /// From what such photos took so far, with a margin of four each way for other programs; before that from the encoders' speed on
  /// one slow and on several fast cores. `ahead` photos are finished before this one.
  package func processingSeconds(_ kind: Kind, _ size: FrameSize, ahead: Int) -> (
    shortest: Double, longest: Double
  ) {
    let megapixels = Self.megapixels(size)
    var (shortest, longest): (Double, Double) =
      switch kind.codec {
      case .pixels: (0, 0.01)
      case .jpeg: (0.002, 0.1)
      case .heic: (0.01, 0.6)
      }
    // Eight frames on one slow core.
    if kind.isFused { longest += 0.4 }
    if let cost = costs[kind] {
      shortest = min(shortest, cost.shortest / 4e9)
      longest = max(cost.longest * 4 / 1e9, min(longest, 0.01))
    }
    // A tenth of a second for what no picture's size explains: threads that wait for a core.
    return (shortest * megapixels, (longest * megapixels + 0.1) * Double(ahead + 1))
  }
}

package import Foundation

/// Things that come into view and go again, told from detections that flicker.
///
/// A visit begins when something was seen in several looks, and ends when it was not seen for a while: one missed look, or a detector
/// that gives it another number meanwhile, ends nothing. One call at a time.
package struct Visits {
  /// A detection in one look.
  package struct Sighting: Sendable, Hashable {
    /// The detector's number of the thing.
    package var track: Int
    /// The place, in fractions of the picture.
    package var bounds: CGRect

    package init(track: Int, bounds: CGRect) {
      self.track = track
      self.bounds = bounds
    }
  }

  /// One stay in view.
  package struct Visit: Sendable, Hashable {
    /// The number, from 1 on; never used twice.
    package let number: Int
    /// The place where it was seen last.
    package fileprivate(set) var bounds: CGRect
    /// The moment when it was seen first, in seconds on the camera's clock.
    package let began: Double
    /// The moment when it was seen last.
    package fileprivate(set) var lastSeen: Double
    fileprivate var track: Int
    fileprivate var looks = 1
    /// In how many looks it has been missed since.
    fileprivate var misses = 0
    fileprivate var hasEntered = false
    fileprivate var seenAt: Int64
  }

  /// A beginning or an end.
  package enum Change: Sendable, Hashable {
    case enter(Visit)
    case leave(Visit)
  }

  private let looksBeforeEntering: Int
  private let absenceNanoseconds: Int64
  private var visits: [Visit] = []
  private var lastNumber = 0

  /// The farthest that a thing with a new number may be from where it was, in its own sizes.
  private static let longestWay = 0.75

  /// What has not entered may be missed in so many looks in a row.
  private static let mostMisses = 1

  /// - Parameters:
  ///   - looks: In how many looks a thing must be seen before it has entered.
  ///   - absenceNanoseconds: For how long it must be unseen before it has left.
  package init(looksBeforeEntering looks: Int, absenceNanoseconds: Int64) {
    looksBeforeEntering = looks
    self.absenceNanoseconds = absenceNanoseconds
  }

  /// The number of things that are in view.
  package var presentCount: Int { visits.count { $0.hasEntered } }

  /// Takes what one look has seen.
  ///
  /// - Parameters:
  ///   - clock: Nanoseconds on a clock that runs only while the camera brings frames.
  ///   - moment: The moment of the frame, in seconds on the camera's clock.
  package mutating func note(_ seen: [Sighting], at clock: Int64, moment: Double) -> [Change] {
    var changes = advance(to: clock)
    var free = Set(visits.indices)
    var strangers: [Sighting] = []
    for sighting in seen {
      if let index = free.first(where: { visits[$0].track == sighting.track }) {
        free.remove(index)
        meet(index, sighting, clock, moment)
      } else {
        strangers.append(sighting)
      }
    }
    for sighting in strangers {
      let near = free.filter { Self.isNear(visits[$0].bounds, sighting.bounds) }
      if let index = near.min(by: { way($0, sighting) < way($1, sighting) }) {
        free.remove(index)
        meet(index, sighting, clock, moment)
      } else {
        lastNumber += 1
        visits.append(
          Visit(
            number: lastNumber, bounds: sighting.bounds, began: moment, lastSeen: moment,
            track: sighting.track, seenAt: clock))
      }
    }
    for index in free { visits[index].misses += 1 }
    // What has not entered is forgotten soon: it was a mistake of the detector. Looks count and not time: they may be rare.
    visits.removeAll { !$0.hasEntered && $0.misses > Self.mostMisses }
    for index in visits.indices where !visits[index].hasEntered && visits[index].looks >= looksBeforeEntering
    {
      visits[index].hasEntered = true
      changes.append(.enter(visits[index]))
    }
    return changes
  }

  /// Ends what has not been seen for long enough at `clock`.
  package mutating func advance(to clock: Int64) -> [Change] {
    let absence = absenceNanoseconds
    return take { clock - $0.seenAt > absence }
  }

  /// Forgets what has not entered: a look has seen nothing at all.
  package mutating func forgetStrangers() { visits.removeAll { !$0.hasEntered } }

  /// Ends all visits.
  package mutating func endAll() -> [Change] { take { _ in true } }

  private mutating func take(_ isOver: (Visit) -> Bool) -> [Change] {
    let over = visits.filter(isOver)
    visits.removeAll(where: isOver)
    return over.filter(\.hasEntered).map { .leave($0) }
  }

  private mutating func meet(_ index: Int, _ sighting: Sighting, _ clock: Int64, _ moment: Double) {
    visits[index].track = sighting.track
    visits[index].bounds = sighting.bounds
    visits[index].lastSeen = moment
    visits[index].seenAt = clock
    visits[index].looks += 1
    visits[index].misses = 0
  }

  private func way(_ index: Int, _ sighting: Sighting) -> CGFloat {
    Self.way(visits[index].bounds, sighting.bounds)
  }

  private static func way(_ old: CGRect, _ new: CGRect) -> CGFloat {
    hypot(old.midX - new.midX, old.midY - new.midY)
  }

  private static func isNear(_ old: CGRect, _ new: CGRect) -> Bool {
    way(old, new) <= longestWay * max(old.width, old.height, new.width, new.height)
  }
}

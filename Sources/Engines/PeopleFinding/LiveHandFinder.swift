package import CoreVideo
package import Foundation

/// Finds and tracks hands in a stream of pictures.
///
/// Each picture gets one pass for each tracked hand. While there is none, and else in every eighth picture, one over all of it
/// searches for new hands. One call at a time.
package final class LiveHandFinder {
  /// A hand and its number.
  package struct Tracked: Sendable, Hashable {
    /// The number, from 1 on; stays while the hand is tracked.
    package var id: Int
    /// The hand.
    package var hand: FoundHand

    /// A hand and its number.
    package init(id: Int, hand: FoundHand) {
      self.id = id
      self.hand = hand
    }
  }

  private let finder: HandFinder
  private var tracker = Tracker(timeout: 8)
  private var known: [TurnedSquare] = []
  private var step = 0

  /// The most hands that are tracked, those of two people: each costs a pass in every picture.
  private static let limit = 4
  private static let picturesBetweenSearches = 8

  /// A finder for one stream; see ``HandFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try HandFinder(folder)
  }

  /// The hands in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to search; a hand's middle must lie in it.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func hands(in pixels: CVPixelBuffer, part: CGRect) throws -> [Tracked] {
    var seen: [HandReading] = []
    func search(_ squares: [TurnedSquare]) throws {
      for square in squares where seen.count < Self.limit {
        guard let one = try finder.hand(in: square, of: pixels, part: part) else { continue }
        if !seen.map(\.hand).contains(one.hand) { seen.append(one) }
      }
    }
    try search(known)
    step += 1
    if seen.isEmpty || step % Self.picturesBetweenSearches == 0, seen.count < Self.limit {
      try search(finder.neighbourhoods(in: pixels, part: part))
    }
    known = seen.map(\.neighbourhood)
    let hands = seen.map(\.hand)
    return zip(tracker.update(hands.map(\.bounds)), hands).map { Tracked(id: $0, hand: $1) }
  }

  /// Drops all tracks: the next picture has nothing to do with the last.
  package func forget() {
    tracker.reset()
    known = []
  }
}

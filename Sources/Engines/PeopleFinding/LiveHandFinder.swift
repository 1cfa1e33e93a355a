package import CoreVideo
package import Foundation

/// Finds hands in a stream of pictures and follows them.
///
/// Each picture gets one look for each known hand, where it was in the one before; while none is known, and in every eighth
/// picture else, a look for new ones at all of it. One call at a time.
package final class LiveHandFinder {
  /// A hand and its number.
  package struct Followed: Sendable, Hashable {
    /// The number, from 1 on; stays while the hand is followed.
    package var id: Int
    /// The hand.
    package var hand: FoundHand
  }

  private let finder: HandFinder
  private var follower = Follower(timeout: 8)
  private var known: [TurnedSquare] = []
  private var step = 0

  /// How many are followed, the hands of two people: each costs a look in every picture.
  private static let limit = 4
  private static let picturesBetweenSearches = 8

  /// A finder for one stream; see ``HandFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try HandFinder(folder)
  }

  /// The hands in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to look; only hands that lie in it with their middle are found.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func hands(in pixels: CVPixelBuffer, part: CGRect) throws -> [Followed] {
    var seen: [HandReading] = []
    func look(_ squares: [TurnedSquare]) throws {
      for square in squares where seen.count < Self.limit {
        guard let one = try finder.look(at: square, in: pixels, part: part) else { continue }
        if !seen.map(\.hand).contains(one.hand) { seen.append(one) }
      }
    }
    try look(known)
    step += 1
    if seen.isEmpty || step % Self.picturesBetweenSearches == 0, seen.count < Self.limit {
      try look(finder.neighbourhoods(in: pixels, part: part))
    }
    known = seen.map(\.neighbourhood)
    let hands = seen.map(\.hand)
    return zip(follower.see(hands.map(\.bounds)), hands).map { Followed(id: $0, hand: $1) }
  }

  /// Forgets what was followed: the next picture has nothing to do with the last.
  package func forget() {
    follower.forget()
    known = []
  }
}

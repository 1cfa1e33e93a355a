package import CoreVideo
package import Foundation
internal import PixelTransforms

/// Finds people in a stream of pictures and follows them.
///
/// Each picture gets one look for each known person, where they were in the one before; while nobody is known, and in every
/// eighth picture else, a look for new ones at all of it. While nobody is known the look is turned from picture to picture, and
/// stays as somebody was found. One call at a time.
package final class LiveBodyFinder {
  /// A person and their number.
  package struct Followed: Sendable, Hashable {
    /// The number, from 1 on; stays while the person is followed.
    package var id: Int
    /// The person.
    package var body: FoundBody
  }

  private let finder: BodyFinder
  private var follower = Follower(timeout: 15)
  private var known: [CGRect] = []
  private var turn = QuarterTurn.none
  private var step = 0

  /// How many are followed: each costs a look in every picture.
  private static let limit = 3
  private static let picturesBetweenSearches = 8
  /// What two boxes of one person share at least, of the smaller.
  private static let samePerson = 0.6

  /// A finder for one stream; see ``BodyFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try BodyFinder(folder)
  }

  /// The people in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to look; what reaches beyond is cut.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func bodies(in pixels: CVPixelBuffer, part: CGRect) throws -> [Followed] {
    var seen: [BodyFinder.Seen] = []
    func look(_ squares: [CGRect]) throws {
      for square in squares where seen.count < Self.limit {
        guard let one = try finder.look(at: square, in: pixels, part: part, turn: turn) else { continue }
        if !seen.contains(where: { $0.body.upperBody.commonShare(with: one.body.upperBody) > Self.samePerson }
        ) {
          seen.append(one)
        }
      }
    }
    try look(known)
    step += 1
    if seen.isEmpty || step % Self.picturesBetweenSearches == 0, seen.count < Self.limit {
      let squares = try finder.neighbourhoods(in: pixels, part: part, turn: turn)
      try look(squares)
    }
    known = seen.map(\.neighbourhood)
    let bodies = seen.map(\.body)
    let numbers = follower.see(bodies.map(\.upperBody))
    if follower.followed.isEmpty { turn = QuarterTurn(degrees: turn.rawValue + 90) ?? .none }
    return zip(numbers, bodies).map { Followed(id: $0, body: $1) }
  }

  /// Forgets who was followed: the next picture has nothing to do with the last.
  package func forget() {
    follower.forget()
    known = []
    turn = .none
  }
}

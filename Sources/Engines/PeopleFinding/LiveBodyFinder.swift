package import CoreVideo
package import Foundation
internal import PixelTransforms

/// Finds and tracks people in a stream of pictures.
///
/// Each picture gets one pass for each tracked person. While there is none, and else in every eighth picture, one over all of
/// it searches for new people; while there is none, it is turned from picture to picture. One call at a time.
package final class LiveBodyFinder {
  /// A person and their number.
  package struct Tracked: Sendable, Hashable {
    /// The number, from 1 on; stays while the person is tracked.
    package var id: Int
    /// The person.
    package var body: FoundBody
  }

  private let finder: BodyFinder
  private var tracker = Tracker(timeout: 15)
  private var known: [CGRect] = []
  private var turn = QuarterTurn.none
  private var step = 0

  /// The most people that are tracked: each costs a pass in every picture.
  private static let limit = 3
  private static let picturesBetweenSearches = 8
  /// The least common share of two boxes of one person.
  private static let samePerson = 0.6

  /// A finder for one stream; see ``BodyFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try BodyFinder(folder)
  }

  /// The people in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to search; bodies are cut to it.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func bodies(in pixels: CVPixelBuffer, part: CGRect) throws -> [Tracked] {
    var seen: [BodyFinder.Seen] = []
    func search(_ squares: [CGRect]) throws {
      for square in squares where seen.count < Self.limit {
        guard let one = try finder.body(in: square, of: pixels, part: part, turn: turn) else { continue }
        if !seen.contains(where: { $0.body.upperBody.commonShare(with: one.body.upperBody) > Self.samePerson }
        ) {
          seen.append(one)
        }
      }
    }
    try search(known)
    step += 1
    if seen.isEmpty || step % Self.picturesBetweenSearches == 0, seen.count < Self.limit {
      try search(finder.neighbourhoods(in: pixels, part: part, turn: turn))
    }
    known = seen.map(\.neighbourhood)
    let bodies = seen.map(\.body)
    let numbers = tracker.update(bodies.map(\.upperBody))
    if tracker.tracks.isEmpty { turn = QuarterTurn(degrees: turn.rawValue + 90) ?? .none }
    return zip(numbers, bodies).map { Tracked(id: $0, body: $1) }
  }

  /// Drops all tracks: the next picture has nothing to do with the last.
  package func forget() {
    tracker.reset()
    known = []
    turn = .none
  }
}

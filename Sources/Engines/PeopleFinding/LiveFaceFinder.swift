package import CoreVideo
package import Foundation
internal import PixelTransforms

/// Finds faces in a stream of pictures and follows them, at a cost that does not grow with the picture.
///
/// Every picture gets two looks: one at all of it, and a second one, at the neighbourhood of known faces that the first did not
/// see, else turned, until it is known how faces stand here, else closer at one part after another. So a face that is large
/// enough is found at once, a small one some pictures later, and from then on in every picture; one on its side may be told
/// upright for the first three. One call at a time.
package final class LiveFaceFinder {
  /// A face and its number.
  package struct Followed: Sendable, Hashable {
    /// The number, from 1 on; stays while the face is followed.
    package var id: Int
    /// The face.
    package var face: FoundFace
  }

  private let finder: FaceFinder
  private var follower = Follower(timeout: 15)
  /// How pictures are turned so that faces stand upright.
  private var turn = QuarterTurn.none
  /// Whether a face was seen in all turns, and ``turn`` is the one in which it was seen best.
  private var isTurnKnown = false
  /// How sure the surest face was in each turn that was tried.
  private var trial: [QuarterTurn: Double] = [:]
  /// How many closer looks come before the next trial.
  private var rest = 0
  private var step = 0

  /// By how much another turn must be surer than the one in force.
  private static let surer = 0.05

  /// A finder for one stream; see ``FaceFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try FaceFinder(folder)
  }

  /// The faces in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to look; only what lies in it with its centre is found.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func faces(in pixels: CVPixelBuffer, part: CGRect) throws -> [Followed] {
    var found = try finder.detections(in: pixels, part: part, turn: turn)
    let unseen = follower.expected().filter { place in
      !found.contains { $0.box.overlap(with: place) > FaceFinder.sameFace }
    }
    if let close = LookPlan.neighbourhood(of: unseen)?.intersection(part), !close.isEmpty {
      found += try finder.detections(in: pixels, part: close, turn: turn)
    } else if !isTurnKnown, rest == 0 {
      found += try searchTurned(in: pixels, part: part, topScore: found.topScore)
    } else {
      found += try searchCloser(in: pixels, part: part)
    }
    let faces = found.surest(above: FaceFinder.sameFaceSeenTwice).compactMap(FoundFace.init)
      .filter { part.contains(CGPoint(x: $0.bounds.midX, y: $0.bounds.midY)) }
    let numbers = follower.see(faces.map(\.bounds))
    // Whoever comes next may hold the camera otherwise.
    if follower.followed.isEmpty, isTurnKnown { restartTrial() }
    return zip(numbers, faces).map { Followed(id: $0, face: $1) }
  }

  /// Forgets who was followed: the next picture has nothing to do with the last.
  package func forget() {
    follower.forget()
    turn = .none
    restartTrial()
  }

  private func restartTrial() {
    isTurnKnown = false
    trial = [:]
    rest = 0
  }

  /// Looks at the whole in a turn that was not tried, and decides when all were.
  ///
  /// What is found turned counts only once that turn is decided: boxes of two turns are not of one place.
  private func searchTurned(in pixels: CVPixelBuffer, part: CGRect, topScore: Double) throws -> [Detection] {
    if let other = QuarterTurn.allCases.first(where: { $0 != turn && trial[$0] == nil }) {
      trial[other] = try finder.detections(in: pixels, part: part, turn: other).topScore
      return []
    }
    let best = trial.max { $0.value < $1.value }
    if let best, best.value > topScore + Self.surer { turn = best.key }
    isTurnKnown = max(topScore, best?.value ?? 0) > 0
    trial = [:]
    // Nobody is there, or too small to be seen in one look at the whole.
    rest = LookPlan.tiles(of: part, side: FaceFinder.shape.side).count
    return try searchCloser(in: pixels, part: part)
  }

  /// Looks at one part of the picture more closely, at another each time.
  private func searchCloser(in pixels: CVPixelBuffer, part: CGRect) throws -> [Detection] {
    let tiles = LookPlan.tiles(of: part, side: FaceFinder.shape.side)
    rest = max(0, rest - 1)
    guard !tiles.isEmpty else { return [] }
    step = (step + 1) % tiles.count
    return try finder.detections(in: pixels, part: tiles[step], turn: turn)
      .filter { $0.score >= FaceFinder.surenessInPart }
  }
}

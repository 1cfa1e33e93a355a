package import CoreVideo
package import Foundation
internal import PixelTransforms

/// Finds and tracks faces in a stream of pictures, at a cost that does not grow with the picture.
///
/// Each picture gets two passes. The first covers all of it. The second covers the neighbourhood of tracked faces that the
/// first did not find; else all of it in another turn, until the faces' turn is known; else one part after another. So a large
/// face is found at once, a small one some pictures later; one on its side may count as upright for the first three. A face that is
/// not tracked yet counts when a pass over its neighbourhood sees it, too; that is asked of few in each picture. One call at a time.
package final class LiveFaceFinder {
  /// A face and its number.
  package struct Tracked: Sendable, Hashable {
    /// The number, from 1 on; stays while the face is tracked.
    package var id: Int
    /// The face.
    package var face: FoundFace
  }

  private let finder: FaceFinder
  private var tracker = Tracker(timeout: 15)
  /// The turn of pictures that makes faces upright.
  private var turn = QuarterTurn.none
  /// Whether all turns were tried on a face, and ``turn`` is the best.
  private var isTurnKnown = false
  /// The top score of each turn that was tried.
  private var trial: [QuarterTurn: Double] = [:]
  /// The passes over parts before the next trial.
  private var rest = 0
  private var step = 0

  /// By how much another turn's score must be better.
  private static let surer = 0.05
  /// How many new faces a picture may have; further ones are found in the next.
  private static let mostNew = 4

  /// A finder for one stream; see ``FaceFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try FaceFinder(folder)
  }

  /// The faces in the next picture, in pixels of the whole.
  ///
  /// - Parameter part: Where to search; a face's centre must lie in it.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func faces(in pixels: CVPixelBuffer, part: CGRect) throws -> [Tracked] {
    var found = try finder.detections(in: pixels, part: part, turn: turn)
    let expected = tracker.expected()
    let unseen = expected.filter { place in
      !found.contains { $0.box.overlap(with: place) > FaceFinder.sameFace }
    }
    if let close = PassRegions.neighbourhood(of: unseen)?.intersection(part), !close.isEmpty {
      found += try finder.detections(in: pixels, part: close, turn: turn)
    } else if !isTurnKnown, rest == 0 {
      found += try searchTurned(in: pixels, part: part, topScore: found.topScore)
    } else {
      found += try searchCloser(in: pixels, part: part)
    }
    var asked = 0
    let faces = try found.surest(above: FaceFinder.sameFaceSeenTwice)
      .filter { part.contains(CGPoint(x: $0.box.midX, y: $0.box.midY)) }
      .filter { face in
        if expected.contains(where: { $0.overlap(with: face.box) > FaceFinder.sameFace }) { return true }
        asked += 1
        return try asked <= Self.mostNew && finder.isSeenCloser(face, in: pixels, turn: turn)
      }
      .compactMap(FoundFace.init)
    let numbers = tracker.update(faces.map(\.bounds))
    // The next person may hold the camera differently.
    if tracker.tracks.isEmpty, isTurnKnown { restartTrial() }
    return zip(numbers, faces).map { Tracked(id: $0, face: $1) }
  }

  /// Drops all tracks: the next picture has nothing to do with the last.
  package func forget() {
    tracker.reset()
    turn = .none
    restartTrial()
  }

  private func restartTrial() {
    isTurnKnown = false
    trial = [:]
    rest = 0
  }

  /// A pass over the whole in a turn that was not tried; decides when all were.
  ///
  /// Its faces count only once the turn is decided: boxes of two turns do not match.
  private func searchTurned(in pixels: CVPixelBuffer, part: CGRect, topScore: Double) throws -> [Detection] {
    if let other = QuarterTurn.allCases.first(where: { $0 != turn && trial[$0] == nil }) {
      trial[other] = try finder.detections(in: pixels, part: part, turn: other).topScore
      return []
    }
    let best = trial.max { $0.value < $1.value }
    if let best, best.value > topScore + Self.surer { turn = best.key }
    isTurnKnown = max(topScore, best?.value ?? 0) > 0
    trial = [:]
    // There is no face, or all are too small for a pass over the whole.
    rest = PassRegions.tiles(of: part, side: FaceFinder.shape.side).count
    return try searchCloser(in: pixels, part: part)
  }

  /// A pass over one part of the picture, another each time.
  private func searchCloser(in pixels: CVPixelBuffer, part: CGRect) throws -> [Detection] {
    let tiles = PassRegions.tiles(of: part, side: FaceFinder.shape.side)
    rest = max(0, rest - 1)
    guard !tiles.isEmpty else { return [] }
    step = (step + 1) % tiles.count
    return try finder.detections(in: pixels, part: tiles[step], turn: turn)
      .filter { $0.score >= FaceFinder.surenessInPart }
  }
}

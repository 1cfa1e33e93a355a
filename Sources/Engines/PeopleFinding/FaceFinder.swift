package import CoreVideo
package import Foundation
internal import FoundationExtras
package import PixelTransforms

/// Finds faces in one look at a picture, or a part of it.
///
/// Pictures of every pixel format are looked at where they lie; what is made is the model's input, of 192 pixels a side. So a
/// face must be a twentieth of the part's longer side wide. Faces on their side are found as well, upside down hardly: for
/// those the look can be turned. One object serves one stream of pictures, one call at a time.
///
/// Source: MediaPipe's face detection of full range.
package final class FaceFinder {
  private let model: NeuralModel
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)

  static let shape = DetectorShape(
    side: 192, pointCount: 6, minimumScore: 0.6, layers: [(stride: 4, count: 1)])
  /// What two boxes of one face share at least.
  static let sameFace = 0.3
  /// What a face must be sure of that only a closer look at some part shows: there, every button is a candidate.
  static let surenessInPart = 0.7
  /// What two boxes of one face from two looks share at least, of the smaller.
  static let sameFaceSeenTwice = 0.5

  /// A finder with the models of `folder`; takes some ten milliseconds.
  ///
  /// - Throws: `ModelError`.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    model = try NeuralModel(.faces, in: folder, black: -1)
  }

  /// The faces that a look finds, one detection for each, in pixels of the whole picture.
  ///
  /// - Parameters:
  ///   - part: Where to look; may stick out of the picture.
  ///   - turn: How to turn the picture before looking at it.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func detections(
    in pixels: CVPixelBuffer, part: CGRect, turn: QuarterTurn = .none
  ) throws -> [Detection] {
    let seen = try model.detections(
      in: pixels, part: part, turn: turn, Self.shape, share: Self.sameFace, transformer)
    guard let (faces, view) = seen else { return [] }
    return faces.map { $0.inPicture(view) }
  }

  /// The faces in a picture: every look that might help is taken.
  ///
  /// All faces are taken to stand as the surest does. Cost: up to some thirty looks. For streams there is ``LiveFaceFinder``.
  package func faces(in pixels: CVPixelBuffer, part: CGRect? = nil) throws -> [FoundFace] {
    let part =
      part
      ?? CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    var looks: [(turn: QuarterTurn, found: [Detection])] = []
    for turn in QuarterTurn.allCases {
      looks.append((turn, try detections(in: pixels, part: part, turn: turn)))
    }
    // The first of equals: upright.
    var best = looks[0]
    for look in looks where look.found.topScore > best.found.topScore { best = look }
    var found = best.found
    for tile in LookPlan.tiles(of: part, side: Self.shape.side) {
      found += try detections(in: pixels, part: tile, turn: best.turn)
        .filter { $0.score >= Self.surenessInPart }
    }
    return found.surest(above: Self.sameFaceSeenTwice).compactMap(FoundFace.init)
  }
}

extension [Detection] {
  /// How sure the surest is; 0 when there are none.
  var topScore: Double { map(\.score).max() ?? 0 }
}

package import CoreVideo
package import Foundation
internal import FoundationExtras
package import PixelTransforms

/// Finds faces in a picture, or a part of it, in one pass.
///
/// Takes every pixel format. The model's input has 192 pixels a side, so a face must be a twentieth of the part's longer side
/// wide. Faces on their side are found, upside down hardly: for those a pass can be turned. One object serves one stream of
/// pictures, one call at a time.
///
/// Source: MediaPipe's face detection of full range.
package final class FaceFinder {
  private let model: NeuralModel
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)

  static let shape = DetectorShape(
    side: 192, pointCount: 6, minimumScore: 0.6, layers: [(stride: 4, count: 1)])
  /// The least overlap of two boxes of one face.
  static let sameFace = 0.3
  /// The least score of a face that only a pass over a part finds: there, every button is a candidate.
  static let surenessInPart = 0.7
  /// The least common share of two boxes of one face from two passes.
  static let sameFaceSeenTwice = 0.5

  /// A finder with the models of `folder`; takes some ten milliseconds.
  ///
  /// - Throws: `ModelError`.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    model = try NeuralModel(.faces, in: folder, black: -1)
  }

  /// The faces that one pass finds, one detection for each, in pixels of the whole picture.
  ///
  /// - Parameters:
  ///   - part: Where to search; may reach beyond the picture.
  ///   - turn: How to turn the picture first.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func detections(
    in pixels: CVPixelBuffer, part: CGRect, turn: QuarterTurn = .none
  ) throws -> [Detection] {
    let seen = try model.detections(
      in: pixels, part: part, turn: turn, Self.shape, share: Self.sameFace, transformer)
    guard let (faces, view) = seen else { return [] }
    return faces.map { $0.inPicture(view) }
  }

  /// The faces in a picture, by every pass that might help.
  ///
  /// All faces are assumed to be as upright as the surest. Cost: up to some thirty passes. For streams use ``LiveFaceFinder``.
  package func faces(in pixels: CVPixelBuffer, part: CGRect? = nil) throws -> [FoundFace] {
    let part = part ?? pixels.bounds
    var passes: [(turn: QuarterTurn, found: [Detection])] = []
    for turn in QuarterTurn.allCases {
      passes.append((turn, try detections(in: pixels, part: part, turn: turn)))
    }
    // The first of equals: upright.
    var best = passes[0]
    for pass in passes where pass.found.topScore > best.found.topScore { best = pass }
    var found = best.found
    for tile in PassRegions.tiles(of: part, side: Self.shape.side) {
      found += try detections(in: pixels, part: tile, turn: best.turn)
        .filter { $0.score >= Self.surenessInPart }
    }
    return try found.surest(above: Self.sameFaceSeenTwice)
      .filter { try isSeenCloser($0, in: pixels, turn: best.turn) }
      .compactMap(FoundFace.init)
  }

  /// Whether a pass over the neighbourhood of a detection finds a face there, too.
  ///
  /// What only resembles a face, such as patches of a colour chart, does so at one size and place.
  func isSeenCloser(_ face: Detection, in pixels: CVPixelBuffer, turn: QuarterTurn) throws -> Bool {
    guard let close = PassRegions.neighbourhood(of: [face.box]) else { return false }
    return try detections(in: pixels, part: close, turn: turn)
      .contains { $0.box.overlap(with: face.box) > Self.sameFace }
  }
}

extension [Detection] {
  /// The highest score; 0 when there are none.
  var topScore: Double { map(\.score).max() ?? 0 }
}

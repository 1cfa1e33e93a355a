package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Finds hands and says where their joints are.
///
/// A detector finds palms at any angle in one pass over the whole; a second model marks 21 places of each. A palm must be about
/// a twentieth of the part's longer side wide. One object serves one stream of pictures, one call at a time.
///
/// Source: MediaPipe's palm detection and hand landmarks, the full models.
package final class HandFinder {
  private let detector: NeuralModel
  private let reader: NeuralModel
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)

  static let shape = DetectorShape(
    side: 192, pointCount: 7, minimumScore: 0.5, layers: [(stride: 8, count: 2), (stride: 16, count: 6)])
  /// The least overlap of two boxes of one palm.
  private static let samePalm = 0.3
  /// The least common share of one hand in two passes.
  static let sameHand = 0.6

  /// The places of the second model's outputs.
  private enum Output: Int {
    case marks
    case score
    case rightScore
  }

  /// A finder with the models of `folder`; takes some fifty milliseconds.
  ///
  /// - Throws: `ModelError`.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    detector = try NeuralModel(.palms, in: folder, black: 0)
    reader = try NeuralModel(.hands, in: folder, black: 0)
  }

  /// The hands in a picture, the surest palm first, in pixels of the whole.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func hands(in pixels: CVPixelBuffer, part: CGRect? = nil) throws -> [FoundHand] {
    let part = part ?? pixels.bounds
    var found: [FoundHand] = []
    for place in try neighbourhoods(in: pixels, part: part) {
      guard let hand = try hand(in: place, of: pixels, part: part)?.hand else { continue }
      if !found.contains(hand) { found.append(hand) }
    }
    return found
  }

  /// The squares in which there may be hands, the surest first.
  func neighbourhoods(in pixels: CVPixelBuffer, part: CGRect) throws -> [TurnedSquare] {
    let seen = try detector.detections(
      in: pixels, part: part, Self.shape, share: Self.samePalm, transformer)
    guard let (palms, view) = seen else { return [] }
    return palms.compactMap { HandReading.neighbourhood(ofPalm: $0.inPicture(view)) }
  }

  /// The hand in a square of the picture, which may reach beyond it; `nil` when there is none.
  ///
  /// Only hands whose middle lies inside `part` count.
  func hand(in square: TurnedSquare, of pixels: CVPixelBuffer, part: CGRect) throws -> HandReading? {
    guard try reader.infer(pixels, square, transformer),
      let marks = reader.output(at: Output.marks.rawValue),
      let score = reader.output(at: Output.score.rawValue)?.first,
      let rightScore = reader.output(at: Output.rightScore.rawValue)?.first,
      let reading = HandReading(marks: marks, score: score, rightScore: rightScore, in: square)
    else { return nil }
    let bounds = reading.hand.bounds
    return part.contains(CGPoint(x: bounds.midX, y: bounds.midY)) ? reading : nil
  }
}

extension [FoundHand] {
  /// Whether one of them is this hand, found by another pass.
  func contains(_ hand: FoundHand) -> Bool {
    contains { $0.bounds.commonShare(with: hand.bounds) > HandFinder.sameHand }
  }
}

package import CoreVideo
package import Foundation
internal import FoundationExtras
package import PixelTransforms

/// Finds people and says how far their bodies reach.
///
/// A detector finds where people are, in about 13 ms; a second model marks every point that belongs to one of them, in about
/// 18 ms. Finds people who stand upright in the turned picture, best one who fills a quarter of the part or more. One object
/// serves one stream of pictures, one call at a time.
///
/// Source: MediaPipe's pose detection and pose landmarks.
package final class BodyFinder {
  /// A person, and the square in which to search for them in the next picture.
  struct Seen {
    var body: FoundBody
    var neighbourhood: CGRect
  }

  private let detector: NeuralModel
  private let reader: NeuralModel
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)
  /// The least overlap of two boxes of one person.
  private static let sameDetection = 0.3

  static let shape = DetectorShape(
    side: 224, pointCount: 4, minimumScore: 0.5,
    layers: [(stride: 8, count: 2), (stride: 16, count: 2), (stride: 32, count: 6)])
  /// The least confidence of the second model that counts.
  static let minimumScore = 0.5

  /// A finder with the models of `folder`; takes some fifty milliseconds.
  ///
  /// - Throws: `ModelError`.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    detector = try NeuralModel(.people, in: folder, black: -1)
    reader = try NeuralModel(.bodies, in: folder, black: 0)
  }

  /// The people in a picture, the surest first, in pixels of the whole.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func bodies(
    in pixels: CVPixelBuffer, part: CGRect? = nil, turn: QuarterTurn = .none
  ) throws -> [FoundBody] {
    let part = part ?? pixels.bounds
    return try neighbourhoods(in: pixels, part: part, turn: turn).compactMap {
      try body(in: $0, of: pixels, part: part, turn: turn)?.body
    }
  }

  /// The squares in which there may be people, the surest first.
  func neighbourhoods(in pixels: CVPixelBuffer, part: CGRect, turn: QuarterTurn) throws -> [CGRect] {
    let seen = try detector.detections(
      in: pixels, part: part, turn: turn, Self.shape, share: Self.sameDetection, transformer)
    guard let (people, view) = seen else { return [] }
    return people.map { found in
      // The first point is the middle of the hips, the second as far away as the body reaches.
      let reach = hypot(found.points[1].x - found.points[0].x, found.points[1].y - found.points[0].y)
      return view.pictureRect(BodyReading.square(around: found.points[0], reach: reach))
    }
  }

  /// The person in a square of the picture, which may reach beyond it; `nil` when there is none.
  ///
  /// Only what lies inside `part` counts.
  func body(in square: CGRect, of pixels: CVPixelBuffer, part: CGRect, turn: QuarterTurn) throws -> Seen? {
    let size = PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    guard let view = SquareView(of: square, in: size, turn: turn, side: BodyReading.side) else { return nil }
    try reader.infer(pixels, view, transformer)
    guard let score = reader.output(of: 1)?.first, Double(score) >= Self.minimumScore,
      let marks = reader.output(of: BodyReading.markCount * BodyReading.numbersPerMark),
      let mask = reader.output(of: BodyReading.side * BodyReading.side),
      let reading = BodyReading(marks: marks, mask: mask)
    else { return nil }
    let seen = CGRect(
      x: view.target.x, y: view.target.y, width: view.target.width, height: view.target.height)
    guard let inView = reading.body(in: seen, score: Double(score)) else { return nil }
    let upper = view.pictureRect(inView.upperBody).intersection(part)
    guard !upper.isNull, !upper.isEmpty else { return nil }
    return Seen(
      body: FoundBody(
        upperBody: upper, fullBody: inView.fullBody.map { view.pictureRect($0).intersection(part) },
        score: Double(score),
        joints: inView.joints.map {
          let place = view.picturePoint($0.place)
          return FoundJoint(place: place, confidence: part.contains(place) ? $0.confidence : 0)
        }),
      neighbourhood: view.pictureRect(reading.neighbourhood))
  }
}

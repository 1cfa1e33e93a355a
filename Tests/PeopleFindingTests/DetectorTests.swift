import Foundation
import PeopleFinding
import Testing

@Suite("Reading a detector")
struct DetectorTests {
  /// Two layers over a square of 8 pixels: four places with two anchors, then one place with three.
  private let shape = DetectorShape(
    side: 8, pointCount: 1, minimumScore: 0.5, layers: [(stride: 4, count: 2), (stride: 8, count: 3)])

  @Test func `anchors lie in the middle of their cells, row by row and layer by layer`() {
    let places: [CGPoint] = [
      CGPoint(x: 2, y: 2), CGPoint(x: 6, y: 2), CGPoint(x: 2, y: 6), CGPoint(x: 6, y: 6),
    ]
    #expect(shape.anchors == places.flatMap { [$0, $0] } + Array(repeating: CGPoint(x: 4, y: 4), count: 3))
    let short = DetectorShape(
      side: 128, pointCount: 6, minimumScore: 0.5, layers: [(stride: 8, count: 2), (stride: 16, count: 6)])
    #expect(short.anchors.count == 896)
  }

  /// The detections of an output in which only the given anchors have a score.
  private func detections(_ anchors: [Int: (place: [Float], score: Float)]) -> [Detection] {
    var places = [Float](repeating: 0, count: shape.anchors.count * shape.numbersPerAnchor)
    var scores = [Float](repeating: -100, count: shape.anchors.count)
    for (index, said) in anchors {
      for (offset, number) in said.place.enumerated() {
        places[index * shape.numbersPerAnchor + offset] = number
      }
      scores[index] = said.score
    }
    return places.withUnsafeBufferPointer { places in
      scores.withUnsafeBufferPointer { shape.detections(places: places, scores: $0) }
    }
  }

  @Test func `a box and its points follow from their anchor`() throws {
    let found = detections([2: ([1, -1, 4, 2, -3, 0.5], 2)])
    let one = try #require(found.first)
    #expect(found.count == 1)
    #expect(one.box == CGRect(x: 5, y: 0, width: 4, height: 2))
    #expect(one.points == [CGPoint(x: 3, y: 2.5)])
    #expect(abs(one.score - 0.8808) < 0.0001)
  }

  @Test func `what the model is not sure of, and what is no box, is left out`() {
    #expect(detections([0: ([0, 0, 2, 2, 0, 0], -0.01), 1: ([0, 0, 0, 2, 0, 0], 3)]).isEmpty)
    #expect(detections([0: ([.nan, 0, 2, 2, 0, 0], 3), 1: ([0, 0, .nan, 2, 0, 0], 3)]).isEmpty)
    #expect(detections([0: ([0, 0, 2, 2, 0, 0], 0)]).count == 1)
  }

  @Test func `outputs of another size say nothing`() {
    let few: [Float] = [1, 2, 3]
    let found = few.withUnsafeBufferPointer { shape.detections(places: $0, scores: $0) }
    #expect(found.isEmpty)
  }

  private func detection(_ x: Double, _ score: Double) -> Detection {
    Detection(
      box: CGRect(x: x, y: 0, width: 10, height: 10), points: [CGPoint(x: x, y: 1)], score: score)
  }

  @Test func `boxes of one object become one, each counting as much as it is sure`() throws {
    let blended = [detection(2, 0.25), detection(0, 0.75), detection(40, 0.5)].blended(above: 0.3)
    #expect(blended.count == 2)
    #expect(blended[0].box == CGRect(x: 0.5, y: 0, width: 10, height: 10))
    #expect(blended[0].points == [CGPoint(x: 0.5, y: 1)])
    #expect(blended[0].score == 0.75)
    #expect(blended[1].box.minX == 40)
  }

  @Test func `of several looks the surest counts, also over a piece of the same`() {
    var piece = detection(1, 0.6)
    piece.box = CGRect(x: 7, y: 3, width: 4, height: 3)
    #expect(piece.box.overlap(with: detection(0, 1).box) < 0.1)
    let surest = [detection(2, 0.25), piece, detection(0, 0.75), detection(40, 0.5)].surest(above: 0.5)
    #expect(surest.map(\.box.minX) == [0, 40])
  }

  @Test func `overlap is the common share of both`() {
    let box = CGRect(x: 0, y: 0, width: 10, height: 10)
    #expect(box.overlap(with: box) == 1)
    #expect(abs(box.overlap(with: CGRect(x: 5, y: 0, width: 10, height: 10)) - 1.0 / 3) < 1e-9)
    #expect(box.overlap(with: CGRect(x: 10, y: 0, width: 10, height: 10)) == 0)
    #expect(box.overlap(with: .zero) == 0)
  }
}

package import Foundation

/// The layout of a single-shot detector's outputs: its grid of anchors, and the numbers for each of them.
///
/// Source: MediaPipe's graphs of the models (`ssd_anchors_calculator`, `tensors_to_detections_calculator`), whose figures these
/// are; Bazarevsky et al., BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs (2019).
package struct DetectorShape: Sendable, Hashable {
  /// The side of the input, in pixels.
  package let side: Int
  /// The number of points of each box.
  package let pointCount: Int
  /// The least confidence of the model that counts.
  package let minimumScore: Double
  /// The centres of the anchors, in pixels of the input, in the order of the outputs.
  package let anchors: [CGPoint]

  /// The shape of a detector with anchors of one size.
  ///
  /// - Parameters:
  ///   - layers: For each of its layers, the pixels from anchor to anchor and how many anchors lie in each place; from the top
  ///     left row by row, the layers one after another.
  package init(
    side: Int, pointCount: Int, minimumScore: Double, layers: [(stride: Int, count: Int)]
  ) {
    self.side = side
    self.pointCount = pointCount
    self.minimumScore = minimumScore
    var anchors: [CGPoint] = []
    for layer in layers {
      let cells = (side + layer.stride - 1) / layer.stride
      let step = Double(side) / Double(cells)
      for row in 0..<cells {
        for column in 0..<cells {
          let center = CGPoint(x: (Double(column) + 0.5) * step, y: (Double(row) + 0.5) * step)
          anchors += repeatElement(center, count: layer.count)
        }
      }
    }
    self.anchors = anchors
  }

  /// Numbers for each anchor: the box's centre and size, then the points.
  package var numbersPerAnchor: Int { 4 + 2 * pointCount }

  /// The detections, in pixels of the input; the same object may be found by several anchors.
  ///
  /// - Parameters:
  ///   - places: ``numbersPerAnchor`` for each anchor: offsets from the anchor, and the box's size, in pixels.
  ///   - scores: One for each anchor, before the logistic function.
  package func detections(
    places: UnsafeBufferPointer<Float>, scores: UnsafeBufferPointer<Float>
  ) -> [Detection] {
    guard places.count == anchors.count * numbersPerAnchor, scores.count == anchors.count else { return [] }
    let least = Float(log(minimumScore / (1 - minimumScore)))
    var found: [Detection] = []
    for (index, score) in scores.enumerated() where score >= least {
      let anchor = anchors[index]
      let first = index * numbersPerAnchor
      func point(_ offset: Int) -> CGPoint {
        CGPoint(
          x: anchor.x + Double(places[first + offset]), y: anchor.y + Double(places[first + offset + 1]))
      }
      let center = point(0)
      let width = Double(places[first + 2])
      let height = Double(places[first + 3])
      guard width > 0, height > 0, center.x.isFinite, center.y.isFinite else { continue }
      found.append(
        Detection(
          box: CGRect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height),
          points: (0..<pointCount).map { point(4 + 2 * $0) },
          score: 1 / (1 + exp(-Double(score)))))
    }
    return found
  }
}

package import Foundation

/// A result of a detector: a box, some points in it and a score.
///
/// In pixels of the detector's input, or of the picture, from the top left.
package struct Detection: Sendable, Hashable {
  /// The box.
  package var box: CGRect
  /// Named points of the object, in the model's order.
  package var points: [CGPoint]
  /// The model's confidence, from 0 to 1.
  package var score: Double

  /// A detection of the given place.
  package init(box: CGRect, points: [CGPoint], score: Double) {
    self.box = box
    self.points = points
    self.score = score
  }

  /// The detection where `view` has it in the picture.
  func inPicture(_ view: SquareView) -> Detection {
    Detection(box: view.pictureRect(box), points: points.map(view.picturePoint), score: score)
  }
}

extension CGRect {
  /// The share of the area of both that belongs to both, from 0 to 1.
  package func overlap(with other: CGRect) -> Double {
    let common = intersection(other)
    guard !common.isNull, !common.isEmpty else { return 0 }
    let both = common.width * common.height
    return both / (width * height + other.width * other.height - both)
  }
}

extension CGRect {
  /// The share of the smaller of both that belongs to both, from 0 to 1.
  package func commonShare(with other: CGRect) -> Double {
    let common = intersection(other)
    let smaller = Swift.min(width * height, other.width * other.height)
    guard !common.isNull, smaller > 0 else { return 0 }
    return common.width * common.height / smaller
  }
}

extension [Detection] {
  /// One detection for each object: those that overlap by more than `limit` become one, each counting as much as it is sure.
  ///
  /// Source: Bazarevsky et al., BlazeFace (2019), section 4.2: blending in place of non-maximum suppression.
  package func blended(above limit: Double) -> [Detection] {
    var rest = sorted { $0.score > $1.score }
    var result: [Detection] = []
    while let best = rest.first {
      let group = rest.filter { $0.box == best.box || $0.box.overlap(with: best.box) > limit }
      rest.removeAll { $0.box == best.box || $0.box.overlap(with: best.box) > limit }
      let total = group.reduce(0) { $0 + $1.score }
      func mean(_ value: (Detection) -> Double) -> Double {
        group.reduce(0) { $0 + $1.score * value($1) } / total
      }
      result.append(
        Detection(
          box: CGRect(
            x: mean { $0.box.minX }, y: mean { $0.box.minY }, width: mean { $0.box.width },
            height: mean { $0.box.height }),
          points: best.points.indices.map { index in
            CGPoint(x: mean { $0.points[index].x }, y: mean { $0.points[index].y })
          },
          score: best.score))
    }
    return result
  }

  /// The surest of those whose common share is above `limit`: for passes of different sharpness.
  ///
  /// The share is of the smaller, because a pass over a part may see a piece of what another sees whole.
  package func surest(above limit: Double) -> [Detection] {
    var result: [Detection] = []
    for detection in sorted(by: { $0.score > $1.score })
    where !result.contains(where: { $0.box.commonShare(with: detection.box) > limit }) {
      result.append(detection)
    }
    return result
  }
}

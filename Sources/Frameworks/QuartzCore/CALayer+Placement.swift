internal import Foundation
internal import GraphicsCore

extension CALayer {
  /// From this layer's coordinates to its superlayer's.
  var placement: Homography { Homography(placementTransform) }

  /// From this layer's coordinates to its superlayer's, with the depths.
  package var placementTransform: CATransform3D {
    let anchor = CGPoint(
      x: bounds.minX + anchorPoint.x * bounds.width, y: bounds.minY + anchorPoint.y * bounds.height)
    var matrix = CATransform3DMakeTranslation(-anchor.x, -anchor.y, -anchorPointZ)
    matrix = CATransform3DConcat(matrix, transform)
    matrix = CATransform3DConcat(matrix, CATransform3DMakeTranslation(position.x, position.y, zPosition))
    if let superlayer, !CATransform3DIsIdentity(superlayer.sublayerTransform) {
      let middle = CGPoint(x: superlayer.bounds.midX, y: superlayer.bounds.midY)
      matrix = CATransform3DConcat(matrix, CATransform3DMakeTranslation(-middle.x, -middle.y, 0))
      matrix = CATransform3DConcat(matrix, superlayer.sublayerTransform)
      matrix = CATransform3DConcat(matrix, CATransform3DMakeTranslation(middle.x, middle.y, 0))
    }
    return matrix
  }

  /// From this layer's coordinates to the space around its tree.
  ///
  /// The top's own placement is part of it, so that layers without a common tree convert over their positions.
  var placementInTree: Homography {
    var way = placement
    var next = superlayer
    while let layer = next {
      way = way.followed(by: layer.placement)
      next = layer.superlayer
    }
    return way
  }

  func way(to other: CALayer?) -> Homography {
    guard let back = other?.placementInTree.inverted else { return placementInTree }
    return placementInTree.followed(by: back)
  }

  /// The sublayers as they are drawn: those farther away first.
  package var sublayersByDepth: [CALayer] {
    guard let sublayers, sublayers.contains(where: { $0.zPosition != 0 }) else { return sublayers ?? [] }
    return sublayers.enumerated()
      .sorted { ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset) }
      .map(\.element)
  }
}

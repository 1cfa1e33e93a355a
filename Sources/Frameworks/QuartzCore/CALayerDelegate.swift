/// Who answers for a layer.
public protocol CALayerDelegate: AnyObject {
  /// Places the sublayers of `layer`; called by its `layoutSublayers()`. Does nothing unless implemented.
  func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
  /// Leaves the sublayers where they are.
  public func layoutSublayers(of layer: CALayer) {}
}

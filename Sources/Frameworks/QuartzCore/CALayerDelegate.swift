public import Foundation

/// Who answers for a layer.
public protocol CALayerDelegate: NSObjectProtocol {
  /// Places the sublayers of `layer`; called by its `layoutSublayers()`. Does nothing unless implemented.
  func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
  /// Leaves the sublayers where they are.
  public func layoutSublayers(of layer: CALayer) {}
}

public import DrawingCore

/// A layer's delegate, which places its sublayers and draws its contents.
public protocol CALayerDelegate: AnyObject {
  /// Draws the contents of `layer`, in its coordinates; called by its `draw(in:)`. Does nothing unless implemented.
  func draw(_ layer: CALayer, in ctx: CGContext)

  /// Places the sublayers of `layer`; called by its `layoutSublayers()`. Does nothing unless implemented.
  func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
  /// Draws nothing.
  public func draw(_ layer: CALayer, in ctx: CGContext) {}

  /// Leaves the sublayers where they are.
  public func layoutSublayers(of layer: CALayer) {}
}

/// The drawer of a tree of layers.
package protocol CALayerHost: AnyObject {
  /// Something in the tree looks different, or lies elsewhere; called on the thread that has changed it.
  func layersChanged()
}

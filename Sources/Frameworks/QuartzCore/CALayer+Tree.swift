internal import FoundationExtras

/// A layer's place in its tree.
extension CALayer {
  /// Notifies the tree's host that the layer looks different now.
  package final func noteChange() {
    if !animations.isApplied { top.host?.layersChanged() }
  }

  /// What all of the tree lies in; of a mask, the top of the masked layer's tree.
  var top: CALayer {
    var top = self
    while let next = top.superlayer ?? top.masked { top = next }
    return top
  }

  /// Whether this is `layer`, lies in it, or is a part of its mask.
  func isPart(of layer: CALayer) -> Bool {
    self === layer || (superlayer ?? masked)?.isPart(of: layer) ?? false
  }

  /// Whether `layer` may go into this one; a layer inside itself would be a ring.
  func mayAdopt(_ layer: CALayer) -> Bool {
    if isPart(of: layer) {
      ProgrammingMistake.report(
        rule: "A layer cannot be put into itself or into a layer within it; remove it from there first.")
      return false
    }
    if layer.masked != nil {
      ProgrammingMistake.report(
        rule:
          "A layer that is the mask of another one cannot lie in a layer; set that layer's mask to nil first."
      )
      return false
    }
    return true
  }
}

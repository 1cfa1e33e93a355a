import AVFoundation

/// The live picture, and over it the depth map while that is shown.
final class LiveLayer: CALayer {
  private let preview: CALayer
  private let depth = CALayer()

  init(_ preview: CALayer) {
    self.preview = preview
    super.init()
    depth.contentsGravity = .resizeAspect
    depth.isHidden = true
    addSublayer(preview)
    addSublayer(depth)
  }

  /// Whether the depth map is shown instead of the picture.
  var showsDepth = false {
    didSet {
      guard showsDepth != oldValue else { return }
      depth.isHidden = !showsDepth
      // A map is not of just the picture's shape.
      preview.isHidden = showsDepth
      depth.contents = nil
    }
  }

  /// Shows another depth map.
  func show(depth picture: Any) {
    if showsDepth { depth.contents = picture }
  }

  override func layoutSublayers() {
    for layer in [preview, depth] { layer.frame = bounds }
  }
}

import AVFoundation

/// The live picture, and over it the depth map or the points in space while these are shown.
final class LiveLayer: CALayer {
  /// The content of the stage.
  enum Shown: Equatable {
    case picture
    /// The map over the picture, so much of it.
    case depth(mix: Double)
    case cloud
    case nothing
  }

  private let preview: CALayer
  private let depth = CALayer()
  private let cloud = CALayer()

  init(_ preview: CALayer) {
    self.preview = preview
    super.init()
    for layer in [depth, cloud] {
      layer.contentsGravity = .resizeAspect
      layer.isHidden = true
    }
    for layer in [preview, depth, cloud] { addSublayer(layer) }
  }

  /// The content that is seen now.
  var shown = Shown.picture {
    didSet {
      guard shown != oldValue else { return }
      var opacity = 0.0
      if case .depth(let mix) = shown { opacity = mix }
      if depth.isHidden != (opacity == 0) {
        depth.isHidden = opacity == 0
        depth.contents = nil
      }
      depth.opacity = Float(opacity)
      preview.isHidden = shown == .cloud || shown == .nothing
      if cloud.isHidden != (shown != .cloud) {
        cloud.isHidden = shown != .cloud
        cloud.contents = nil
      }
    }
  }

  /// Shows another depth map.
  func show(depth picture: Any) {
    if !depth.isHidden { depth.contents = picture }
  }

  /// Shows another picture of the points.
  func show(cloud picture: Any) {
    if !cloud.isHidden { cloud.contents = picture }
  }

  override func layoutSublayers() {
    for layer in [preview, depth, cloud] { layer.frame = bounds }
  }
}

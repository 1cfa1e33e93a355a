package import Foundation

/// The place and the scaling of contents in a layer's bounds.
///
/// Apple: `CALayerContentsGravity`.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The gravity of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// In the middle, in their own size.
  public static let center = CALayerContentsGravity(rawValue: "center")
  /// In the middle of the upper edge, in their own size.
  public static let top = CALayerContentsGravity(rawValue: "top")
  /// In the middle of the lower edge, in their own size.
  public static let bottom = CALayerContentsGravity(rawValue: "bottom")
  /// In the middle of the left edge, in their own size.
  public static let left = CALayerContentsGravity(rawValue: "left")
  /// In the middle of the right edge, in their own size.
  public static let right = CALayerContentsGravity(rawValue: "right")
  /// In the upper left corner, in their own size.
  public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
  /// In the upper right corner, in their own size.
  public static let topRight = CALayerContentsGravity(rawValue: "topRight")
  /// In the lower left corner, in their own size.
  public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
  /// In the lower right corner, in their own size.
  public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
  /// Stretched to the bounds.
  public static let resize = CALayerContentsGravity(rawValue: "resize")
  /// As large as goes into the bounds whole.
  public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
  /// As small as fills the bounds.
  public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

extension CALayerContentsGravity {
  /// Where contents of a size lie in a rectangle.
  package func place(_ size: CGSize, in bounds: CGRect) -> CGRect {
    switch self {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
      guard size.width > 0, size.height > 0, bounds.width > 0, bounds.height > 0 else { return .zero }
      let scales = (bounds.width / size.width, bounds.height / size.height)
      let scale = self == .resizeAspect ? min(scales.0, scales.1) : max(scales.0, scales.1)
      return CALayerContentsGravity.center.place(
        CGSize(width: size.width * scale, height: size.height * scale), in: bounds)
    default: break
    }
    let isLeft = [.left, .topLeft, .bottomLeft].contains(self)
    let isRight = [.right, .topRight, .bottomRight].contains(self)
    let isTop = [.top, .topLeft, .topRight].contains(self)
    let isBottom = [.bottom, .bottomLeft, .bottomRight].contains(self)
    return CGRect(
      x: isLeft ? bounds.minX : isRight ? bounds.maxX - size.width : bounds.midX - size.width / 2,
      y: isTop ? bounds.minY : isBottom ? bounds.maxY - size.height : bounds.midY - size.height / 2,
      width: size.width, height: size.height)
  }
}

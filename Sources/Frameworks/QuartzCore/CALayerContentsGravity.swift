/// Where contents lie in a layer's bounds, and whether they are stretched.
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

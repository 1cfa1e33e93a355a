public import Foundation

/// The fit of a picture in a rectangle of another aspect.
///
/// Apple: `AVLayerVideoGravity`.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The gravity with Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// All of the picture, aspect kept, bars where the rectangle is larger.
  public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
  /// All of the rectangle, aspect kept, the picture cut where it is larger.
  public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// All of both, the picture stretched.
  public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// The largest rectangle of an aspect that fits into another, centred.
///
/// - Parameters:
///   - aspectRatio: Width and height of any size; only their ratio counts.
///   - boundingRect: Where the result must fit.
/// - Returns: A rectangle inside `boundingRect`, or an empty one at its centre when a side of `aspectRatio` is not above 0.
///
/// Apple: `AVMakeRectWithAspectRatioInsideRect`.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
  guard aspectRatio.width > 0, aspectRatio.height > 0 else {
    return CGRect(x: boundingRect.midX, y: boundingRect.midY, width: 0, height: 0)
  }
  let scale = min(boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
  let size = CGSize(width: aspectRatio.width * scale, height: aspectRatio.height * scale)
  return CGRect(
    x: boundingRect.midX - size.width / 2, y: boundingRect.midY - size.height / 2,
    width: size.width, height: size.height)
}

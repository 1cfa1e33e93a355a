public import Foundation

/// The corner of a picture that coordinates are counted from.
///
/// Apple: `CoordinateOrigin`.
public enum CoordinateOrigin: Sendable, Hashable {
  /// y goes upwards, as in Vision.
  case lowerLeft
  /// y goes downwards, as in windows.
  case upperLeft
}

/// A place in fractions of a picture, y upwards.
///
/// Apple: `NormalizedPoint`.
public struct NormalizedPoint: Sendable, Hashable, Codable {
  /// From the left edge.
  public let x: CGFloat
  /// From the lower edge.
  public let y: CGFloat

  /// The lower left corner.
  public static let zero = NormalizedPoint(x: 0, y: 0)

  /// A place.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// A place of a picture of so many pixels.
  ///
  /// Apple: `NormalizedPoint.init(imagePoint:in:)`.
  public init(imagePoint: CGPoint, in imageSize: CGSize) {
    self.init(x: imagePoint.x / imageSize.width, y: imagePoint.y / imageSize.height)
  }

  init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }

  /// The same as a point.
  public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

  /// The place in pixels of a picture of so many.
  ///
  /// Apple: `NormalizedPoint.toImageCoordinates(_:origin:)`.
  public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
    CGPoint(x: x * imageSize.width, y: (origin == .lowerLeft ? y : 1 - y) * imageSize.height)
  }

  /// The place as far from the upper edge.
  ///
  /// Apple: `NormalizedPoint.verticallyFlipped()`.
  public func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }
}

/// A rectangle in fractions of a picture, y upwards.
///
/// Apple: `NormalizedRect`.
public struct NormalizedRect: Sendable, Hashable {
  /// The same as a rectangle.
  public let cgRect: CGRect

  /// All of a picture.
  public static let fullImage = NormalizedRect(normalizedRect: VNNormalizedIdentityRect)

  /// A rectangle.
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    cgRect = CGRect(x: x, y: y, width: width, height: height)
  }

  /// A rectangle that is in fractions already.
  public init(normalizedRect: CGRect) {
    cgRect = normalizedRect
  }

  /// A rectangle of a picture of so many pixels.
  ///
  /// Apple: `NormalizedRect.init(imageRect:in:)`.
  public init(imageRect: CGRect, in imageSize: CGSize) {
    self.init(
      x: imageRect.minX / imageSize.width, y: imageRect.minY / imageSize.height,
      width: imageRect.width / imageSize.width, height: imageRect.height / imageSize.height)
  }

  /// The lower left corner.
  public var origin: CGPoint { cgRect.origin }
  /// The width.
  public var width: CGFloat { cgRect.width }
  /// The height.
  public var height: CGFloat { cgRect.height }

  /// The rectangle in pixels of a picture of so many.
  ///
  /// Apple: `NormalizedRect.toImageCoordinates(_:origin:)`.
  public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGRect {
    let low = origin == .lowerLeft ? cgRect.minY : 1 - cgRect.maxY
    return CGRect(
      x: cgRect.minX * imageSize.width, y: low * imageSize.height, width: cgRect.width * imageSize.width,
      height: cgRect.height * imageSize.height)
  }

  /// The rectangle as far from the upper edge.
  ///
  /// Apple: `NormalizedRect.verticallyFlipped()`.
  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(x: cgRect.minX, y: 1 - cgRect.maxY, width: cgRect.width, height: cgRect.height)
  }
}

public import Foundation

/// A confidence from 0 to 1.
///
/// Apple: `VNConfidence`.
public typealias VNConfidence = Float
/// A shorter side over the longer one, from 0 to 1.
///
/// Apple: `VNAspectRatio`.
public typealias VNAspectRatio = Float
/// An angle in degrees.
///
/// Apple: `VNDegrees`.
public typealias VNDegrees = Float

/// The whole of an image: Vision's places are fractions of an image's width and height, and y goes upwards from its lower edge.
///
/// Apple: `VNNormalizedIdentityRect`.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// Whether a rectangle is the whole image.
///
/// Apple: `VNNormalizedRectIsIdentityRect(_:)`.
public func VNNormalizedRectIsIdentityRect(_ normalizedRect: CGRect) -> Bool {
  normalizedRect == VNNormalizedIdentityRect
}

/// A place in pixels of an image of so many, y upwards, from fractions of it.
///
/// Apple: `VNImagePointForNormalizedPoint(_:_:_:)`.
public func VNImagePointForNormalizedPoint(
  _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
  CGPoint(x: normalizedPoint.x * CGFloat(imageWidth), y: normalizedPoint.y * CGFloat(imageHeight))
}

/// A place in fractions of an image of so many pixels.
///
/// Apple: `VNNormalizedPointForImagePoint(_:_:_:)`.
public func VNNormalizedPointForImagePoint(_ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int)
  -> CGPoint
{
  CGPoint(x: imagePoint.x / CGFloat(imageWidth), y: imagePoint.y / CGFloat(imageHeight))
}

/// A rectangle in pixels of an image of so many, y upwards, from fractions of it.
///
/// Apple: `VNImageRectForNormalizedRect(_:_:_:)`.
public func VNImageRectForNormalizedRect(_ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int)
  -> CGRect
{
  let (width, height) = (CGFloat(imageWidth), CGFloat(imageHeight))
  return CGRect(
    x: normalizedRect.minX * width, y: normalizedRect.minY * height, width: normalizedRect.width * width,
    height: normalizedRect.height * height)
}

/// A rectangle in fractions of an image of so many pixels.
///
/// Apple: `VNNormalizedRectForImageRect(_:_:_:)`.
public func VNNormalizedRectForImageRect(_ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect
{
  let (width, height) = (CGFloat(imageWidth), CGFloat(imageHeight))
  return CGRect(
    x: imageRect.minX / width, y: imageRect.minY / height, width: imageRect.width / width,
    height: imageRect.height / height)
}

/// A rectangle in pixels of an image of so many, from fractions of a part of it.
///
/// Apple: `VNImageRectForNormalizedRectUsingRegionOfInterest(_:_:_:_:)`.
public func VNImageRectForNormalizedRectUsingRegionOfInterest(
  _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
  let whole = CGRect(
    x: roi.minX + normalizedRect.minX * roi.width, y: roi.minY + normalizedRect.minY * roi.height,
    width: normalizedRect.width * roi.width, height: normalizedRect.height * roi.height)
  return VNImageRectForNormalizedRect(whole, imageWidth, imageHeight)
}

internal import CodeReading
public import Foundation

/// The type of ``CIQRCodeFeature``.
///
/// Apple: `CIFeatureTypeQRCode`.
public let CIFeatureTypeQRCode = "QRCode"

/// The type of ``CIRectangleFeature``.
///
/// Apple: `CIFeatureTypeRectangle`.
public let CIFeatureTypeRectangle = "Rectangle"

/// The base of the features that are found in an image: faces, rectangles and QR codes.
///
/// Apple: `CIFeature`.
open class CIFeature: NSObject, @unchecked Sendable {  // Safe: constants.
  /// Its type: ``CIFeatureTypeFace``, ``CIFeatureTypeRectangle`` or ``CIFeatureTypeQRCode``.
  ///
  /// Apple: `CIFeature.type`.
  public let type: String
  /// The smallest upright rectangle around it, in the image's coordinates: from the lower left.
  ///
  /// Apple: `CIFeature.bounds`.
  public let bounds: CGRect

  init(type: String, bounds: CGRect) {
    self.type = type
    self.bounds = bounds
    super.init()
  }

  /// The four corners, or zeros where some are missing.
  fileprivate static func four(_ corners: [CGPoint]) -> (CGPoint, CGPoint, CGPoint, CGPoint) {
    corners.count == 4 ? (corners[0], corners[1], corners[2], corners[3]) : (.zero, .zero, .zero, .zero)
  }

  /// The smallest upright rectangle around the corners.
  fileprivate static func bounds(around corners: [CGPoint]) -> CGRect {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, bottom) = (xs.min() ?? 0, ys.min() ?? 0)
    return CGRect(x: left, y: bottom, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - bottom)
  }
}

/// A rectangle that was found in an image, as it is seen in perspective.
///
/// Apple: `CIRectangleFeature`.
open class CIRectangleFeature: CIFeature, @unchecked Sendable {  // Safe: constants.
  /// Its top left corner, in the image's coordinates.
  ///
  /// Apple: `CIRectangleFeature.topLeft`.
  public let topLeft: CGPoint
  /// Its top right corner.
  ///
  /// Apple: `CIRectangleFeature.topRight`.
  public let topRight: CGPoint
  /// Its bottom left corner.
  ///
  /// Apple: `CIRectangleFeature.bottomLeft`.
  public let bottomLeft: CGPoint
  /// Its bottom right corner.
  ///
  /// Apple: `CIRectangleFeature.bottomRight`.
  public let bottomRight: CGPoint

  /// - Parameter corners: Top left, top right, bottom right, bottom left.
  init(_ corners: [CGPoint]) {
    (topLeft, topRight, bottomRight, bottomLeft) = Self.four(corners)
    super.init(type: CIFeatureTypeRectangle, bounds: Self.bounds(around: corners))
  }
}

/// A QR code that was read in an image.
///
/// Its corners are its own, wherever they lie in the image, in the image's coordinates.
///
/// Apple: `CIQRCodeFeature`.
open class CIQRCodeFeature: CIFeature, @unchecked Sendable {  // Safe: constants.
  /// The corner that is at the top left of the code as it is meant to be seen.
  ///
  /// Apple: `CIQRCodeFeature.topLeft`.
  public let topLeft: CGPoint
  /// The code's top right corner.
  ///
  /// Apple: `CIQRCodeFeature.topRight`.
  public let topRight: CGPoint
  /// The code's bottom left corner.
  ///
  /// Apple: `CIQRCodeFeature.bottomLeft`.
  public let bottomLeft: CGPoint
  /// The code's bottom right corner.
  ///
  /// Apple: `CIQRCodeFeature.bottomRight`.
  public let bottomRight: CGPoint
  /// The text of the code; `nil` where it holds bytes that are no text.
  ///
  /// Apple: `CIQRCodeFeature.messageString`.
  public let messageString: String?

  /// How the code holds what it says; `nil` where ZXing-C++ is newer than 1.4, which keeps that to itself.
  ///
  /// Apple: `CIQRCodeFeature.symbolDescriptor`.
  public let symbolDescriptor: CIQRCodeDescriptor?

  /// - Parameter corners: Top left, top right, bottom right, bottom left.
  init(_ code: RecognizedCode, corners: [CGPoint]) {
    (topLeft, topRight, bottomRight, bottomLeft) = Self.four(corners)
    messageString = code.text
    symbolDescriptor = CIBarcodeDescriptor.descriptor(of: code.symbol) as? CIQRCodeDescriptor
    super.init(type: CIFeatureTypeQRCode, bounds: Self.bounds(around: corners))
  }
}

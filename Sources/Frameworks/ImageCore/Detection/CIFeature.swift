internal import CodeReading
public import Foundation

/// The type of ``CIQRCodeFeature``.
///
/// Apple: `CIFeatureTypeQRCode`.
public let CIFeatureTypeQRCode = "QRCode"

/// Something that was found in an image.
///
/// Apple: `CIFeature`.
open class CIFeature: NSObject, @unchecked Sendable {  // Safe: constants.
  /// What it is: ``CIFeatureTypeQRCode``.
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
  /// What the code says; `nil` where it holds bytes that are no text.
  ///
  /// Apple: `CIQRCodeFeature.messageString`.
  public let messageString: String?

  /// - Parameter corners: Top left, top right, bottom right, bottom left.
  init(_ code: RecognizedCode, corners: [CGPoint]) {
    func corner(_ index: Int) -> CGPoint { corners.indices.contains(index) ? corners[index] : .zero }
    topLeft = corner(0)
    topRight = corner(1)
    bottomRight = corner(2)
    bottomLeft = corner(3)
    messageString = code.text
    let xs = corners.map(\.x), ys = corners.map(\.y)
    let left = xs.min() ?? 0, bottom = ys.min() ?? 0
    super.init(
      type: CIFeatureTypeQRCode,
      bounds: CGRect(x: left, y: bottom, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - bottom))
  }
}

public import CoreMedia
public import CoreVideo
public import Foundation

/// Something that a request has found; the base of all kinds.
///
/// Immutable.
///
/// Source: [VNObservation](https://developer.apple.com/documentation/vision/vnobservation).
open class VNObservation: NSObject, @unchecked Sendable {  // Safe: constants.
  /// Its own number.
  ///
  /// Apple: `VNObservation.uuid`.
  public let uuid = UUID()
  /// How sure it is, from 0 to 1.
  ///
  /// Apple: `VNObservation.confidence`.
  public let confidence: VNConfidence
  /// When it was seen: empty at zero, a picture has no time.
  ///
  /// Apple: `VNObservation.timeRange`.
  public let timeRange = CMTimeRange.zero

  init(confidence: Double) {
    self.confidence = VNConfidence(confidence)
    super.init()
  }
}

/// Something at a place.
///
/// Source: [VNDetectedObjectObservation](https://developer.apple.com/documentation/vision/vndetectedobjectobservation).
open class VNDetectedObjectObservation: VNObservation, @unchecked Sendable {  // Safe: constants.
  /// The smallest upright rectangle around it, in fractions of the searched part, y upwards.
  ///
  /// Apple: `VNDetectedObjectObservation.boundingBox`.
  public let boundingBox: CGRect

  init(boundingBox: CGRect, confidence: Double) {
    self.boundingBox = boundingBox
    super.init(confidence: confidence)
  }

  /// Something at a place that a client knows, with the confidence 1.
  ///
  /// Apple: `VNDetectedObjectObservation.init(boundingBox:)`.
  public convenience init(boundingBox: CGRect) {
    self.init(boundingBox: boundingBox, confidence: 1)
  }
}

/// Four corners, such as those of a document in perspective.
///
/// Source: [VNRectangleObservation](https://developer.apple.com/documentation/vision/vnrectangleobservation).
open class VNRectangleObservation: VNDetectedObjectObservation, @unchecked Sendable {  // Safe: constants.
  /// Its upper left corner, in fractions of the searched part, y upwards; of a code the code's own.
  ///
  /// Apple: `VNRectangleObservation.topLeft`.
  public let topLeft: CGPoint
  /// Its upper right corner.
  ///
  /// Apple: `VNRectangleObservation.topRight`.
  public let topRight: CGPoint
  /// Its lower left corner.
  ///
  /// Apple: `VNRectangleObservation.bottomLeft`.
  public let bottomLeft: CGPoint
  /// Its lower right corner.
  ///
  /// Apple: `VNRectangleObservation.bottomRight`.
  public let bottomRight: CGPoint

  /// - Parameter corners: Top left, top right, bottom right, bottom left.
  init(corners: [CGPoint], confidence: Double) {
    (topLeft, topRight, bottomRight, bottomLeft) = (corners[0], corners[1], corners[2], corners[3])
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, low) = (xs.min() ?? 0, ys.min() ?? 0)
    super.init(
      boundingBox: CGRect(x: left, y: low, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - low),
      confidence: confidence)
  }
}

/// A picture that a request has made.
///
/// Source: [VNPixelBufferObservation](https://developer.apple.com/documentation/vision/vnpixelbufferobservation).
open class VNPixelBufferObservation: VNObservation, @unchecked Sendable {  // Safe: constants.
  /// The picture.
  ///
  /// Apple: `VNPixelBufferObservation.pixelBuffer`.
  public let pixelBuffer: CVPixelBuffer
  /// The name of a model's output; `nil`, as no request here runs a client's model.
  ///
  /// Apple: `VNPixelBufferObservation.featureName`.
  public let featureName: String? = nil

  init(_ pixelBuffer: CVPixelBuffer) {
    self.pixelBuffer = pixelBuffer
    super.init(confidence: 1)
  }
}

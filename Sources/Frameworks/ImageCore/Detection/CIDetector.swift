internal import CodeReading
internal import CoreVideo
public import Foundation
internal import GraphicsCore
internal import Linux

/// The detector of QR codes.
///
/// Apple: `CIDetectorTypeQRCode`.
public let CIDetectorTypeQRCode = "CIDetectorTypeQRCode"

/// How hard a detector looks, in its options: ``CIDetectorAccuracyLow`` or ``CIDetectorAccuracyHigh``.
///
/// Apple: `CIDetectorAccuracy`.
public let CIDetectorAccuracy = "CIDetectorAccuracy"

/// Once, quickly: what a detector does unless asked for more.
///
/// Apple: `CIDetectorAccuracyLow`.
public let CIDetectorAccuracyLow = "CIDetectorAccuracyLow"

/// Everything that might help, until something is found.
///
/// Apple: `CIDetectorAccuracyHigh`.
public let CIDetectorAccuracyHigh = "CIDetectorAccuracyHigh"

/// Finds QR codes in images.
///
/// Thread-safe; one image is searched at a time.
///
/// - Note: Unlike Core Image, which has more types: a detector of faces, text or rectangles cannot be made here.
///
/// Source: [CIDetector](https://developer.apple.com/documentation/coreimage/cidetector).
open class CIDetector: NSObject, @unchecked Sendable {  // Safe: constants, and a reader used under a lock.
  private struct Reader: @unchecked Sendable {  // Safe because it is only used under the lock.
    let codes: CodeReader
  }

  private let reader = Locked(Reader(codes: CodeReader(kinds: [.qr])))
  private let context: CIContext
  private let effort: CodeReader.Effort

  /// A detector; `nil` for a type other than ``CIDetectorTypeQRCode``.
  ///
  /// - Parameters:
  ///   - type: What it finds.
  ///   - context: What images are rendered with; `nil` for a new one.
  ///   - options: ``CIDetectorAccuracy``; others change nothing.
  ///
  /// Apple: `CIDetector.init(ofType:context:options:)`.
  public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {
    guard type == CIDetectorTypeQRCode else { return nil }
    self.context = context ?? CIContext()
    effort = options?[CIDetectorAccuracy] as? String == CIDetectorAccuracyHigh ? .thorough : .light
    super.init()
  }

  /// What is found in `image`: ``CIQRCodeFeature`` objects, in the image's coordinates.
  ///
  /// Empty for an image without end or without pixels. Renders the image, and takes milliseconds for each megapixel.
  /// Apple: `CIDetector.features(in:)`.
  open func features(in image: CIImage) -> [CIFeature] {
    features(in: image, options: nil)
  }

  /// What is found in `image`; the options change nothing for codes, which are read in every direction.
  ///
  /// Apple: `CIDetector.features(in:options:)`.
  open func features(in image: CIImage, options: [String: Any]?) -> [CIFeature] {
    let extent = image.extent.integral
    guard let picture = render(image, extent) else { return [] }
    // The reader refuses pixel formats only, and this one it knows.
    let codes = reader.withLock { reader in try? reader.codes.codes(in: picture, effort: effort) }
    return (codes ?? []).map { code in
      CIQRCodeFeature(
        code, corners: code.corners.map { CGPoint(x: extent.minX + $0.x, y: extent.maxY - $0.y) })
    }
  }

  private func render(_ image: CIImage, _ extent: CGRect) -> CVPixelBuffer? {
    guard !extent.isEmpty, !extent.isInfinite, extent.width * extent.height < 1e9 else { return nil }
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, Int(extent.width), Int(extent.height), kCVPixelFormatType_32BGRA, nil, &buffer)
    guard let buffer else { return nil }
    context.render(
      image.transformed(by: CGAffineTransform(translationX: -extent.minX, y: -extent.minY)), to: buffer)
    return buffer
  }
}

internal import CodeReading
internal import CoreVideo
public import Foundation
internal import GraphicsCore
internal import Linux
internal import PeopleFinding

/// The detector of QR codes.
///
/// Apple: `CIDetectorTypeQRCode`.
public let CIDetectorTypeQRCode = "CIDetectorTypeQRCode"

/// The detector of faces.
///
/// Apple: `CIDetectorTypeFace`.
public let CIDetectorTypeFace = "CIDetectorTypeFace"

/// The detector of rectangles: documents, cards and screens.
///
/// Apple: `CIDetectorTypeRectangle`.
public let CIDetectorTypeRectangle = "CIDetectorTypeRectangle"

/// Whether a detector of faces gives each a number that it keeps from image to image, in its options; an `NSNumber` of a `Bool`.
///
/// Apple: `CIDetectorTracking`.
public let CIDetectorTracking = "CIDetectorTracking"

/// How large a feature must be, in a detector's options: its longer side as a part of the image's shorter one, 0 to 1.
///
/// 0.15 for faces and 0.2 for rectangles unless it is set. Apple: `CIDetectorMinFeatureSize`.
public let CIDetectorMinFeatureSize = "CIDetectorMinFeatureSize"

/// How many rectangles are reported at most, in a detector's options or those of a search; 1 unless it is set.
///
/// Apple: `CIDetectorMaxFeatureCount`.
public let CIDetectorMaxFeatureCount = "CIDetectorMaxFeatureCount"

/// How much wider than high a rectangle should be, in the options of a search: of several, the nearest to it come first.
///
/// 1.6 unless it is set. Apple: `CIDetectorAspectRatio`.
public let CIDetectorAspectRatio = "CIDetectorAspectRatio"

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

/// Finds faces, rectangles and QR codes in images.
///
/// Thread-safe; one image is searched at a time.
///
/// - Note: Unlike Core Image, faces are found only where this machine has a model of them (`obscura doctor` says how to get it), in
///   every direction whatever the options say of the image's; smiles and blinks are not. A detector of text cannot be made.
///
/// Source: [CIDetector](https://developer.apple.com/documentation/coreimage/cidetector).
open class CIDetector: NSObject, @unchecked Sendable {  // Safe: constants, and a search used under a lock.
  private struct Searcher: @unchecked Sendable {  // Safe because it is only used under the lock.
    let search: any FeatureSearch
  }

  private let searcher: Locked<Searcher>
  private let context: CIContext

  /// A detector; `nil` for an unknown type, and for ``CIDetectorTypeFace`` without a model of faces.
  ///
  /// - Parameters:
  ///   - type: What it finds.
  ///   - context: What images are rendered with; `nil` for a new one.
  ///   - options: ``CIDetectorAccuracy``, ``CIDetectorTracking``, ``CIDetectorMinFeatureSize``, ``CIDetectorMaxFeatureCount``; others
  ///     change nothing.
  ///
  /// Apple: `CIDetector.init(ofType:context:options:)`.
  public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {
    let options = DetectorOptions(options)
    let search: (any FeatureSearch)? =
      switch type {
      case CIDetectorTypeQRCode: CodeSearch(options)
      case CIDetectorTypeFace: FaceSearch(options)
      case CIDetectorTypeRectangle: RectangleSearch(options)
      default: nil
      }
    guard let search else { return nil }
    searcher = Locked(Searcher(search: search))
    self.context = context ?? CIContext()
    super.init()
  }

  /// What is found in `image`: ``CIFaceFeature``, ``CIRectangleFeature`` or ``CIQRCodeFeature`` objects, in the image's coordinates.
  ///
  /// Empty for an image without end or without pixels. Renders the image, and takes milliseconds for each megapixel; of faces some
  /// five for each pass, up to thirty passes at high accuracy.
  /// Apple: `CIDetector.features(in:)`.
  open func features(in image: CIImage) -> [CIFeature] {
    features(in: image, options: nil)
  }

  /// What is found in `image`, with options of this search: ``CIDetectorMinFeatureSize``, ``CIDetectorMaxFeatureCount`` and
  /// ``CIDetectorAspectRatio``.
  ///
  /// Apple: `CIDetector.features(in:options:)`.
  open func features(in image: CIImage, options: [String: Any]?) -> [CIFeature] {
    let extent = image.extent.integral
    guard let picture = render(image, extent) else { return [] }
    let place = PictureToImageTransform(extent: extent)
    return searcher.withLock { $0.search.features(in: picture, place, DetectorOptions(options)) }
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

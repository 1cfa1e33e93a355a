internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageCore
internal import ImageIO
internal import PixelTransforms
internal import StillCodecs

/// The picture that requests search: upright, and cut to the part that is searched.
///
/// One thread at a time.
final class SearchedPicture {
  private let source: CVPixelBuffer
  private let orientation: CGImagePropertyOrientation
  private let transformer = PixelTransformer(bufferLimit: .max)
  private var parts: [(region: CGRect, picture: CVPixelBuffer)] = []

  init(_ source: CVPixelBuffer, _ orientation: CGImagePropertyOrientation) {
    self.source = source
    self.orientation = orientation
  }

  /// A part of the picture as it is looked at; the same buffer for the same part.
  ///
  /// - Parameter region: In fractions of the upright picture, y upwards.
  func part(_ region: CGRect) throws -> CVPixelBuffer {
    if let known = parts.first(where: { $0.region == region })?.picture { return known }
    guard VNNormalizedIdentityRect.contains(region), region.width > 0, region.height > 0 else {
      throw VNErrorCode.outOfBoundsError.error(
        "The region of interest \(region) is not inside of the picture, which is (0, 0, 1, 1).")
    }
    do {
      let picture = try cut(upright(), to: region)
      parts.append((region, picture))
      return picture
    } catch let error as PixelTransformError {
      throw VNErrorCode.invalidFormat.error("The picture cannot be read: \(error)")
    }
  }

  private func upright() throws -> CVPixelBuffer {
    let (turn, isMirrored): (QuarterTurn, Bool) =
      switch orientation {
      case .up: (.none, false)
      case .upMirrored: (.none, true)
      case .down: (.half, false)
      case .downMirrored: (.half, true)
      case .right: (.clockwise90, false)
      case .rightMirrored: (.clockwise90, true)
      case .left: (.clockwise270, false)
      case .leftMirrored: (.clockwise270, true)
      }
    guard turn != .none || isMirrored else { return source }
    return try transformer.apply(FrameTransform(rotation: turn, isMirrored: isMirrored), to: source)
  }

  private func cut(_ picture: CVPixelBuffer, to region: CGRect) throws -> CVPixelBuffer {
    guard !VNNormalizedRectIsIdentityRect(region) else { return picture }
    let (width, height) = (Double(picture.width), Double(picture.height))
    let (left, top) = (Int(region.minX * width), Int((1 - region.maxY) * height))
    let crop = PixelRect(
      x: left, y: top, width: max(1, Int((region.maxX * width).rounded()) - left),
      height: max(1, Int(((1 - region.minY) * height).rounded()) - top))
    return try transformer.apply(FrameTransform(crop: crop), to: picture)
  }

  // MARK: Sources

  /// The pixels of an image.
  static func pixels(of image: CGImage) throws -> CVPixelBuffer {
    do {
      return try image.makePixelBuffer()
    } catch {
      throw VNErrorCode.invalidImage.error("The image cannot be read: \(error)")
    }
  }

  /// The pixels of an image within its extent.
  static func pixels(of image: CIImage) throws -> CVPixelBuffer {
    let extent = image.extent.integral
    guard !extent.isEmpty, !extent.isInfinite,
      let picture = CIContext().createCGImage(image, from: extent)
    else {
      throw VNErrorCode.invalidImage.error(
        "The image has no pixels that can be searched; crop it to a size first.")
    }
    return try pixels(of: picture)
  }

  /// The pixels of a picture file, and how it is to be turned.
  static func pixels(of file: Data) throws -> (CVPixelBuffer, CGImagePropertyOrientation) {
    guard let source = CGImageSourceCreateWithData(file as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else {
      throw VNErrorCode.invalidImage.error("The file holds no picture that can be read.")
    }
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
    let number = properties?[kCGImagePropertyOrientation] as? NSNumber
    let orientation = number.flatMap { CGImagePropertyOrientation(rawValue: $0.uint32Value) }
    return (try pixels(of: image), orientation ?? .up)
  }

  /// The bytes of a file.
  static func bytes(of file: URL) throws -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw VNErrorCode.ioError.error("\(file.path) cannot be read: \(error.localizedDescription)")
    }
  }
}

/// The way from places in a searched part, in its pixels from the top left, to Vision's: fractions of it, y upwards.
struct PartPlaces {
  private let width: Double
  private let height: Double
  /// The part of the whole picture that fractions are of, where they are not of the part itself.
  private let region: CGRect?

  /// - Parameter region: The part, for results in fractions of the whole picture; `nil` for those of the part.
  init(_ part: CVPixelBuffer, in region: CGRect? = nil) {
    (width, height) = (Double(part.width), Double(part.height))
    self.region = region
  }

  func point(_ point: CGPoint) -> CGPoint {
    let own = CGPoint(x: point.x / width, y: 1 - point.y / height)
    guard let region else { return own }
    return CGPoint(x: region.minX + own.x * region.width, y: region.minY + own.y * region.height)
  }

  func rect(_ rect: CGRect) -> CGRect {
    let (low, high) = (
      point(CGPoint(x: rect.minX, y: rect.maxY)), point(CGPoint(x: rect.maxX, y: rect.minY))
    )
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }
}

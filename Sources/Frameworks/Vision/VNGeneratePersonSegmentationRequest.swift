public import CoreVideo
public import Foundation
internal import FoundationExtras
internal import PeopleFinding
internal import PixelTransforms
internal import VideoEffects

/// A matte of the people in a picture.
///
/// It needs a model, which `scripts/setup --models` fetches; without, it fails with `invalidModel`.
///
/// Source: [VNGeneratePersonSegmentationRequest](https://developer.apple.com/documentation/vision/vngeneratepersonsegmentationrequest).
open class VNGeneratePersonSegmentationRequest: VNImageBasedRequest, @unchecked Sendable {
  // Safe as the base.

  /// How fine the matte is.
  ///
  /// Apple: `VNGeneratePersonSegmentationRequest.QualityLevel`.
  public enum QualityLevel: UInt, Sendable {
    /// A pixel for each of the picture's, refined along the picture's own edges.
    case accurate = 0
    /// The same in half of the picture's width and height.
    case balanced = 1
    /// As coarse as the model has it: 256 by 144, or 256 by 256 for pictures that are not wide.
    case fast = 2
  }

  /// How fine the matte is; `accurate` at first.
  ///
  /// Apple: `VNGeneratePersonSegmentationRequest.qualityLevel`.
  open var qualityLevel = QualityLevel.accurate
  /// The matte's pixel format: `kCVPixelFormatType_OneComponent8` at first, from 0 to 255, or `…OneComponent32Float`, from 0 to 1.
  ///
  /// Another one fails with `invalidFormat` when the request is performed.
  ///
  /// Apple: `VNGeneratePersonSegmentationRequest.outputPixelFormat`.
  open var outputPixelFormat: OSType = kCVPixelFormatType_OneComponent8
  private var segmenter: PersonSegmenter?
  private let transformer = PixelTransformer(bufferLimit: 2)

  /// The matte that was made last, as many as there are pictures; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNGeneratePersonSegmentationRequest.results`.
  open var results: [VNPixelBufferObservation]? { observations as? [VNPixelBufferObservation] }

  /// The pixel formats that the matte can have.
  ///
  /// Apple: `VNGeneratePersonSegmentationRequest.supportedOutputPixelFormats()`.
  open func supportedOutputPixelFormats() throws -> [NSNumber] { Self.formats.map { NSNumber(value: $0) } }

  private static let formats = [kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent32Float]

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    guard Self.formats.contains(outputPixelFormat) else {
      throw VNErrorCode.invalidFormat.error(
        "A matte cannot have the pixel format \(FourCharacterCode(rawValue: outputPixelFormat)); ask supportedOutputPixelFormats."
      )
    }
    let segmenter = try self.segmenter ?? loaded { try PersonSegmenter() }
    self.segmenter = segmenter
    guard let coarse = try segmenter.segmentation(of: part) else { return [] }
    let raw = PersonMask(width: coarse.width, height: coarse.height, alpha: coarse.confidence)
    return [VNPixelBufferObservation(try buffer(of: refined(raw, coarse.part, part)))]
  }

  private func refined(_ raw: PersonMask, _ covered: PixelRect, _ picture: CVPixelBuffer) throws -> PersonMask
  {
    guard qualityLevel != .fast else { return raw }
    let isFull = qualityLevel == .accurate
    let size = PixelSize(
      width: isFull ? picture.width : max(2, picture.width / 4 * 2),
      height: isFull ? picture.height : max(2, picture.height / 4 * 2))
    let seen = try transformer.apply(
      FrameTransform(size: size, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
    let (across, down) = (
      Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height)
    )
    let place = CGRect(
      x: Double(covered.x) * across, y: Double(covered.y) * down, width: Double(covered.width) * across,
      height: Double(covered.height) * down)
    return try PersonMatte.mask(from: raw, part: place, of: seen, threads: 2).matte
  }

  private func buffer(of mask: PersonMask) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: outputPixelFormat, width: mask.width, height: mask.height)
    for row in 0..<mask.height {
      let alpha = mask.alpha[row * mask.width..<(row + 1) * mask.width]
      let line = buffer.planes[0].row(row)
      if outputPixelFormat == kCVPixelFormatType_OneComponent8 {
        line.copyBytes(from: alpha)
      } else {
        alpha.map { Float($0) / 255 }.withUnsafeBytes { line.copyMemory(from: $0) }
      }
    }
    return buffer
  }
}

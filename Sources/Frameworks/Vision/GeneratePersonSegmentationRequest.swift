public import CoreVideo
public import Foundation
public import GraphicsCore
internal import StillCodecs

/// A picture that a request has made.
///
/// Apple: `PixelBufferObservation`.
public struct PixelBufferObservation: @unchecked Sendable {  // Safe: nothing writes the buffer any more.
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// The picture, which must not be written.
  public let pixelBuffer: CVPixelBuffer

  init(_ observation: VNPixelBufferObservation) {
    uuid = observation.uuid
    confidence = observation.confidence
    pixelBuffer = observation.pixelBuffer
  }

  /// The picture's width and height.
  ///
  /// Apple: `PixelBufferObservation.size`.
  public var size: CGSize { CGSize(width: pixelBuffer.width, height: pixelBuffer.height) }

  /// The picture as an image.
  ///
  /// - Throws: An `NSError` of ``VNErrorDomain`` for a pixel format that no image has.
  ///
  /// Apple: `PixelBufferObservation.cgImage`.
  public var cgImage: CGImage {
    get throws {
      do {
        return try CGImage.make(of: pixelBuffer)
      } catch {
        throw VNErrorCode.invalidFormat.error("\(error)")
      }
    }
  }
}

/// A matte of the people in a picture; see ``VNGeneratePersonSegmentationRequest``.
///
/// Apple: `GeneratePersonSegmentationRequest`.
public struct GeneratePersonSegmentationRequest: ImageProcessingRequest {
  /// How fine the matte is.
  ///
  /// Apple: `GeneratePersonSegmentationRequest.QualityLevel`.
  public enum QualityLevel: Sendable, Hashable {
    case accurate, balanced, fast
  }

  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// How fine the matte is; `accurate` at first.
  public var qualityLevel = QualityLevel.accurate
  /// The matte's pixel format; `kCVPixelFormatType_OneComponent8` at first.
  public var outputPixelFormatType = kCVPixelFormatType_OneComponent8

  /// A fine matte.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> PixelBufferObservation {
    let request = VNGeneratePersonSegmentationRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.qualityLevel =
      switch qualityLevel {
      case .accurate: .accurate
      case .balanced: .balanced
      case .fast: .fast
      }
    request.outputPixelFormat = outputPixelFormatType
    try request.perform(on: picture.picture)
    guard let matte = request.results?.first else {
      throw VNErrorCode.operationFailed.error("The picture is too small to be segmented.")
    }
    return PixelBufferObservation(matte)
  }
}

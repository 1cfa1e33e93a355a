public import CoreVideo
public import Foundation
internal import FoundationExtras

extension AVCapturePhoto {
  /// The photo as the bytes of a file, with other metadata, thumbnail and depth; the older way of ``fileDataRepresentation(with:)``.
  ///
  /// - Parameters:
  ///   - replacementMetadata: In ImageIO's dictionaries: ``metadata`` for the photo's own; `nil` for none but the orientation.
  ///   - replacementEmbeddedThumbnailPhotoFormat: As a customizer gives it: ``embeddedThumbnailPhotoFormat`` without a picture keeps the photo's
  ///     own thumbnail; `nil` for both is a file without one.
  ///   - replacementEmbeddedThumbnailPixelBuffer: The picture of a new thumbnail.
  ///   - replacementDepthData: ``depthData`` for the photo's own; `nil` for none.
  /// - Returns: As ``fileDataRepresentation(with:)``.
  ///
  /// Apple: `AVCapturePhoto.fileDataRepresentation(withReplacementMetadata:…)`; deprecated there.
  public func fileDataRepresentation(
    withReplacementMetadata replacementMetadata: [String: Any]?,
    replacementEmbeddedThumbnailPhotoFormat: [String: Any]?,
    replacementEmbeddedThumbnailPixelBuffer: CVPixelBuffer?, replacementDepthData: AVDepthData?
  ) -> Data? {
    let replacements = Replacements(
      metadata: replacementMetadata, format: replacementEmbeddedThumbnailPhotoFormat,
      picture: replacementEmbeddedThumbnailPixelBuffer, depth: replacementDepthData)
    return withExtendedLifetime(replacements) { fileDataRepresentation(with: replacements) }
  }
}

/// What a client puts in place of a photo's own; all else stays.
private final class Replacements: AVCapturePhotoFileDataRepresentationCustomizer {
  private let metadata: [String: Any]?
  private let format: [String: Any]?
  private let picture: CVPixelBuffer?
  private let depth: AVDepthData?

  init(metadata: [String: Any]?, format: [String: Any]?, picture: CVPixelBuffer?, depth: AVDepthData?) {
    (self.metadata, self.format, self.picture, self.depth) = (metadata, format, picture, depth)
  }

  func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { metadata }

  func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { depth }

  func replacementEmbeddedThumbnailPixelBuffer(
    withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<
      NSDictionary?
    >,
    for photo: AVCapturePhoto
  ) -> Unmanaged<CVPixelBuffer>? {
    replacementEmbeddedThumbnailPhotoFormatOut.pointee = format.map { NSDictionary(dictionary: $0) }
    return picture.map { Unmanaged.passUnretained($0) }
  }
}

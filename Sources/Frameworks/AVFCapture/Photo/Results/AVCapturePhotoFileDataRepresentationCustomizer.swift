public import CoreVideo
public import Foundation
public import FoundationExtras

/// Decides what goes into a photo's file beside the picture.
///
/// Its methods are called on the thread that calls `fileDataRepresentation(with:)`, before that returns.
///
/// Source:
/// [AVCapturePhotoFileDataRepresentationCustomizer](https://developer.apple.com/documentation/avfoundation/avcapturephotofiledatarepresentationcustomizer).
public protocol AVCapturePhotoFileDataRepresentationCustomizer: AnyObject {
  /// The metadata of the file, in ImageIO's dictionaries: `photo.metadata` for the photo's own, others in their place, or `nil`
  /// for none but the orientation.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementMetadata(for:)`.
  func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]?

  /// The picture of which the file's thumbnail is made.
  ///
  /// A format and a picture are a new thumbnail; `photo.embeddedThumbnailPhotoFormat` and `nil` keep the photo's own; `nil`
  /// for both is a file without one.
  ///
  /// - Parameters:
  ///   - replacementEmbeddedThumbnailPhotoFormatOut: Takes the format: `AVVideoCodecKey` with `AVVideoCodecType.jpeg`; the keys
  ///     for width and height bound the thumbnail.
  ///   - photo: The photo.
  /// - Returns: A picture that the customizer keeps alive until `fileDataRepresentation(with:)` has returned.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementEmbeddedThumbnailPixelBuffer(withPhotoFormat:for:)`.
  func replacementEmbeddedThumbnailPixelBuffer(
    withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<
      NSDictionary?
    >,
    for photo: AVCapturePhoto
  ) -> Unmanaged<CVPixelBuffer>?

  /// The depth that the file holds: `photo.depthData` for the photo's own, other in its place, or `nil` for none.
  ///
  /// The photo's own is written only where its settings had `embedsDepthDataInPhoto`.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementDepthData(for:)`.
  func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData?

  /// The matte of people that the file holds: `photo.portraitEffectsMatte` for the photo's own, another in its place, or `nil` for none.
  ///
  /// The photo's own is written only where its settings had `embedsPortraitEffectsMatteInPhoto`.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementPortraitEffectsMatte(for:)`.
  func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte?

  /// The matte of a part of people that the file holds, asked for each type: the photo's own, another in its place, or `nil` for none.
  ///
  /// The photo's own is written only where its settings had `embedsSemanticSegmentationMattesInPhoto`.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementSemanticSegmentationMatte(ofType:for:)`.
  func replacementSemanticSegmentationMatte(
    ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
  ) -> AVSemanticSegmentationMatte?

  /// How the file of an Apple ProRAW picture is compressed; never asked for, as no camera here makes one.
  ///
  /// Apple: `AVCapturePhotoFileDataRepresentationCustomizer.replacementAppleProRAWCompressionSettings(for:defaultSettings:maximumBitDepth:)`.
  func replacementAppleProRAWCompressionSettings(
    for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
  ) -> [String: Any]
}

/// Every method is optional, as in Objective-C: what a customizer leaves out keeps what the photo has.
extension AVCapturePhotoFileDataRepresentationCustomizer {
  /// Keeps the photo's own.
  public func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { photo.metadata }

  /// Keeps the photo's own.
  public func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { photo.depthData }

  /// Keeps the photo's own.
  public func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte? {
    photo.portraitEffectsMatte
  }

  /// Keeps the photo's own.
  public func replacementSemanticSegmentationMatte(
    ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
  ) -> AVSemanticSegmentationMatte? {
    photo.semanticSegmentationMatte(for: semanticSegmentationMatteType)
  }

  /// Keeps the usual compression.
  public func replacementAppleProRAWCompressionSettings(
    for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
  ) -> [String: Any] { defaultSettings }

  /// Keeps the photo's own.
  public func replacementEmbeddedThumbnailPixelBuffer(
    withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<
      NSDictionary?
    >,
    for photo: AVCapturePhoto
  ) -> Unmanaged<CVPixelBuffer>? {
    replacementEmbeddedThumbnailPhotoFormatOut.pointee = photo.embeddedThumbnailPhotoFormat.map {
      NSDictionary(dictionary: $0)
    }
    return nil
  }
}

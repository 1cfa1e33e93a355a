public import CoreVideo
public import Foundation
public import FoundationExtras
public import ImageIO

/// A matte of the people of a photo: white where they are, with soft edges; black is the background.
///
/// It lies as the photo's pixels do, in about half as many pixels a side. Immutable and thread-safe; what it hands out is made on the
/// caller's thread.
///
/// Source: [AVPortraitEffectsMatte](https://developer.apple.com/documentation/avfoundation/avportraiteffectsmatte).
public final class AVPortraitEffectsMatte: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The matte: a byte for each place, linear, from the upper left corner on.
  ///
  /// Apple: `AVPortraitEffectsMatte.mattingImage`.
  public let mattingImage: CVPixelBuffer

  /// The pixel format of ``mattingImage``: `kCVPixelFormatType_OneComponent8`.
  ///
  /// Apple: `AVPortraitEffectsMatte.pixelFormatType`.
  public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(mattingImage) }

  /// A matte of pixels that are not written to any more.
  package init(_ mattingImage: CVPixelBuffer) {
    self.mattingImage = mattingImage
    super.init()
  }

  /// A matte of what a picture file holds beside its picture.
  ///
  /// - Parameter imageSourceAuxDataInfoDictionary: What `CGImageSourceCopyAuxiliaryDataInfoAtIndex` returns for
  ///   `kCGImageAuxiliaryDataTypePortraitEffectsMatte`, or made like that.
  /// - Throws: ``AVError`` with `unknown` for pixels that are no matte, or do not fit their description; Apple names no code.
  ///
  /// Apple: `AVPortraitEffectsMatte.init(fromDictionaryRepresentation:)`.
  public convenience init(fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any])
    throws
  {
    self.init(try MattePixels.read(imageSourceAuxDataInfoDictionary))
  }

  /// The matte as it is shown: turned and mirrored as a viewer does it to pictures with that EXIF orientation.
  ///
  /// Cost: one pass, and memory of its own.
  ///
  /// Apple: `AVPortraitEffectsMatte.applyingExifOrientation(_:)`.
  public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> AVPortraitEffectsMatte
  {
    MattePixels.turned(mattingImage, by: exifOrientation).map { AVPortraitEffectsMatte($0) } ?? self
  }

  /// A matte of other pixels, of any size, that the caller has made; they are not copied.
  ///
  /// - Throws: ``AVError`` with `unknown` for other pixel formats than `kCVPixelFormatType_OneComponent8`; Apple names no code.
  ///
  /// Apple: `AVPortraitEffectsMatte.replacingPortraitEffectsMatte(with:)`.
  public func replacingPortraitEffectsMatte(with pixelBuffer: CVPixelBuffer) throws -> AVPortraitEffectsMatte
  {
    AVPortraitEffectsMatte(try MattePixels.checked(pixelBuffer))
  }

  /// What a picture file can hold of the matte, for `CGImageDestinationAddAuxiliaryDataInfo`.
  ///
  /// - Parameter outAuxDataType: Gets `kCGImageAuxiliaryDataTypePortraitEffectsMatte`.
  /// - Returns: `nil` when the matte's memory cannot be had any more.
  ///
  /// Apple: `AVPortraitEffectsMatte.dictionaryRepresentation(forAuxiliaryDataType:)`.
  public func dictionaryRepresentation(
    forAuxiliaryDataType outAuxDataType: AutoreleasingUnsafeMutablePointer<NSString?>?
  ) -> [String: Any]? {
    outAuxDataType?.pointee = NSString(string: kCGImageAuxiliaryDataTypePortraitEffectsMatte)
    return MattePixels.dictionary(of: mattingImage)
  }
}

internal import AVFCore
internal import CaptureDevice
public import CoreVideo
public import Foundation
public import FoundationExtras
public import ImageIO

/// A matte of the skin, hair, teeth or glasses in a photo: white where they are; black is all else.
///
/// Photos of simulated people come with it, and files of other systems hold it. Immutable and thread-safe; what it hands out is made on the caller's thread.
///
/// Source: [AVSemanticSegmentationMatte](https://developer.apple.com/documentation/avfoundation/avsemanticsegmentationmatte).
public final class AVSemanticSegmentationMatte: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The part of people that a matte shows.
  ///
  /// Apple: `AVSemanticSegmentationMatte.MatteType`.
  public struct MatteType: RawRepresentable, Hashable, Sendable {
    /// The name of the type.
    public let rawValue: String

    /// A type of that name.
    ///
    /// Apple: `AVSemanticSegmentationMatte.MatteType.init(rawValue:)`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The skin of all people.
    ///
    /// Apple: `AVSemanticSegmentationMatte.MatteType.skin`.
    public static let skin = MatteType(rawValue: "AVSemanticSegmentationMatteTypeSkin")
    /// The hair of all people's heads.
    ///
    /// Apple: `AVSemanticSegmentationMatte.MatteType.hair`.
    public static let hair = MatteType(rawValue: "AVSemanticSegmentationMatteTypeHair")
    /// The teeth of all people.
    ///
    /// Apple: `AVSemanticSegmentationMatte.MatteType.teeth`.
    public static let teeth = MatteType(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
    /// The glasses that people wear.
    ///
    /// Apple: `AVSemanticSegmentationMatte.MatteType.glasses`.
    public static let glasses = MatteType(rawValue: "AVSemanticSegmentationMatteTypeGlasses")

    /// All of them, as Apple orders them.
    static let all: [MatteType] = [.skin, .hair, .teeth, .glasses]

    /// The same in a camera's terms; `nil` for a type of a client's own.
    var part: PersonPart? {
      switch self {
      case .skin: .skin
      case .hair: .hair
      case .teeth: .teeth
      case .glasses: .glasses
      default: nil
      }
    }

    /// ImageIO's name of each type.
    static let kinds: [MatteType: CFString] = [
      .skin: kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte,
      .hair: kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte,
      .teeth: kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte,
      .glasses: kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte,
    ]
  }

  /// What it shows.
  ///
  /// Apple: `AVSemanticSegmentationMatte.matteType`.
  public let matteType: MatteType

  /// The matte: a byte for each place, linear, from the upper left corner on.
  ///
  /// Apple: `AVSemanticSegmentationMatte.mattingImage`.
  public let mattingImage: CVPixelBuffer

  /// The pixel format of ``mattingImage``: `kCVPixelFormatType_OneComponent8`.
  ///
  /// Apple: `AVSemanticSegmentationMatte.pixelFormatType`.
  public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(mattingImage) }

  init(_ matteType: MatteType, _ mattingImage: CVPixelBuffer) {
    self.matteType = matteType
    self.mattingImage = mattingImage
    super.init()
  }

  /// A matte of what a picture file holds beside its picture.
  ///
  /// - Parameters:
  ///   - imageSourceAuxiliaryDataType: One of `kCGImageAuxiliaryDataTypeSemanticSegmentation…Matte`.
  ///   - imageSourceAuxDataInfoDictionary: What `CGImageSourceCopyAuxiliaryDataInfoAtIndex` returns for it, or made like that.
  /// - Throws: ``AVError`` with `unknown` for another kind, and for pixels that are no matte or do not fit their description; Apple names
  ///   no code.
  ///
  /// Apple: `AVSemanticSegmentationMatte.init(fromImageSourceAuxiliaryDataType:dictionaryRepresentation:)`.
  public convenience init(
    fromImageSourceAuxiliaryDataType imageSourceAuxiliaryDataType: CFString,
    dictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
  ) throws {
    guard let type = MatteType.kinds.first(where: { $0.value == imageSourceAuxiliaryDataType })?.key else {
      throw AVError(
        .unknown,
        because:
          "\(imageSourceAuxiliaryDataType) is no matte of a part of people; use kCGImageAuxiliaryDataTypeSemanticSegmentation…Matte."
      )
    }
    self.init(type, try MattePixels.read(imageSourceAuxDataInfoDictionary))
  }

  /// The matte as it is shown: turned and mirrored as a viewer does it to pictures with that EXIF orientation.
  ///
  /// Cost: one pass, and memory of its own.
  ///
  /// Apple: `AVSemanticSegmentationMatte.applyingExifOrientation(_:)`.
  public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation)
    -> AVSemanticSegmentationMatte
  {
    MattePixels.turned(mattingImage, by: exifOrientation).map { AVSemanticSegmentationMatte(matteType, $0) }
      ?? self
  }

  /// A matte of other pixels, of any size, that the caller has made; they are not copied.
  ///
  /// - Throws: ``AVError`` with `unknown` for other pixel formats than `kCVPixelFormatType_OneComponent8`; Apple names no code.
  ///
  /// Apple: `AVSemanticSegmentationMatte.replacingSemanticSegmentationMatte(with:)`.
  public func replacingSemanticSegmentationMatte(with pixelBuffer: CVPixelBuffer) throws
    -> AVSemanticSegmentationMatte
  {
    AVSemanticSegmentationMatte(matteType, try MattePixels.checked(pixelBuffer))
  }

  /// What a picture file can hold of the matte, for `CGImageDestinationAddAuxiliaryDataInfo`.
  ///
  /// - Parameter outAuxDataType: Gets ImageIO's name of ``matteType``.
  /// - Returns: `nil` when the matte's memory cannot be had any more.
  ///
  /// Apple: `AVSemanticSegmentationMatte.dictionaryRepresentation(forAuxiliaryDataType:)`.
  public func dictionaryRepresentation(
    forAuxiliaryDataType outAuxDataType: AutoreleasingUnsafeMutablePointer<NSString?>?
  ) -> [String: Any]? {
    outAuxDataType?.pointee = MatteType.kinds[matteType].map { NSString(string: $0) }
    return MattePixels.dictionary(of: mattingImage)
  }
}

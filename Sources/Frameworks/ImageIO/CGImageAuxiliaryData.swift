public import FoundationExtras

// The kinds of pictures that a file may hold beside its own, for `CGImageSourceCopyAuxiliaryDataInfoAtIndex`.

/// Distances in metres.
public let kCGImageAuxiliaryDataTypeDepth: CFString = "kCGImageAuxiliaryDataTypeDepth"
/// One divided by distances in metres.
public let kCGImageAuxiliaryDataTypeDisparity: CFString = "kCGImageAuxiliaryDataTypeDisparity"
/// Where people are: white; black is the background.
public let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString =
  "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
/// Where skin is.
public let kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte: CFString =
  "kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte"
/// Where hair is.
public let kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte: CFString =
  "kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte"
/// Where teeth are.
public let kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte: CFString =
  "kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte"
/// Where glasses are.
public let kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte: CFString =
  "kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte"
/// Where the sky is.
public let kCGImageAuxiliaryDataTypeSemanticSegmentationSkyMatte: CFString =
  "kCGImageAuxiliaryDataTypeSemanticSegmentationSkyMatte"
/// How much brighter a screen that can may show the picture.
public let kCGImageAuxiliaryDataTypeHDRGainMap: CFString = "kCGImageAuxiliaryDataTypeHDRGainMap"

// What is known of such a picture.

/// The pixels: `Data`, rows from the top as the description says.
public let kCGImageAuxiliaryDataInfoData: CFString = "kCGImageAuxiliaryDataInfoData"
/// What the pixels are: a dictionary with ``kCGImagePropertyWidth``, ``kCGImagePropertyHeight``, ``kCGImagePropertyBytesPerRow``
/// and ``kCGImagePropertyPixelFormat``.
public let kCGImageAuxiliaryDataInfoDataDescription: CFString = "kCGImageAuxiliaryDataInfoDataDescription"
/// What the picture states of itself: ``CGImageMetadata``.
public let kCGImageAuxiliaryDataInfoMetadata: CFString = "kCGImageAuxiliaryDataInfoMetadata"

/// Pixels along x of an auxiliary picture; an integer.
public let kCGImagePropertyWidth: CFString = "Width"
/// Pixels along y of an auxiliary picture; an integer.
public let kCGImagePropertyHeight: CFString = "Height"
/// From one row of an auxiliary picture to the next, in bytes; an integer.
public let kCGImagePropertyBytesPerRow: CFString = "BytesPerRow"
/// Core Video's code of an auxiliary picture's pixels; an integer.
public let kCGImagePropertyPixelFormat: CFString = "PixelFormat"

/// A picture that the file holds beside its own.
///
/// Depth and disparity come as the half or single floats that were written, in which every place is known: 256 steps, see
/// ``CGImageDestinationAddAuxiliaryDataInfo(_:_:_:)``; all others as one byte a pixel. The picture lies as the file's own is stored.
/// Cost: it is decoded anew at each call.
///
/// - Parameters:
///   - isrc: A JPEG or HEIC file.
///   - index: 0.
///   - auxiliaryImageDataType: One of `kCGImageAuxiliaryDataType…`.
/// - Returns: A dictionary of `kCGImageAuxiliaryDataInfo…`; `nil` when there is none of the kind, or it is damaged.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
  guard index == 0, isrc.facts != nil, let kind = AuxiliaryKind(auxiliaryImageDataType) else { return nil }
  return AuxiliaryInfo(kind, in: isrc.data)?.dictionary
}

/// Adds a picture beside the file's own, of which there must be one when the file is finished.
///
/// Depth and disparity are stored in 256 even steps from the least to the greatest number, as all files of this kind are. There is no
/// step for what is unknown: holes are filled from what is known beside them, and a map of nothing is left out. In a HEIC the steps
/// come back as they were, in a JPEG at most one off.
///
/// - Parameters:
///   - idst: A destination of JPEG or HEIC; `CGImageDestinationFinalize` fails for others.
///   - auxiliaryImageDataType: One of `kCGImageAuxiliaryDataType…`.
///   - auxiliaryDataInfoDictionary: As ``CGImageSourceCopyAuxiliaryDataInfoAtIndex(_:_:_:)`` returns it; metadata may be missing. One
///     whose data do not fit their description is a programming mistake without effect.
public func CGImageDestinationAddAuxiliaryDataInfo(
  _ idst: CGImageDestination, _ auxiliaryImageDataType: CFString, _ auxiliaryDataInfoDictionary: CFDictionary
) {
  guard let kind = AuxiliaryKind(auxiliaryImageDataType) else {
    return ProgrammingMistake.report(
      rule:
        "\(auxiliaryImageDataType) is no kind of auxiliary data; use one of kCGImageAuxiliaryDataType…, such as …Depth."
    )
  }
  guard let info = AuxiliaryInfo(kind, auxiliaryDataInfoDictionary) else {
    return ProgrammingMistake.report(
      rule:
        "The auxiliary data do not fit: give kCGImageAuxiliaryDataInfoData and a description with width, height, bytes per row and a pixel format of \(auxiliaryImageDataType)."
    )
  }
  idst.add(info)
}

#if !canImport(Darwin)
  // `AVDepthData` hands the kind out as `NSString`, which on Apple's platforms is Core Foundation's text, too.
  /// As with a `CFString`.
  public func CGImageDestinationAddAuxiliaryDataInfo(
    _ idst: CGImageDestination, _ auxiliaryImageDataType: NSString,
    _ auxiliaryDataInfoDictionary: CFDictionary
  ) {
    CGImageDestinationAddAuxiliaryDataInfo(
      idst, String(describing: auxiliaryImageDataType) as CFString, auxiliaryDataInfoDictionary)
  }
#endif

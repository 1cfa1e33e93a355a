internal import CoreVideo
internal import DepthMaps
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms
internal import StillCodecs

extension CIImageOption {
  /// `true` makes the image of a file's depth instead of its picture: metres, as half floats; of disparity where the file has that.
  public static let auxiliaryDepth = CIImageOption(rawValue: "CIImageAuxiliaryDepth")
  /// `true` makes the image of a file's disparity instead of its picture: 1/metres, as half floats; of depth where the file has that.
  public static let auxiliaryDisparity = CIImageOption(rawValue: "CIImageAuxiliaryDisparity")
  /// `true` makes the image of a file's matte of people instead of its picture; white where they are.
  public static let auxiliaryPortraitEffectsMatte = CIImageOption(
    rawValue: "CIImageAuxiliaryPortraitEffectsMatte")
  /// `true` makes the image of a file's matte of skin instead of its picture.
  public static let auxiliarySemanticSegmentationSkinMatte = CIImageOption(
    rawValue: "CIImageAuxiliarySemanticSegmentationSkinMatte")
  /// `true` makes the image of a file's matte of hair instead of its picture.
  public static let auxiliarySemanticSegmentationHairMatte = CIImageOption(
    rawValue: "CIImageAuxiliarySemanticSegmentationHairMatte")
  /// `true` makes the image of a file's matte of teeth instead of its picture.
  public static let auxiliarySemanticSegmentationTeethMatte = CIImageOption(
    rawValue: "CIImageAuxiliarySemanticSegmentationTeethMatte")
  /// `true` makes the image of a file's matte of glasses instead of its picture.
  public static let auxiliarySemanticSegmentationGlassesMatte = CIImageOption(
    rawValue: "CIImageAuxiliarySemanticSegmentationGlassesMatte")
  /// `true` makes the image of a file's matte of the sky instead of its picture.
  public static let auxiliarySemanticSegmentationSkyMatte = CIImageOption(
    rawValue: "CIImageAuxiliarySemanticSegmentationSkyMatte")
  /// `true` makes the image of a file's gain map instead of its picture: how much brighter a screen that can may show it.
  public static let auxiliaryHDRGainMap = CIImageOption(rawValue: "CIImageAuxiliaryHDRGainMap")
}

/// Pictures beside a file's own, as Core Image's options ask for them.
enum AuxiliaryImage {
  private static let kinds: [(option: CIImageOption, type: CFString)] = [
    (.auxiliaryDepth, kCGImageAuxiliaryDataTypeDepth),
    (.auxiliaryDisparity, kCGImageAuxiliaryDataTypeDisparity),
    (.auxiliaryPortraitEffectsMatte, kCGImageAuxiliaryDataTypePortraitEffectsMatte),
    (.auxiliarySemanticSegmentationSkinMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte),
    (.auxiliarySemanticSegmentationHairMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte),
    (.auxiliarySemanticSegmentationTeethMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte),
    (.auxiliarySemanticSegmentationGlassesMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte),
    (.auxiliarySemanticSegmentationSkyMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationSkyMatte),
    (.auxiliaryHDRGainMap, kCGImageAuxiliaryDataTypeHDRGainMap),
  ]

  /// The kind that options ask for; `nil` when they ask for the file's own picture.
  static func type(_ options: [CIImageOption: Any]?) -> CFString? {
    kinds.first { LooseNumber.truth(options?[$0.option]) == true }?.type
  }

  /// The picture of a kind in a file; `nil` when there is none.
  static func buffer(_ type: CFString, in file: Data) -> CVPixelBuffer? {
    guard let source = CGImageSourceCreateWithData(file, nil) else { return nil }
    switch type {
    case kCGImageAuxiliaryDataTypeDepth:
      return map(in: source, kCVPixelFormatType_DepthFloat16)
    case kCGImageAuxiliaryDataTypeDisparity:
      return map(in: source, kCVPixelFormatType_DisparityFloat16)
    default: return CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type).flatMap(buffer)
    }
  }

  /// Distances in the quantity that is asked for, whichever the file has.
  private static func map(in source: CGImageSource, _ format: OSType) -> CVPixelBuffer? {
    let types = [kCGImageAuxiliaryDataTypeDepth, kCGImageAuxiliaryDataTypeDisparity]
    let stored = types.firstResult { CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, $0) }
    guard let stored = stored.flatMap(buffer) else { return nil }
    if CVPixelBufferGetPixelFormatType(stored) == format { return stored }
    var map = DepthMap()
    guard (try? map.read(stored)) != nil,
      let target = try? CVPixelBuffer(format: format, width: stored.width, height: stored.height),
      (try? map.write(to: target)) != nil
    else { return nil }
    return target
  }

  private static func buffer(_ info: CFDictionary) -> CVPixelBuffer? {
    let description = info[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any]
    guard let data = info[kCGImageAuxiliaryDataInfoData] as? Data,
      let width = LooseNumber.integer(description?[kCGImagePropertyWidth]),
      let height = LooseNumber.integer(description?[kCGImagePropertyHeight]),
      let row = LooseNumber.integer(description?[kCGImagePropertyBytesPerRow]),
      let format = LooseNumber.code(description?[kCGImagePropertyPixelFormat]),
      let buffer = try? CVPixelBuffer(format: format, width: width, height: height)
    else { return nil }
    for index in 0..<height {
      let start = data.startIndex + index * row
      buffer.planes[0].row(index).copyBytes(from: data[start..<start + row])
    }
    return buffer
  }
}

extension CIImage {
  /// The image of a picture beside a file's own; its numbers are the working space's, whatever it is.
  convenience init(
    auxiliary buffer: CVPixelBuffer, of facts: StillFacts, url: URL?, _ options: [CIImageOption: Any]?
  ) {
    let picture = Picture(
      .buffer(buffer), size: PixelSize(width: buffer.width, height: buffer.height), colorSpace: nil,
      isOpaque: true)
    self.init(picture, options, ImageFacts(pixelBuffer: buffer, url: url, properties: facts.properties))
  }
}

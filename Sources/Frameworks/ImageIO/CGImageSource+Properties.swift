internal import Foundation
public import FoundationExtras
internal import GraphicsCore
internal import StillCodecs

/// What is known of the file as a whole: its size in bytes, and of a GIF how often it is shown, for how long each picture, and how large.
///
/// - Returns: `nil` when the file cannot be read.
public func CGImageSourceCopyProperties(_ isrc: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
  guard let facts = isrc.facts else { return nil }
  var properties: CFDictionary = [kCGImagePropertyFileSize: isrc.data.count]
  if let gif = facts.gif { properties[kCGImagePropertyGIFDictionary] = gif.properties }
  return BoxedNumbers.boxed(properties)
}

/// What is known of the picture: its size, depth, colours, orientation, and its metadata in dictionaries of their own.
///
/// Nothing is decoded. Numbers and truths are `NSNumber`, lists arrays of them. A time that EXIF lacks is XMP's or PNG's, in EXIF's form.
///
/// A GIF's picture has its delays in ``kCGImagePropertyGIFDictionary``.
///
/// - Returns: `nil` for an index that is not there and when the file cannot be read.
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  guard (0..<isrc.count).contains(index), let facts = isrc.facts else { return nil }
  guard let gif = facts.gif else { return facts.properties }
  var properties = facts.properties
  properties[kCGImagePropertyGIFDictionary] = BoxedNumbers.boxed(gif.frames[index].properties)
  return properties
}

extension CGImageSource {
  /// When the picture was taken, put together from its properties by the rules of EXIF 2.31; `nil` when the file does not say.
  ///
  /// The first that the file states of `DateTimeOriginal`, `DateTimeDigitized` and `DateTime`, with the fraction and the offset that belong
  /// to it; without an offset it is local time of that day. Apple has no such property.
  public var captureDate: Date? { facts.flatMap { PictureTime.date(of: $0.properties) } }
}

extension StillFacts {
  /// The facts in ImageIO's dictionaries.
  package var properties: CFDictionary {
    var properties = exifBlock?.properties ?? [:]
    PictureTime.complete(&properties, from: xmp)
    if let creationTime { PictureTime.original.complete(&properties, with: creationTime) }
    if let changeTime { PictureTime.changed.complete(&properties, with: changeTime) }
    properties[kCGImagePropertyPixelWidth] = width
    properties[kCGImagePropertyPixelHeight] = height
    properties[kCGImagePropertyDepth] = bitsPerComponent
    switch colorComponents {
    case 1: properties[kCGImagePropertyColorModel] = kCGImagePropertyColorModelGray
    case 4: properties[kCGImagePropertyColorModel] = kCGImagePropertyColorModelCMYK
    default: properties[kCGImagePropertyColorModel] = kCGImagePropertyColorModelRGB
    }
    if hasAlpha { properties[kCGImagePropertyHasAlpha] = true }
    if profile != nil || [.heic, .dng].contains(format), !colorSpace.profileName.isEmpty {
      properties[kCGImagePropertyProfileName] = colorSpace.profileName
    }
    if [.heic, .dng].contains(format) { properties[kCGImagePropertyOrientation] = orientation }
    if let raw {
      var own = raw.facts.dngProperties
      own[kCGImagePropertyDNGBaselineExposure] = raw.baselineExposure
      properties[kCGImagePropertyDNGDictionary] = own
    }
    if let dotsPerInch, properties[kCGImagePropertyDPIWidth] == nil {
      properties[kCGImagePropertyDPIWidth] = dotsPerInch.x
      properties[kCGImagePropertyDPIHeight] = dotsPerInch.y
    }
    if format == .jpeg, isJFIF || isProgressive {
      var header: CFDictionary = [kCGImagePropertyJFIFIsProgressive: isProgressive]
      if isJFIF {
        header[kCGImagePropertyJFIFDensityUnit] = dotsPerInch == nil ? 0 : 1
        header[kCGImagePropertyJFIFXDensity] = dotsPerInch.map { Int($0.x.rounded()) } ?? 1
        header[kCGImagePropertyJFIFYDensity] = dotsPerInch.map { Int($0.y.rounded()) } ?? 1
      }
      properties[kCGImagePropertyJFIFDictionary] = header
    }
    if format == .png, let dotsPerInch {
      properties[kCGImagePropertyPNGDictionary] =
        [
          kCGImagePropertyPNGXPixelsPerMeter: Int((dotsPerInch.x / 0.0254).rounded()),
          kCGImagePropertyPNGYPixelsPerMeter: Int((dotsPerInch.y / 0.0254).rounded()),
        ] as CFDictionary
    }
    return BoxedNumbers.boxed(properties)
  }
}

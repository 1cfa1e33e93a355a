public import FoundationExtras
internal import Foundation

// The keys of a pixel format's description, with Apple's texts.

/// The format's name, where it has one beside its code.
public let kCVPixelFormatName: CFString = "Name"
/// The format's code, a number.
public let kCVPixelFormatConstant: CFString = "Constant"
/// The code of the codec that the format stands for, a number.
public let kCVPixelFormatCodecType: CFString = "CodecType"
/// The format's code as it is written into files, a number.
public let kCVPixelFormatFourCC: CFString = "FourCC"
/// Whether a pixel says how opaque it is.
public let kCVPixelFormatContainsAlpha: CFString = "ContainsAlpha"
/// Whether a pixel says luma and colour differences.
public let kCVPixelFormatContainsYCbCr: CFString = "ContainsYCbCr"
/// Whether a pixel says red, green, and blue.
public let kCVPixelFormatContainsRGB: CFString = "ContainsRGB"
/// Whether a pixel says a lightness only.
public let kCVPixelFormatContainsGrayscale: CFString = "ContainsGrayscale"
/// Whether a pixel says one colour of a filter mosaic.
public let kCVPixelFormatContainsSenselArray: CFString = "ContainsSenselArray"
/// Which numbers stand for black and white; absent where that has no meaning.
public let kCVPixelFormatComponentRange: CFString = "ComponentRange"
/// 16 to 235 of 255, or the same in more bits.
public let kCVPixelFormatComponentRange_VideoRange: CFString = "VideoRange"
/// 0 to the largest number.
public let kCVPixelFormatComponentRange_FullRange: CFString = "FullRange"
/// Beyond black and white on both sides.
public let kCVPixelFormatComponentRange_WideRange: CFString = "WideRange"
/// The size of one component in bits; absent where components differ.
public let kCVPixelFormatBitsPerComponent: CFString = "BitsPerComponent"
/// The planes of a planar format, a list of dictionaries with the keys below.
public let kCVPixelFormatPlanes: CFString = "Planes"
/// How many columns one block holds; absent means 1.
public let kCVPixelFormatBlockWidth: CFString = "BlockWidth"
/// How many rows one block holds; absent means 1.
public let kCVPixelFormatBlockHeight: CFString = "BlockHeight"
/// The size of a block in bits.
public let kCVPixelFormatBitsPerBlock: CFString = "BitsPerBlock"
/// What the number of blocks in a row is a multiple of; absent means 1.
public let kCVPixelFormatBlockHorizontalAlignment: CFString = "BlockHorizontalAlignment"
/// What the number of rows of blocks is a multiple of; absent means 1.
public let kCVPixelFormatBlockVerticalAlignment: CFString = "BlockVerticalAlignment"
/// How many columns of the picture one column of the plane stands for; absent means 1.
public let kCVPixelFormatHorizontalSubsampling: CFString = "HorizontalSubsampling"
/// How many rows of the picture one row of the plane stands for; absent means 1.
public let kCVPixelFormatVerticalSubsampling: CFString = "VerticalSubsampling"

/// The description of `pixelFormat`, or `nil` when no buffer can be made in it.
public func CVPixelFormatDescriptionCreateWithPixelFormatType(
  _ allocator: CFAllocator?, _ pixelFormat: OSType
) -> CFDictionary? {
  PixelFormatLayout.layout(of: pixelFormat).map { BoxedNumbers.boxed($0.appleDescription) }
}

/// The codes of all formats that buffers can be made in, as numbers.
public func CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes(_ allocator: CFAllocator?) -> CFArray?
{
  PixelFormatLayout.all.map { NSNumber(value: $0.code) }
}

/// The four characters of `pixelFormat`, or its number in decimal where they cannot be printed.
public func CVPixelFormatTypeCopyFourCharCodeString(_ pixelFormat: OSType) -> CFString {
  FourCharacterCode(rawValue: pixelFormat).description
}

/// Whether Apple's compressed variant of a format can be used; `false`, because its hardware is not here.
public func CVIsCompressedPixelFormatAvailable(_ pixelFormatType: OSType) -> Bool {
  false
}

extension PixelFormatLayout {
  fileprivate var appleDescription: CFDictionary {
    var description: CFDictionary = [
      kCVPixelFormatConstant: code,
      kCVPixelFormatFourCC: code,
      kCVPixelFormatContainsAlpha: contents.contains(.alpha),
      kCVPixelFormatContainsYCbCr: contents.contains(.yCbCr),
      kCVPixelFormatContainsRGB: contents.contains(.rgb),
      kCVPixelFormatContainsGrayscale: contents.contains(.grayscale),
      kCVPixelFormatContainsSenselArray: contents.contains(.sensel),
    ]
    switch range {
    case .video: description[kCVPixelFormatComponentRange] = kCVPixelFormatComponentRange_VideoRange
    case .full: description[kCVPixelFormatComponentRange] = kCVPixelFormatComponentRange_FullRange
    case .wide: description[kCVPixelFormatComponentRange] = kCVPixelFormatComponentRange_WideRange
    case nil: break
    }
    if bitsPerComponent > 0 { description[kCVPixelFormatBitsPerComponent] = bitsPerComponent }
    if isPlanar {
      description[kCVPixelFormatPlanes] = planes.map(\.appleDescription)
    } else {
      description.merge(planes[0].appleDescription) { $1 }
    }
    return description
  }
}

extension PixelFormatLayout.Plane {
  fileprivate var appleDescription: CFDictionary {
    var description: CFDictionary = [kCVPixelFormatBitsPerBlock: bitsPerBlock]
    if blockWidth > 1 { description[kCVPixelFormatBlockWidth] = blockWidth }
    if rowAlignment > 1 {
      description[kCVPixelFormatBlockHorizontalAlignment] = rowAlignment * 8 / bitsPerBlock
    }
    if horizontalSubsampling > 1 { description[kCVPixelFormatHorizontalSubsampling] = horizontalSubsampling }
    if verticalSubsampling > 1 { description[kCVPixelFormatVerticalSubsampling] = verticalSubsampling }
    return description
  }
}

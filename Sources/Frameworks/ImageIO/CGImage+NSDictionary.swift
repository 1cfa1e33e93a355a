internal import CoreVideo
public import Foundation
public import FoundationExtras
public import GraphicsCore

// Apple's compiler takes an `NSDictionary` where a `CFDictionary` is asked for; here these are two types.

/// Adds an image, as ``CGImageDestinationAddImage(_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageDestinationAddImage`.
@_disfavoredOverload
public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: NSDictionary?
) {
  CGImageDestinationAddImage(idst, image, properties?.asCFDictionary)
}

/// Adds an image of a source, as ``CGImageDestinationAddImageFromSource(_:_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageDestinationAddImageFromSource`.
@_disfavoredOverload
public func CGImageDestinationAddImageFromSource(
  _ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: NSDictionary?
) {
  CGImageDestinationAddImageFromSource(idst, isrc, index, properties?.asCFDictionary)
}

/// Gives all images properties, as ``CGImageDestinationSetProperties(_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageDestinationSetProperties`.
@_disfavoredOverload
public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: NSDictionary?) {
  CGImageDestinationSetProperties(idst, properties?.asCFDictionary)
}

/// Opens a file, as ``CGImageSourceCreateWithURL(_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageSourceCreateWithURL`.
@_disfavoredOverload
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: NSDictionary?) -> CGImageSource? {
  CGImageSourceCreateWithURL(url, options?.asCFDictionary)
}

/// Opens data, as ``CGImageSourceCreateWithData(_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageSourceCreateWithData`.
@_disfavoredOverload
public func CGImageSourceCreateWithData(_ data: CFData, _ options: NSDictionary?) -> CGImageSource? {
  CGImageSourceCreateWithData(data, options?.asCFDictionary)
}

/// Decodes an image, as ``CGImageSourceCreateImageAtIndex(_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageSourceCreateImageAtIndex`.
@_disfavoredOverload
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
  CGImageSourceCreateImageAtIndex(isrc, index, options?.asCFDictionary)
}

/// Makes a smaller image, as ``CGImageSourceCreateThumbnailAtIndex(_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CGImageSourceCreateThumbnailAtIndex`.
@_disfavoredOverload
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
  CGImageSourceCreateThumbnailAtIndex(isrc, index, options?.asCFDictionary)
}

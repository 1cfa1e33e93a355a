public import Foundation
public import FoundationExtras

// Apple's compiler takes an `NSDictionary` where a `CFDictionary` is asked for. Here these are two types, so that each function that
// programs call with one has a form for it.

extension NSDictionary {
  /// The same entries as `CFDictionary`; none where a key is no text.
  package var asCFDictionary: CFDictionary { self as? CFDictionary ?? [:] }
}

/// Makes a buffer, as ``CVPixelBufferCreate(_:_:_:_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CVPixelBufferCreate`.
@_disfavoredOverload @discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: NSDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferCreate(
    allocator, width, height, pixelFormatType, pixelBufferAttributes?.asCFDictionary, pixelBufferOut)
}

/// Makes a pool, as ``CVPixelBufferPoolCreate(_:_:_:_:)`` with `CFDictionary` does.
///
/// Apple: `CVPixelBufferPoolCreate`.
@_disfavoredOverload @discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: NSDictionary?, _ pixelBufferAttributes: NSDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  CVPixelBufferPoolCreate(
    allocator, poolAttributes?.asCFDictionary, pixelBufferAttributes?.asCFDictionary, poolOut)
}

/// Takes a buffer from the pool, as ``CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(_:_:_:_:)`` with a `CFDictionary` does.
///
/// Apple: `CVPixelBufferPoolCreatePixelBufferWithAuxAttributes`.
@_disfavoredOverload @discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: NSDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    allocator, pixelBufferPool, auxAttributes?.asCFDictionary, pixelBufferOut)
}

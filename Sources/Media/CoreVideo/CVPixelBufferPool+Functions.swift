public import FoundationExtras

/// Makes a pool of pixel buffers.
///
/// - Parameters:
///   - allocator: Ignored.
///   - poolAttributes: `kCVPixelBufferPoolMinimumBufferCountKey`, `kCVPixelBufferPoolMaximumBufferAgeKey`.
///   - pixelBufferAttributes: Size, format, and what `CVPixelBufferCreate` takes.
///   - poolOut: Gets the pool, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidPoolAttributes`, `kCVReturnInvalidPixelFormat`,
///   `kCVReturnInvalidSize`, or `kCVReturnInvalidPixelBufferAttributes`.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  do {
    poolOut.pointee = try CVPixelBufferPool(
      poolAttributes: poolAttributes ?? [:], pixelBufferAttributes: pixelBufferAttributes ?? [:])
    return kCVReturnSuccess
  } catch {
    poolOut.pointee = nil
    return error.code
  }
}

/// Takes a buffer from the pool, making a new one when all are in use.
///
/// - Parameter pixelBufferOut: Gets the buffer, or `nil` on failure.
/// - Returns: `kCVReturnSuccess` or `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Takes a buffer from the pool, making a new one only below a threshold.
///
/// - Parameters:
///   - auxAttributes: `kCVPixelBufferPoolAllocationThresholdKey`; other keys are ignored.
///   - pixelBufferOut: Gets the buffer, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`; `kCVReturnWouldExceedAllocationThreshold`, after which the pool posts
///   `kCVPixelBufferPoolFreeBufferNotification` when a buffer comes back; `kCVReturnInvalidArgument` when the threshold
///   is no whole number; `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  var threshold = Int.max
  if let value = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] {
    guard let number = LooseNumber.integer(value) else { return kCVReturnInvalidArgument }
    threshold = number
  }
  do {
    pixelBufferOut.pointee = try pixelBufferPool.makeBuffer(threshold: threshold)
    return kCVReturnSuccess
  } catch {
    return error.code
  }
}

/// What the pool was made with, or `nil` when that was nothing.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  pool.attributes.pool.isEmpty ? nil : BoxedNumbers.boxed(pool.attributes.pool)
}

/// What the pool's buffers are made with.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  BoxedNumbers.boxed(pool.attributes.pixelBuffer)
}

/// Gives memory of unused buffers back: of all with ``CVPixelBufferPoolFlushFlags/excessBuffers``, else of those that
/// are older than the maximum age.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.flush(all: options.contains(.excessBuffers))
}

/// The type of pools, as ``CFGetTypeID(_:)`` returns it.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID {
  CFTypeID(of: CVPixelBufferPool.self)
}

public import FoundationExtras
internal import Linux

/// Flags for locking a buffer.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The option bits, with Apple's values.
  public let rawValue: CVOptionFlags

  /// The flags with these bits; `CVPixelBufferLockFlags(rawValue: 0)` is reading and writing.
  public init(rawValue: CVOptionFlags) {
    self.rawValue = rawValue
  }

  /// The caller promises not to write.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the addresses of the pixels available until the matching unlock.
///
/// Locks are counted, not exclusive: any number of callers may hold one. Thread-safe, never blocks.
///
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` for unknown flags.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  guard lockFlags.isSubset(of: .readOnly) else { return kCVReturnInvalidArgument }
  pixelBuffer.withState { state in
    if lockFlags.contains(.readOnly) { state.readOnlyLocks += 1 } else { state.readWriteLocks += 1 }
  }
  return kCVReturnSuccess
}

/// Ends one lock.
///
/// - Parameter unlockFlags: What the lock was taken with.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidArgument` for unknown flags or a lock held with others;
///   `kCVReturnError` when the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  guard unlockFlags.isSubset(of: .readOnly) else { return kCVReturnInvalidArgument }
  return pixelBuffer.withState { state in
    guard state.readOnlyLocks + state.readWriteLocks > 0 else { return kCVReturnError }
    if unlockFlags.contains(.readOnly) {
      guard state.readOnlyLocks > 0 else { return kCVReturnInvalidArgument }
      state.readOnlyLocks -= 1
    } else {
      guard state.readWriteLocks > 0 else { return kCVReturnInvalidArgument }
      state.readWriteLocks -= 1
    }
    return kCVReturnSuccess
  }
}

extension CVBuffer {
  var isLocked: Bool {
    withState { $0.readOnlyLocks + $0.readWriteLocks > 0 }
  }
}

/// The first pixel of the first plane, or `nil` while the buffer is not locked.
///
/// - Note: Unlike AVFoundation, a planar buffer never answers with a table of planes: it answers with the first plane,
///   as Apple's buffers in shared memory do.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.isLocked ? pixelBuffer.planes[0].baseAddress : nil
}

/// The first pixel of plane `planeIndex`; `nil` while the buffer is not locked, and for a plane that does not exist.
///
/// A packed format has one plane, number 0.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.memory.planes.indices.contains(planeIndex), pixelBuffer.isLocked else { return nil }
  return pixelBuffer.planes[planeIndex].baseAddress
}

/// The width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.width
}

/// The height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.height
}

/// The pixel format, one of `kCVPixelFormatType_…`.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}

/// From one row to the next, in bytes; of the first plane in a planar buffer.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.memory.planes[0].bytesPerRow
}

/// The whole memory in bytes, with padding and extended pixels.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.dataSize
}

/// Whether the picture lies in two or more planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  CVPixelBufferGetPlaneCount(pixelBuffer) > 0
}

/// How many planes there are; 0 for packed formats.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.memory.planes.count > 1 ? pixelBuffer.memory.planes.count : 0
}

/// The width of plane `planeIndex` in columns of the plane; 0 for a plane that does not exist.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.memory.planes.indices.contains(planeIndex) ? pixelBuffer.memory.planes[planeIndex].width : 0
}

/// The height of plane `planeIndex` in rows of the plane; 0 for a plane that does not exist.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.memory.planes.indices.contains(planeIndex) ? pixelBuffer.memory.planes[planeIndex].height : 0
}

/// From one row of plane `planeIndex` to the next, in bytes; 0 for a plane that does not exist.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.memory.planes.indices.contains(planeIndex)
    ? pixelBuffer.memory.planes[planeIndex].bytesPerRow : 0
}

/// How many pixels of memory lie beyond each edge; a `nil` argument is not asked for.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  extraColumnsOnLeft?.pointee = pixelBuffer.extended.left
  extraColumnsOnRight?.pointee = pixelBuffer.extended.right
  extraRowsOnTop?.pointee = pixelBuffer.extended.top
  extraRowsOnBottom?.pointee = pixelBuffer.extended.bottom
}

/// The attributes that a new buffer like this one would be made with: those of its creation, its size and format.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
  BoxedNumbers.boxed(pixelBuffer.creationAttributes)
}

/// The type of pixel buffers, as ``CFGetTypeID(_:)`` returns it.
public func CVPixelBufferGetTypeID() -> CFTypeID {
  CFTypeID(of: CVPixelBuffer.self)
}

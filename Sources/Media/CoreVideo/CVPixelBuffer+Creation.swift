public import FoundationExtras

/// Gives back the bytes of a buffer made by ``CVPixelBufferCreateWithBytes(_:_:_:_:_:_:_:_:_:_:)``.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (_ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?) -> Void

/// Gives back the bytes of a buffer made by `CVPixelBufferCreateWithPlanarBytes`.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int,
    _ numberOfPlanes: Int, _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// Makes a pixel buffer with memory of its own, page-aligned and zero at first.
///
/// - Parameters:
///   - allocator: Ignored.
///   - pixelBufferAttributes: Alignment, extended pixels, attachments; size and format come from the arguments.
///   - pixelBufferOut: Gets the buffer, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`,
///   `kCVReturnInvalidPixelBufferAttributes`, or `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  do {
    pixelBufferOut.pointee = try CVPixelBuffer(
      format: pixelFormatType, width: width, height: height, attributes: pixelBufferAttributes ?? [:])
    return kCVReturnSuccess
  } catch {
    pixelBufferOut.pointee = nil
    return error.code
  }
}

/// Makes a pixel buffer over the caller's bytes of a packed format, without copying.
///
/// - Parameters:
///   - baseAddress: The first row; valid until `releaseCallback` is called.
///   - bytesPerRow: From one row to the next; at least what the width needs.
///   - releaseCallback: Called exactly once, when the last reference goes, on whatever thread that is. Not called
///     when this function fails.
///   - releaseRefCon: Handed to `releaseCallback`.
///   - pixelBufferOut: Gets the buffer, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidPixelFormat` also for a planar format; `kCVReturnInvalidSize`;
///   `kCVReturnInvalidArgument` when the rows overlap.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let layout = PixelFormatLayout.layout(of: pixelFormatType), !layout.isPlanar else {
    return kCVReturnInvalidPixelFormat
  }
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard bytesPerRow >= layout.planes[0].minimumBytesPerRow(planeWidth: width, aligned: false) else {
    return kCVReturnInvalidArgument
  }
  let owner = ForeignMemory(baseAddress, releaseRefCon)
  pixelBufferOut.pointee = CVPixelBuffer(
    wrapping: [PixelPlane(baseAddress: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)],
    format: pixelFormatType, width: width, height: height, attributes: pixelBufferAttributes ?? [:],
    release: { releaseCallback?(owner.context, owner.base) })
  return kCVReturnSuccess
}

/// Makes a pixel buffer over the caller's planes, without copying.
///
/// - Parameters:
///   - dataPtr: The block that holds all planes, where there is one; only handed back.
///   - dataSize: The size of that block in bytes.
///   - numberOfPlanes: How many entries each of the four lists has; as many as the format has planes.
///   - planeBaseAddress: The first row of each plane; valid until `releaseCallback` is called.
///   - planeWidth: In columns of the plane.
///   - planeHeight: In rows of the plane.
///   - planeBytesPerRow: From one row to the next.
///   - releaseCallback: Called exactly once, when the last reference goes, on whatever thread that is. Not called
///     when this function fails.
///   - releaseRefCon: Handed to `releaseCallback`.
///   - pixelBufferOut: Gets the buffer, or `nil` on failure.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`, or
///   `kCVReturnInvalidArgument` when planes are missing, of the wrong size, or their rows overlap.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let layout = PixelFormatLayout.layout(of: pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard numberOfPlanes == layout.planes.count else { return kCVReturnInvalidArgument }
  var planes: [PixelPlane] = []
  for (index, plane) in layout.planes.enumerated() {
    guard let base = planeBaseAddress[index], planeWidth[index] >= plane.width(ofPicture: width),
      planeHeight[index] >= plane.height(ofPicture: height),
      planeBytesPerRow[index] >= plane.minimumBytesPerRow(planeWidth: planeWidth[index], aligned: false)
    else { return kCVReturnInvalidArgument }
    planes.append(
      PixelPlane(
        baseAddress: base, width: planeWidth[index], height: planeHeight[index],
        bytesPerRow: planeBytesPerRow[index]))
  }
  let owner = ForeignMemory(dataPtr, releaseRefCon)
  let addresses = planes
  pixelBufferOut.pointee = CVPixelBuffer(
    wrapping: planes, format: pixelFormatType, width: width, height: height,
    dataSize: dataSize > 0 ? dataSize : nil, attributes: pixelBufferAttributes ?? [:],
    release: {
      guard let releaseCallback else { return }
      var list = addresses.map { Optional(UnsafeRawPointer($0.baseAddress)) }
      releaseCallback(owner.context, owner.base, dataSize, list.count, &list)
    })
  return kCVReturnSuccess
}

/// Two pointers that only the client's callback looks through.
private struct ForeignMemory: @unchecked Sendable {  // Safe because nothing here reads through them.
  let base: UnsafeMutableRawPointer?
  let context: UnsafeMutableRawPointer?

  init(_ base: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) {
    self.base = base
    self.context = context
  }
}

package import Linux

/// A picture's memory as Linux shares it between devices: a GPU, an encoder or a display reads it without a copy.
///
/// From ``CVBuffer/exportDMABuffer()``. Keep the pixel buffer as long as the picture is needed: without it the camera writes
/// its next picture to the same memory.
/// C: `linux/dma-buf.h`.
public final class DMABuffer: Sendable {
  /// The layout of a plane in the memory.
  public struct Plane: Sendable, Hashable {
    /// Bytes from the beginning of the memory to the first row.
    public var offset: Int
    /// Bytes from one row to the next.
    public var bytesPerRow: Int
  }

  /// The kernel's number of the memory, as `EGL_EXT_image_dma_buf_import`, Vulkan, VA-API and DRM take it.
  ///
  /// Open as long as this object lives; to keep it longer, copy it with `dup`.
  public var descriptor: Int32 { held.number }
  /// The planes in the pixel buffer's order.
  public let planes: [Plane]

  private let held: Descriptor

  /// Memory that `descriptor` stands for.
  package init(_ descriptor: Descriptor, planes: [Plane]) {
    held = descriptor
    self.planes = planes
  }
}

extension CVBuffer {
  /// Shares the picture's memory with other devices, without copying a pixel.
  ///
  /// Pictures that a kernel camera sends uncompressed can be shared, while its stream is open. The pixel buffer must be held
  /// until the other device has read it.
  /// - Returns: A new descriptor with each call; `nil` for memory that is no driver's: of a pool, of bytes, of a decoder.
  /// - Throws: `CaptureDeviceError` in the device contract's words when the driver cannot share memory, the stream is closed, or
  ///   too many files are open.
  /// - Note: Unlike AVFoundation, where an `IOSurface` does this, memory is shared by file descriptor on Linux.
  ///
  /// Cost: one system call. C: `VIDIOC_EXPBUF`.
  public func exportDMABuffer() throws -> DMABuffer? {
    guard let descriptor = try memory.owner?.exportMemory(memory), let start = planes.map(\.baseAddress).min()
    else { return nil }
    return DMABuffer(
      descriptor,
      planes: planes.map { DMABuffer.Plane(offset: $0.baseAddress - start, bytesPerRow: $0.bytesPerRow) })
  }
}

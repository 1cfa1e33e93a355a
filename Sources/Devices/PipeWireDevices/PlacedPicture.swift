internal import CPipeWire
package import CaptureDevice
internal import CoreVideo
package import FoundationExtras
internal import Linux
package import StreamParts

/// The place of a picture in the blocks of its buffer's memory.
package enum PlacedPicture: Sendable, Hashable {
  /// Pixels of a format, with the matrix of their colours; `nil` where they have none.
  case pixels(OSType, FrameSize, [Plane], PictureMatrix?)
  /// One JPEG picture, in the first block.
  case jpeg(Range<Int>, FrameSize)

  /// One plane of pixels.
  package struct Plane: Sendable, Hashable {
    package var block: Int
    package var offset: Int
    package var width: Int
    package var height: Int
    package var bytesPerRow: Int
    /// How many bytes of a row are pixels.
    package var rowBytes: Int

    /// Behind the last byte.
    package var end: Int { offset + bytesPerRow * (height - 1) + rowBytes }
  }

  /// The memory that shows the pixels; `nil` for a JPEG picture.
  func memory(in memory: BufferMemory) -> PictureMemory? {
    guard case .pixels(let format, let size, let planes, let matrix) = self else { return nil }
    let shown = planes.compactMap { plane in
      memory.blocks[plane.block].baseAddress.map {
        PixelPlane(
          baseAddress: $0 + plane.offset, width: plane.width, height: plane.height,
          bytesPerRow: plane.bytesPerRow)
      }
    }
    guard shown.count == planes.count, !shown.isEmpty else { return nil }
    return PictureMemory(
      planes: shown, format: format, width: size.width, height: size.height,
      attachments: .colors(matrix))
  }
}

/// The bytes of a picture in one block of its buffer, as its source says it.
package struct PicturePart: Sendable, Hashable {
  package var offset: Int
  package var size: Int
  /// From one row to the next; 0 where the source does not say.
  package var stride: Int

  /// A part of a buffer.
  package init(offset: Int, size: Int, stride: Int) {
    (self.offset, self.size, self.stride) = (offset, size, stride)
  }
}

/// Finds the pictures of one format in buffers; what it is told comes from another program, and is checked.
package struct PictureLayout: Sendable {
  private let format: NodeFormat

  package init(_ format: NodeFormat) {
    self.format = format
  }

  /// The planes of a picture that is `stride` bytes a row, one after the other; the offsets count from the first.
  private func planes(stride given: Int) -> [PlacedPicture.Plane] {
    let (width, height) = (format.size.width, format.size.height)
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    func plane(_ offset: Int, _ width: Int, _ height: Int, _ rowBytes: Int, _ stride: Int)
      -> PlacedPicture.Plane
    {
      PlacedPicture.Plane(
        block: 0, offset: offset, width: width, height: height, bytesPerRow: max(stride, rowBytes),
        rowBytes: rowBytes)
    }
    switch Int(format.encoding) {
    case CAM_VIDEO_NV12:
      let stride = max(given, 2 * columns)
      return [
        plane(0, width, height, width, stride), plane(stride * height, columns, rows, 2 * columns, stride),
      ]
    case CAM_VIDEO_I420, CAM_VIDEO_YV12:
      let stride = max(given, 2 * columns)
      let first = plane(stride * height, columns, rows, columns, stride / 2)
      let second = plane(first.offset + first.bytesPerRow * rows, columns, rows, columns, stride / 2)
      return [plane(0, width, height, width, stride), first, second]
    case CAM_VIDEO_YUY2, CAM_VIDEO_UYVY: return [plane(0, width, height, 4 * columns, given)]
    case CAM_VIDEO_GRAY16: return [plane(0, width, height, 2 * width, given)]
    case CAM_VIDEO_RGB: return [plane(0, width, height, 3 * width, given)]
    case CAM_VIDEO_BGRX, CAM_VIDEO_BGRA: return [plane(0, width, height, 4 * width, given)]
    default: return [plane(0, width, height, width, given)]
    }
  }

  private var matrix: PictureMatrix? {
    switch Int(format.encoding) {
    case CAM_VIDEO_NV12, CAM_VIDEO_I420, CAM_VIDEO_YV12, CAM_VIDEO_YUY2, CAM_VIDEO_UYVY: format.matrix
    default: nil
    }
  }

  /// The place of a picture; `nil` where its memory cannot hold it, as far as that shows from outside.
  package func place(
    _ parts: [PicturePart], in blocks: [UnsafeMutableRawBufferPointer], _ check: inout MotionJPEGCheck
  ) -> PlacedPicture? {
    guard let first = parts.first, !blocks.isEmpty, parts.count <= blocks.count,
      zip(parts, blocks).allSatisfy({ $0.offset + $0.size <= $1.count && $0.stride >= 0 })
    else { return nil }
    guard case .pixels(let pixelFormat)? = format.frameEncoding else {
      let range = first.offset..<first.offset + first.size
      let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(blocks[0])[range])
      return check.accepts(bytes) ? .jpeg(range, format.size) : nil
    }
    var planes = planes(stride: first.stride)
    for index in planes.indices {
      if parts.count >= planes.count, planes.count > 1 {
        // Each plane has a block of its own.
        planes[index].block = index
        planes[index].offset = 0
        if parts[index].stride > 0 {
          planes[index].bytesPerRow = max(parts[index].stride, planes[index].rowBytes)
        }
      }
      let part = parts[planes[index].block]
      guard planes[index].end <= part.size else { return nil }
      planes[index].offset += part.offset
    }
    // Core Video's second plane is the blue difference, wherever it lies.
    if Int(format.encoding) == CAM_VIDEO_YV12 { planes.swapAt(1, 2) }
    return .pixels(pixelFormat, format.size, planes, matrix)
  }
}

package import FoundationExtras
package import Linux

/// The layout of a picture in one block of memory: format, size, planes, and attributes, worked out once.
package struct PixelBufferGeometry: Sendable {
  /// The layout of one plane, before it has an address.
  package struct Plane: Sendable, Hashable {
    /// From the start of the block to the first pixel, in bytes.
    package let offset: Int
    /// In columns of the plane.
    package let width: Int
    /// In rows of the plane.
    package let height: Int
    /// From one row to the next, in bytes.
    package let bytesPerRow: Int
  }

  /// Pixels beyond the picture's edges that belong to the memory.
  package struct ExtendedPixels: Sendable, Hashable {
    /// Columns left of the picture.
    package var left = 0
    /// Columns right of the picture.
    package var right = 0
    /// Rows above the picture.
    package var top = 0
    /// Rows below the picture.
    package var bottom = 0
  }

  /// The format.
  package let layout: PixelFormatLayout
  /// The picture's width in pixels.
  package let width: Int
  /// The picture's height in pixels.
  package let height: Int
  /// In memory order.
  package let planes: [Plane]
  /// The pixels around the picture that the attributes asked for.
  package let extended: ExtendedPixels
  /// The whole block in bytes.
  package let byteCount: Int

  /// Rows begin at multiples of this unless an attribute says otherwise: what SIMD code and hardware like.
  package static let defaultRowAlignment = 64

  /// Works out the planes of a `width` by `height` picture.
  ///
  /// - Parameter attributes: What `CVPixelBufferCreate` takes: row and plane alignment, extended pixels.
  /// - Throws: ``PixelBufferError`` for an unknown format, a size that is not positive or overflows, or attributes of
  ///   the wrong kind.
  package init(format: OSType, width: Int, height: Int, attributes: CFDictionary = [:])
    throws(PixelBufferError)
  {
    guard let layout = PixelFormatLayout.layout(of: format) else {
      throw PixelBufferError(kCVReturnInvalidPixelFormat)
    }
    // A side of 2^24 times 16 bytes times 2^24 still fits in Int64, so nothing below overflows.
    let sides = 1...(1 << 24)
    guard sides.contains(width), sides.contains(height) else { throw PixelBufferError(kCVReturnInvalidSize) }
    let rowAlignment = try Self.count(
      attributes[kCVPixelBufferBytesPerRowAlignmentKey], in: 1...65_536, else: Self.defaultRowAlignment)
    let planeAlignment = try Self.count(
      attributes[kCVPixelBufferPlaneAlignmentKey], in: 1...65_536, else: Self.defaultRowAlignment)
    let edge = 0...65_536
    let extended = ExtendedPixels(
      left: try Self.count(attributes[kCVPixelBufferExtendedPixelsLeftKey], in: edge, else: 0),
      right: try Self.count(attributes[kCVPixelBufferExtendedPixelsRightKey], in: edge, else: 0),
      top: try Self.count(attributes[kCVPixelBufferExtendedPixelsTopKey], in: edge, else: 0),
      bottom: try Self.count(attributes[kCVPixelBufferExtendedPixelsBottomKey], in: edge, else: 0))

    var planes: [Plane] = []
    var end = 0
    for plane in layout.planes {
      let start = end.roundedUp(toMultipleOf: planes.isEmpty ? 1 : planeAlignment)
      // The left edge is widened to whole blocks, so that the first pixel starts on a byte of its own.
      let left = plane.width(ofPicture: extended.left).roundedUp(toMultipleOf: plane.blockWidth)
      let columns = left + plane.width(ofPicture: width) + plane.width(ofPicture: extended.right)
      let top = plane.height(ofPicture: extended.top)
      let rows = top + plane.height(ofPicture: height) + plane.height(ofPicture: extended.bottom)
      let bytesPerRow = plane.minimumBytesPerRow(planeWidth: columns).roundedUp(toMultipleOf: rowAlignment)
      planes.append(
        Plane(
          offset: start + top * bytesPerRow + left / plane.blockWidth * plane.bitsPerBlock / 8,
          width: plane.width(ofPicture: width), height: plane.height(ofPicture: height),
          bytesPerRow: bytesPerRow))
      end = start + rows * bytesPerRow
    }
    self.layout = layout
    self.width = width
    self.height = height
    self.planes = planes
    self.extended = extended
    byteCount = end
  }

  /// The planes in a block that starts at `base`.
  package func planes(at base: UnsafeMutableRawPointer) -> [PixelPlane] {
    planes.map {
      PixelPlane(
        baseAddress: base + $0.offset, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
    }
  }

  /// New zero memory of the right size.
  package func allocate() throws(PixelBufferError) -> PageMemory {
    do {
      return try PageMemory(byteCount: byteCount)
    } catch {
      throw PixelBufferError(kCVReturnAllocationFailed)
    }
  }

  private static func count(
    _ value: Any?, in range: ClosedRange<Int>, else standard: Int
  ) throws(PixelBufferError) -> Int {
    guard let value else { return standard }
    guard let number = LooseNumber.integer(value), range.contains(number) else {
      throw PixelBufferError(kCVReturnInvalidPixelBufferAttributes)
    }
    return number
  }
}

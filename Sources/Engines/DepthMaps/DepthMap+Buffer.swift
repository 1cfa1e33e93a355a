public import CoreVideo
internal import FoundationExtras

extension DepthMap {
  /// Reads what a pixel buffer holds; the memory of the map before is used again.
  ///
  /// - Parameters:
  ///   - buffer: Of one of ``DepthFormat/pixelFormats``, or, with `metresPerUnit`, of `kCVPixelFormatType_OneComponent16`.
  ///   - metresPerUnit: How many metres one unit of a sensor's own numbers stands for, whose 0 is unknown.
  ///
  /// Cost: one pass; a fifth of a millisecond for 640×480.
  public mutating func read(_ buffer: CVPixelBuffer, metresPerUnit: Float? = nil) throws(DepthMapError) {
    let pixelFormat = CVPixelBufferGetPixelFormatType(buffer)
    let format = DepthFormat(pixelFormat)
    let isSensors = pixelFormat == kCVPixelFormatType_OneComponent16 && metresPerUnit != nil
    guard format != nil || isSensors else { throw .formatUnsupported(pixelFormat) }
    guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess,
      let base = CVPixelBufferGetBaseAddress(buffer)
    else { throw .bufferUnavailable }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    quantity = format?.quantity ?? .depth
    let (width, height, stride) = (width, height, CVPixelBufferGetBytesPerRow(buffer))
    if values.count != width * height { values = [Float](repeating: .nan, count: width * height) }
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<height {
        let source = UnsafeRawPointer(base + stride * row)
        let target = UnsafeMutableBufferPointer(rebasing: values[row * width..<(row + 1) * width])
        if isSensors, let metresPerUnit {
          Self.read(units: source, metresPerUnit, into: target)
        } else if format?.isHalf == true {
          Self.read(halves: source, into: target)
        } else {
          let source = source.assumingMemoryBound(to: Float.self)
          for index in target.indices { target[index] = Self.valid(source[index]) }
        }
      }
    }
  }

  private static func read(
    units source: UnsafeRawPointer, _ metresPerUnit: Float, into target: UnsafeMutableBufferPointer<Float>
  ) {
    let source = source.assumingMemoryBound(to: UInt16.self)
    for index in target.indices {
      target[index] = valid(Float(UInt16(littleEndian: source[index])) * metresPerUnit)
    }
  }

  private static func read(halves source: UnsafeRawPointer, into target: UnsafeMutableBufferPointer<Float>) {
    let source = source.assumingMemoryBound(to: UInt16.self)
    for index in target.indices { target[index] = HalfFloat.value(UInt16(littleEndian: source[index])) }
  }

  /// Writes the map into a pixel buffer of its size, in the buffer's own one of ``DepthFormat/pixelFormats``.
  ///
  /// A number too large for two bytes is unknown there. Cost: one pass; a fifth of a millisecond for 640×480.
  public func write(to buffer: CVPixelBuffer) throws(DepthMapError) {
    let pixelFormat = CVPixelBufferGetPixelFormatType(buffer)
    guard let format = DepthFormat(pixelFormat) else { throw .formatUnsupported(pixelFormat) }
    guard CVPixelBufferGetWidth(buffer) == width, CVPixelBufferGetHeight(buffer) == height else {
      throw .sizeMismatch
    }
    guard CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess,
      let base = CVPixelBufferGetBaseAddress(buffer)
    else { throw .bufferUnavailable }
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    let stride = CVPixelBufferGetBytesPerRow(buffer)
    let isOther = format.quantity != quantity
    values.withUnsafeBufferPointer { values in
      for row in 0..<height {
        let source = UnsafeBufferPointer(rebasing: values[row * width..<(row + 1) * width])
        if format.isHalf {
          let target = (base + stride * row).assumingMemoryBound(to: UInt16.self)
          for index in source.indices {
            target[index] = HalfFloat.bits(isOther ? 1 / source[index] : source[index]).littleEndian
          }
        } else {
          let target = (base + stride * row).assumingMemoryBound(to: Float.self)
          for (index, value) in source.enumerated() { target[index] = isOther ? 1 / value : value }
        }
      }
    }
  }
}

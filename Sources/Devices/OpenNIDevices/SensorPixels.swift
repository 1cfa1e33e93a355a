internal import CaptureDevice
package import CoreVideo

/// The layout of the pixels of one of OpenNI's formats, and its name in Core Video's terms.
package struct SensorPixels {
  /// Core Video's pixel format, or `OneComponent16` for distances.
  package let format: OSType
  /// The bytes of what is moved as one: a pixel, or a pair that shares its colours.
  package let unit: Int
  /// The pixels of that.
  package let pixels: Int
  /// The places of the two lumas in a pair; `nil` for single pixels.
  private let lumas: (Int, Int)?

  private init(_ format: OSType, unit: Int, pixels: Int = 1, lumas: (Int, Int)? = nil) {
    self.format = format
    self.unit = unit
    self.pixels = pixels
    self.lumas = lumas
  }

  /// Of pictures that are read here; `nil` for others.
  package static func color(_ number: Int) -> SensorPixels? {
    switch number {
    case 200: SensorPixels(kCVPixelFormatType_24RGB, unit: 3)
    case 201: SensorPixels(kCVPixelFormatType_422YpCbCr8, unit: 4, pixels: 2, lumas: (1, 3))
    case 202: SensorPixels(kCVPixelFormatType_OneComponent8, unit: 1)
    case 205: SensorPixels(kCVPixelFormatType_422YpCbCr8_yuvs, unit: 4, pixels: 2, lumas: (0, 2))
    default: nil
    }
  }

  /// Of distances; `nil` for others.
  package static func depth(_ number: Int) -> SensorPixels? {
    metresPerUnit(number) == nil ? nil : SensorPixels(kCVPixelFormatType_OneComponent16, unit: 2)
  }

  /// The metres of one unit of a format of distances; `nil` for others.
  package static func metresPerUnit(_ number: Int) -> Float? {
    switch number {
    case 100: 0.001
    case 101: 0.0001
    default: nil
    }
  }

  /// The rank among formats of one size in a camera's list: colours after grey, less to read after more.
  package var preference: Int {
    switch format {
    case kCVPixelFormatType_OneComponent8: 0
    case kCVPixelFormatType_24RGB: 1
    case kCVPixelFormatType_422YpCbCr8: 2
    default: 3
    }
  }

  /// The bytes of one row.
  package func rowBytes(width: Int) -> Int { (width + pixels - 1) / pixels * unit }

  /// Copies a frame into a buffer of its size, turned left to right where it is mirrored; false for a frame that is not whole.
  package func copy(_ frame: SensorFrame, into buffer: CVPixelBuffer, isMirrored: Bool) -> Bool {
    let (width, height) = (buffer.width, buffer.height)
    let row = rowBytes(width: width)
    guard frame.size == FrameSize(width: width, height: height), frame.rowBytes >= row,
      frame.bytes.count >= frame.rowBytes * (height - 1) + row
    else { return false }
    let plane = buffer.planes[0]
    for y in 0..<height {
      let source = UnsafeRawBufferPointer(rebasing: frame.bytes[(y * frame.rowBytes)...].prefix(row))
      let target = plane.row(y)
      if isMirrored {
        mirror(source, into: target)
      } else {
        target.copyMemory(from: source)
      }
    }
    return true
  }

  private func mirror(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    let count = source.count / unit
    for index in 0..<count {
      let (from, to) = (index * unit, (count - 1 - index) * unit)
      for byte in 0..<unit { target[to + byte] = source[from + byte] }
      guard let (first, second) = lumas else { continue }
      target[to + first] = source[from + second]
      target[to + second] = source[from + first]
    }
  }
}

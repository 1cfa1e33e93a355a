import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms

/// Red, green and blue in 0…255 at a place of a picture made by a formula: smooth, with colours, and with edges.
func testColor(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SIMD3<Double> {
  let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
  var color = SIMD3<Double>(60 + 150 * u, 200 - 120 * v, 90 + 100 * u * v)
  if abs(u - 0.3) < 0.12, abs(v - 0.4) < 0.2 { color = [220, 50, 40] }
  if abs(u - 0.7) < 0.1, abs(v - 0.6) < 0.25 { color = [30, 60, 210] }
  return color
}

/// A buffer of the formula's picture in any 4:2:0 or packed format, computed in doubles from the definition.
func testBuffer(
  _ width: Int, _ height: Int, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  matrix: YCbCrMatrix = .bt601, color: (Int, Int, Int, Int) -> SIMD3<Double> = testColor
) throws -> CVPixelBuffer {
  let buffer = try CVPixelBuffer(format: format, width: width, height: height)
  CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix.attachment, .shouldPropagate)
  func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
  let planes = buffer.planes
  func yCbCr(_ c: SIMD3<Double>) -> (Double, Double, Double) {
    let y = matrix.red * c.x + (1 - matrix.red - matrix.blue) * c.y + matrix.blue * c.z
    return (y, (c.z - y) / (2 * (1 - matrix.blue)), (c.x - y) / (2 * (1 - matrix.red)))
  }
  let isVideo = format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  for y in 0..<height {
    let row = planes[0].row(y).assumingMemoryBound(to: UInt8.self)
    for x in 0..<width {
      let c = color(x, y, width, height)
      if format == kCVPixelFormatType_32BGRA {
        row[4 * x] = byte(c.z)
        row[4 * x + 1] = byte(c.y)
        row[4 * x + 2] = byte(c.x)
        row[4 * x + 3] = 255
      } else if format == kCVPixelFormatType_32RGBA {
        row[4 * x] = byte(c.x)
        row[4 * x + 1] = byte(c.y)
        row[4 * x + 2] = byte(c.z)
        row[4 * x + 3] = 255
      } else {
        let luma = yCbCr(c).0
        row[x] = byte(isVideo ? 16 + luma * 219 / 255 : luma)
      }
    }
  }
  guard planes.count > 1 else { return buffer }
  for y in 0..<planes[1].height {
    for x in 0..<planes[1].width {
      var mean = SIMD3<Double>.zero
      for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        mean += color(min(2 * x + dx, width - 1), min(2 * y + dy, height - 1), width, height) / 4
      }
      let (_, cb, cr) = yCbCr(mean)
      let scale = isVideo ? 224.0 / 255 : 1
      let first = planes[1].row(y).assumingMemoryBound(to: UInt8.self)
      if planes.count == 2 {
        first[2 * x] = byte(128 + cb * scale)
        first[2 * x + 1] = byte(128 + cr * scale)
      } else {
        first[x] = byte(128 + cb * scale)
        planes[2].row(y).assumingMemoryBound(to: UInt8.self)[x] = byte(128 + cr * scale)
      }
    }
  }
  return buffer
}

/// The bytes of a plane without the padding of its rows; `step` bytes a column.
func plane(_ buffer: CVPixelBuffer, _ index: Int, step: Int = 1) -> [UInt8] {
  let plane = buffer.planes[index]
  return (0..<plane.height).flatMap { Array(plane.row($0).prefix(plane.width * step)) }
}

/// Peak signal to noise of two equally long lists of bytes, in dB; infinite when they are equal.
func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
  precondition(a.count == b.count, "\(a.count) and \(b.count) bytes")
  let sum = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
  return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(a.count) / sum)
}

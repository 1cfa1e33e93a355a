import CoreVideo
import FoundationExtras
import PixelTransforms
import SeededNumbers

/// A pixel format under test, with a name for readable failures.
struct Format: Sendable, CustomStringConvertible {
  var code: OSType
  var description: String { "\(FourCharacterCode(rawValue: code))" }

  static let all: [Format] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_32BGRA,
    kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_24RGB,
    kCVPixelFormatType_OneComponent8, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8Planar,
    kCVPixelFormatType_420YpCbCr8PlanarFullRange, kCVPixelFormatType_422YpCbCr8FullRange,
    kCVPixelFormatType_OneComponent16,
  ].map(Format.init(code:))

  static let biplanar = Format(code: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
  static let biplanarFull = Format(code: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
  static let deep = Format(code: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
  static let bgra = Format(code: kCVPixelFormatType_32BGRA)
  static let gray = Format(code: kCVPixelFormatType_OneComponent8)
  static let yuvs = Format(code: kCVPixelFormatType_422YpCbCr8_yuvs)

  var isRGB: Bool {
    [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
      kCVPixelFormatType_24RGB,
    ].contains(code)
  }
  var isGray: Bool { code == kCVPixelFormatType_OneComponent8 || code == kCVPixelFormatType_OneComponent16 }
  var isDeep: Bool {
    code == kCVPixelFormatType_OneComponent16 || code == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
      || code == kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
  }
  var isPacked422: Bool {
    [
      kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
      kCVPixelFormatType_422YpCbCr8FullRange,
    ].contains(code)
  }
  var isFullRange: Bool {
    ![
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
    ].contains(code)
  }
}

/// Reads and fills pixel buffers sample by sample, in 8-bit levels; slow and plain on purpose.
final class TestPicture {
  let buffer: CVPixelBuffer
  private let memory: [(base: UnsafePointer<UInt8>, stride: Int)]
  let format: Format
  let width: Int
  let height: Int

  init(_ format: Format, width: Int, height: Int) throws {
    var made: CVPixelBuffer?
    let result = CVPixelBufferCreate(nil, width, height, format.code, nil, &made)
    guard let made else { throw PixelTransformError.bufferUnavailable(result) }
    buffer = made
    memory = TestPicture.memory(of: made)
    self.format = format
    self.width = width
    self.height = height
    CVPixelBufferLockBaseAddress(buffer, [])
  }

  init(_ buffer: CVPixelBuffer) {
    self.buffer = buffer
    memory = TestPicture.memory(of: buffer)
    format = Format(code: CVPixelBufferGetPixelFormatType(buffer))
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    CVPixelBufferLockBaseAddress(buffer, [])
  }

  private static func memory(of buffer: CVPixelBuffer) -> [(base: UnsafePointer<UInt8>, stride: Int)] {
    buffer.planes.map { (UnsafePointer($0.baseAddress.assumingMemoryBound(to: UInt8.self)), $0.bytesPerRow) }
  }

  deinit {
    CVPixelBufferUnlockBaseAddress(buffer, [])
  }

  /// Random bytes everywhere; video range formats stay in range so that nothing clips on the way.
  func fill(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for plane in buffer.planes {
      for y in 0..<plane.height {
        for index in 0..<plane.bytesPerRow {
          plane.row(y)[index] = UInt8.random(in: format.isFullRange ? 0...255 : 16...235, using: &random)
        }
        if format.isDeep {
          // Only the upper ten bits mean something.
          for index in stride(from: 0, to: plane.bytesPerRow, by: 2) { plane.row(y)[index] &= 0xC0 }
        }
      }
    }
  }

  private func byte(_ plane: Int, _ y: Int, _ index: Int) -> Double {
    Double(memory[plane].base[y * memory[plane].stride + index])
  }

  private func sample(_ plane: Int, _ y: Int, _ index: Int) -> Double {
    if !format.isDeep { return byte(plane, y, index) }
    // Ten bits on top of sixteen end with zeros, sixteen of them do not.
    let levels = format.isGray ? 257.0 : 256
    return (byte(plane, y, 2 * index) + 256 * byte(plane, y, 2 * index + 1)) / levels
  }

  /// Luma at (x, y) in 8-bit levels; gray counts.
  func luma(_ x: Int, _ y: Int) -> Double {
    switch format.code {
    case kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange: byte(0, y, 2 * x)
    case kCVPixelFormatType_422YpCbCr8: byte(0, y, 2 * x + 1)
    default: sample(0, y, x)
    }
  }

  /// Cb and Cr that belong to pixel (x, y), in 8-bit levels.
  func chroma(_ x: Int, _ y: Int) -> (cb: Double, cr: Double) {
    let pair = x / 2
    switch format.code {
    case kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange:
      return (byte(0, y, 4 * pair + 1), byte(0, y, 4 * pair + 3))
    case kCVPixelFormatType_422YpCbCr8:
      return (byte(0, y, 4 * pair), byte(0, y, 4 * pair + 2))
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      return (byte(1, y / 2, pair), byte(2, y / 2, pair))
    case kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16:
      return (128, 128)
    default:
      return (sample(1, y / 2, 2 * pair), sample(1, y / 2, 2 * pair + 1))
    }
  }

  /// Red, green, blue and alpha at (x, y).
  func rgba(_ x: Int, _ y: Int) -> [Double] {
    func bytes(_ step: Int, _ offsets: [Int]) -> [Double] { offsets.map { byte(0, y, step * x + $0) } }
    switch format.code {
    case kCVPixelFormatType_32BGRA: return bytes(4, [2, 1, 0, 3])
    case kCVPixelFormatType_32RGBA: return bytes(4, [0, 1, 2, 3])
    case kCVPixelFormatType_32ARGB: return bytes(4, [1, 2, 3, 0])
    default: return bytes(3, [0, 1, 2]) + [255]
    }
  }

  /// All samples that mean something, in order: for comparing pictures of one format.
  var samples: [Double] {
    var all: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        if format.isRGB {
          all += rgba(x, y)
        } else {
          all.append(luma(x, y))
          if !format.isGray, x % 2 == 0, y % 2 == 0 || format.isPacked422 {
            let chroma = chroma(x, y)
            all += [chroma.cb, chroma.cr]
          }
        }
      }
    }
    return all
  }
}

/// Colour arithmetic straight from the recommendations, in Double.
struct ColorReference {
  var matrix: YCbCrMatrix
  var isFullRange: Bool

  private var lumaSpan: Double { isFullRange ? 255 : 219 }
  private var chromaSpan: Double { isFullRange ? 255 : 224 }
  private var black: Double { isFullRange ? 0 : 16 }
  private var green: Double { 1 - matrix.red - matrix.blue }

  /// Red, green and blue in 8-bit levels, not clipped.
  func rgb(luma: Double, cb: Double, cr: Double) -> [Double] {
    let y = (luma - black) / lumaSpan
    let b = (cb - 128) / chromaSpan
    let r = (cr - 128) / chromaSpan
    let red = y + 2 * (1 - matrix.red) * r
    let blue = y + 2 * (1 - matrix.blue) * b
    let g = (y - matrix.red * red - matrix.blue * blue) / green
    return [red * 255, g * 255, blue * 255]
  }

  func luma(_ rgb: [Double]) -> Double {
    (matrix.red * rgb[0] + green * rgb[1] + matrix.blue * rgb[2]) / 255 * lumaSpan + black
  }

  func chroma(_ rgb: [Double]) -> (cb: Double, cr: Double) {
    let y = (matrix.red * rgb[0] + green * rgb[1] + matrix.blue * rgb[2]) / 255
    return (
      (rgb[2] / 255 - y) / (2 * (1 - matrix.blue)) * chromaSpan + 128,
      (rgb[0] / 255 - y) / (2 * (1 - matrix.red)) * chromaSpan + 128
    )
  }
}

func clipped(_ value: Double) -> Double { min(255, max(0, value)) }

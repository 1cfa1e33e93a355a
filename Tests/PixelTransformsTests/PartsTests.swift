import CoreVideo
import FoundationExtras
import PixelTransforms
import Testing

@Suite("PixelTransformer: pictures in parts")
struct PartsTests {
  private func buffer(_ format: OSType) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 150, 70, format, nil, &made)
    return try #require(made)
  }

  /// Red, green and blue of a pixel of the picture that is drawn.
  private static func color(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
    (UInt8(x * 7 & 255), UInt8((x + y) * 3 & 255), UInt8(y * 11 & 255))
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_24RGB,
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_OneComponent8,
  ])
  func `parts give the bytes that the whole picture gives`(format: OSType) throws {
    let whole = try buffer(kCVPixelFormatType_32BGRA)
    for y in 0..<70 {
      let row = whole.planes[0].row(y)
      for x in 0..<150 {
        let color = Self.color(x, y)
        (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (color.2, color.1, color.0, 255)
      }
    }
    let transformer = PixelTransformer()
    let (wanted, seen) = (try buffer(format), try buffer(format))
    try transformer.apply(.identity, to: whole, into: wanted)
    let parts = [
      PixelRect(x: 0, y: 0, width: 64, height: 70), PixelRect(x: 64, y: 0, width: 86, height: 22),
      PixelRect(x: 64, y: 22, width: 86, height: 48),
    ]
    try transformer.fill(seen, parts: parts) { part, memory, rowBytes in
      for y in 0..<part.height {
        for x in 0..<part.width {
          let color = Self.color(part.x + x, part.y + y)
          let pixel = memory + y * rowBytes + 4 * x
          (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.2, color.1, color.0, 255)
        }
      }
    }
    for (one, other) in zip(wanted.planes, seen.planes) {
      for row in 0..<one.height {
        let count = min(one.bytesPerRow, one.width * (one.bytesPerRow / max(1, one.width)))
        #expect(one.row(row).prefix(count).elementsEqual(other.row(row).prefix(count)), "row \(row)")
      }
    }
    let matrix = kCVImageBufferYCbCrMatrixKey
    #expect(
      CVBufferCopyAttachment(seen, matrix, nil) as? String
        == CVBufferCopyAttachment(wanted, matrix, nil) as? String)
  }
}

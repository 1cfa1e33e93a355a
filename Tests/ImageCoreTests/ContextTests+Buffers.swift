import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

/// What is rendered into pixel buffers.
extension ContextTests {
  @Test func `a buffer takes the image at its lower left corner and is cleared elsewhere`() throws {
    let grid = Grid.asymmetric(6, 5)
    let target = try Grid(width: 8, height: 8) { _, _ in Pixel(red: 9, green: 9, blue: 9) }.buffer
    CIContext().render(try grid.image, to: target)
    let held = Grid(target)
    #expect(held[0, 7] == grid[0, 4] && held[5, 3] == grid[5, 0])
    #expect(held[6, 7].alpha == 0 && held[0, 2].alpha == 0)
  }

  @Test func `bounds limit what of a buffer is changed`() throws {
    let grid = Grid.asymmetric(8, 8)
    let before = Pixel(red: 9, green: 9, blue: 9)
    for format in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_24RGB] {
      let start = try Grid(width: 8, height: 8) { _, _ in before }.buffer
      var target = start
      if format != kCVPixelFormatType_32BGRA {
        target = try buffer(8, 8, format)
        CIContext().render(CIImage(cvPixelBuffer: start), to: target)
      }
      CIContext().render(
        try grid.image, to: target, bounds: CGRect(x: 2, y: 1, width: 3, height: 2),
        colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
      let held = try Grid(rendering: CIImage(cvPixelBuffer: target))
      for y in 0..<8 {
        for x in 0..<8 {
          let isInside = (2..<5).contains(x) && (5..<7).contains(y)
          #expect(held[x, y] == (isInside ? grid[x, y] : before))
        }
      }
    }
  }

  @Test func `a buffer of another format and size is converted to`() throws {
    let grid = Grid(width: 32, height: 16) { x, y in
      Pixel(red: 40 + 4 * x, green: 200 - 5 * x, blue: 60 + 8 * y)
    }
    for format in [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8_yuvs,
      kCVPixelFormatType_32RGBA,
    ] {
      let target = try buffer(32, 16, format)
      CIContext().render(try grid.image, to: target)
      #expect(try Grid(rendering: CIImage(cvPixelBuffer: target)).isClose(to: grid, by: 12))
      let turned = try buffer(16, 32, format)
      CIContext().render(try grid.image.oriented(forExifOrientation: 6), to: turned)
      let wanted = Grid(width: 16, height: 32) { x, y in grid[y, 15 - x] }
      #expect(try Grid(rendering: CIImage(cvPixelBuffer: turned)).isClose(to: wanted, by: 12))
    }
  }

  @Test func `an image may be rendered into the buffer it was made of`() throws {
    let grid = Grid.asymmetric(300, 80)
    let buffer = try grid.buffer
    let mirrored = CIImage(cvPixelBuffer: buffer).oriented(forExifOrientation: 2)
    CIContext().render(mirrored, to: buffer)
    #expect(Grid(buffer) == Grid(width: 300, height: 80) { x, y in grid[299 - x, y] })
  }

  @Test func `an image does not change with the buffer it was rendered from`() throws {
    let buffer = try Grid(width: 4, height: 4) { _, _ in Pixel(red: 1, green: 2, blue: 3) }.buffer
    let held = try #require(
      CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer), from: CGRect(x: 0, y: 0, width: 4, height: 4), format: .BGRA8,
        colorSpace: CGColorSpace(name: CGColorSpace.sRGB)))
    buffer.planes[0].bytes.initializeMemory(as: UInt8.self, repeating: 99)
    #expect(Grid(held)[0, 0] == Pixel(red: 1, green: 2, blue: 3))
  }
}

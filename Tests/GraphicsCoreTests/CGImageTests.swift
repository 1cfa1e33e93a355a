import Foundation
import FoundationExtras
import GraphicsCore
import Testing

@Suite("CGImage")
struct CGImageTests {
  private func image(
    _ bytes: [UInt8], _ width: Int, _ height: Int, bits: Int = 8, pixel: Int = 32, row: Int? = nil,
    _ info: CGBitmapInfo, gray: Bool = false
  ) -> CGImage? {
    CGDataProvider(data: Data(bytes)).flatMap {
      CGImage(
        width: width, height: height, bitsPerComponent: bits, bitsPerPixel: pixel,
        bytesPerRow: row ?? width * pixel / 8,
        space: gray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(), bitmapInfo: info,
        provider: $0,
        decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }
  }

  private func info(_ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo = []) -> CGBitmapInfo {
    CGBitmapInfo(rawValue: alpha.rawValue).union(order)
  }

  private func rgba(_ image: CGImage, _ alpha: AlphaTreatment = .straight) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 * image.width * image.height)
    bytes.withUnsafeMutableBytes {
      if let base = $0.baseAddress {
        image.copyPixels8(into: base, bytesPerRow: 4 * image.width, order: .rgba, alpha: alpha)
      }
    }
    return bytes
  }

  @Test func `every byte order and place of alpha is understood`() throws {
    #expect(try rgba(#require(image([1, 2, 3, 4], 1, 1, info(.last)))) == [1, 2, 3, 4])
    #expect(try rgba(#require(image([4, 1, 2, 3], 1, 1, info(.first)))) == [1, 2, 3, 4])
    #expect(try rgba(#require(image([3, 2, 1, 4], 1, 1, info(.first, .byteOrder32Little)))) == [1, 2, 3, 4])
    #expect(try rgba(#require(image([4, 3, 2, 1], 1, 1, info(.last, .byteOrder32Little)))) == [1, 2, 3, 4])
    #expect(
      try rgba(#require(image([3, 2, 1, 9], 1, 1, info(.noneSkipFirst, .byteOrder32Little)))) == [
        1, 2, 3, 255,
      ])
    #expect(try rgba(#require(image([1, 2, 3], 1, 1, pixel: 24, info(.none)))) == [1, 2, 3, 255])
    #expect(try rgba(#require(image([7], 1, 1, pixel: 8, info(.none), gray: true))) == [7, 7, 7, 255])
    #expect(try rgba(#require(image([7, 9], 1, 1, pixel: 16, info(.last), gray: true))) == [7, 7, 7, 9])
    let deep = image([0x12, 0x34, 0xFF, 0xFF, 0, 0, 0x80, 0x80], 1, 1, bits: 16, pixel: 64, info(.last))
    #expect(try rgba(#require(deep)) == [0x12, 255, 0, 128])
    let half = image(
      [0x00, 0x38, 0x00, 0x3C, 0, 0, 0x00, 0x3C], 1, 1, bits: 16, pixel: 64,
      info(.last, [.byteOrder16Little, .floatComponents]))
    #expect(try rgba(#require(half)) == [128, 255, 0, 255])
  }

  @Test func `alpha is multiplied in and out`() throws {
    let straight = try #require(image([200, 100, 0, 128], 1, 1, info(.last)))
    #expect(rgba(straight, .premultiplied) == [100, 50, 0, 128])
    let multiplied = try #require(image([100, 50, 0, 128], 1, 1, info(.premultipliedLast)))
    #expect(rgba(multiplied, .straight) == [199, 100, 0, 128])
    #expect(rgba(multiplied, .premultiplied) == [100, 50, 0, 128])
  }

  @Test func `layouts that contradict themselves are refused`() {
    #expect(image([1, 2, 3, 4], 1, 1, pixel: 24, info(.last)) == nil)
    #expect(image([1, 2, 3, 4], 2, 1, info(.last)) == nil)
    #expect(image([1, 2, 3, 4], 1, 1, row: 3, info(.last)) == nil)
    #expect(image([1, 2, 3, 4], 0, 1, info(.last)) == nil)
    #expect(image([1, 2, 3, 4], 1, -1, info(.last)) == nil)
    #expect(image([1, 2, 3, 4], 1, 1, bits: 5, pixel: 16, info(.none)) == nil)
    #expect(image([1, 2, 3, 4], 1, 1 << 40, info(.last)) == nil)
  }

  @Test func `a crop shares the bytes and is cut off at the edge`() throws {
    let bytes = (0..<64).map { UInt8($0) }
    let whole = try #require(image(bytes, 4, 4, info(.last)))
    let part = try #require(whole.cropping(to: CGRect(x: 1, y: 2, width: 2, height: 1)))
    #expect(part.width == 2 && part.height == 1)
    #expect(rgba(part) == Array(bytes[36..<44]))
    #expect(part.dataProvider?.data?.first == 36)
    let corner = try #require(whole.cropping(to: CGRect(x: 2.5, y: 2.5, width: 10, height: 10)))
    #expect(corner.width == 2 && corner.height == 2)
    #expect(whole.cropping(to: CGRect(x: 5, y: 0, width: 1, height: 1)) == nil)
    #expect(whole.cropping(to: .null) == nil)
    #expect(whole.cropping(to: .infinite)?.width == 4)
    let twice = try #require(corner.cropping(to: CGRect(x: 1, y: 1, width: 1, height: 1)))
    #expect(rgba(twice) == Array(bytes[60..<64]))
  }

  @Test func `decode stretches the components`() throws {
    let ranges: [CGFloat] = [1, 0, 0, 1, 0, 0.5]
    let provider = try #require(CGDataProvider(data: Data([255, 51, 255])))
    let image = try #require(
      CGImage(
        width: 1, height: 1, bitsPerComponent: 8, bitsPerPixel: 24, bytesPerRow: 3,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: [], provider: provider, decode: ranges, shouldInterpolate: false, intent: .defaultIntent))
    #expect(rgba(image) == [0, 51, 128, 255])
    #expect(image.decode?[5] == 0.5)
  }

  @Test func `memory of the client is given back once`() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 9, count: 16)
    nonisolated(unsafe) var count = 0
    do {
      let provider = try #require(
        CGDataProvider(dataInfo: nil, data: memory, size: 16) { _, address, _ in
          count += 1
          UnsafeMutableRawPointer(mutating: address).deallocate()
        })
      let image = try #require(
        CGImage(
          width: 2, height: 2, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info(.last), provider: provider, decode: nil,
          shouldInterpolate: false, intent: .defaultIntent))
      #expect(rgba(image).allSatisfy { $0 == 9 })
      #expect(count == 0)
    }
    #expect(count == 1)
  }

  @Test func `a copy may take another space of as many components`() throws {
    let original = try #require(image([1, 2, 3, 4], 1, 1, info(.last)))
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    #expect(original.copy(colorSpace: space)?.colorSpace == space)
    #expect(original.copy(colorSpace: CGColorSpaceCreateDeviceGray()) == nil)
    #expect(original.copy()?.width == 1)
  }

  @Test func `colours convert and compare`() throws {
    let red = CGColor(red: 1, green: 0, blue: 0, alpha: 0.5)
    #expect(red.components == [1, 0, 0, 0.5] && red.alpha == 0.5 && red.numberOfComponents == 4)
    #expect(red == CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 0.5))
    let p3 = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let wide = try #require(red.converted(to: p3, intent: .defaultIntent, options: nil)?.components)
    #expect(abs(wide[0] - 0.9175) < 0.001 && abs(wide[1] - 0.2003) < 0.001 && abs(wide[2] - 0.1386) < 0.001)
    let gray = try #require(
      CGColor.white.converted(to: CGColorSpaceCreateDeviceGray(), intent: .defaultIntent, options: nil))
    #expect(abs((gray.components?[0] ?? 0) - 1) < 1e-3 && gray.numberOfComponents == 2)
  }
}

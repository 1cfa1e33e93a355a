import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import SeededNumbers
import StillCodecs
import Testing

@Suite("PNG")
struct PNGTests {
  private func image(
    _ width: Int, _ height: Int, _ alpha: CGImageAlphaInfo, bits: Int = 8, space: CGColorSpace? = nil,
    order: CGBitmapInfo = []
  ) throws -> CGImage {
    let components = alpha == .none ? 1 : 4
    var data = Data()
    for y in 0..<height {
      for x in 0..<width {
        for component in 0..<components {
          let value = (x * 37 + y * 91 + component * 50) & 0xFF
          data.append(UInt8(value))
          if bits == 16 { data.append(UInt8(value ^ 0x5A)) }
        }
      }
    }
    let provider = try #require(CGDataProvider(data: data))
    let gray = CGColorSpace(name: CGColorSpace.genericGrayGamma2_2)
    return try #require(
      CGImage(
        width: width, height: height, bitsPerComponent: bits, bitsPerPixel: bits * components,
        bytesPerRow: width * components * bits / 8,
        space: space ?? (components == 1 ? gray : nil) ?? CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue).union(order), provider: provider, decode: nil,
        shouldInterpolate: false, intent: .defaultIntent))
  }

  @Test(arguments: [(1, 1), (17, 9), (64, 33)], [CGImageAlphaInfo.last, .none, .noneSkipLast])
  func `8 bits come back exactly`(size: (Int, Int), alpha: CGImageAlphaInfo) throws {
    let original = try image(size.0, size.1, alpha)
    let back = try PNGDecoder.decode(PNGEncoder.encode(original))
    #expect(back.alphaInfo == alpha && back.bitsPerComponent == 8)
    var (a, b) = (original.dataProvider?.data ?? Data(), back.dataProvider?.data ?? Data())
    if alpha == .noneSkipLast {
      for index in stride(from: 3, to: a.count, by: 4) { a[index] = 0; b[index] = 0 }
    }
    #expect(a == b)
  }

  @Test func `16 bits come back exactly`() throws {
    let original = try image(13, 7, .last, bits: 16, order: .byteOrder16Big)
    let back = try PNGDecoder.decode(PNGEncoder.encode(original))
    #expect(back.bitsPerComponent == 16 && back.bitsPerPixel == 64)
    let a = [UInt8](original.dataProvider?.data ?? Data())
    var b = [UInt8](back.dataProvider?.data ?? Data())
    if back.byteOrderInfo == .order16Little {
      for index in stride(from: 0, to: b.count, by: 2) { b.swapAt(index, index + 1) }
    }
    #expect(a == b)
  }

  @Test func `premultiplied colours are written straight`() throws {
    let data = Data([100, 50, 25, 128, 0, 0, 0, 0])
    let provider = try #require(CGDataProvider(data: data))
    let original = try #require(
      CGImage(
        width: 2, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider,
        decode: nil,
        shouldInterpolate: false, intent: .defaultIntent))
    let back = try PNGDecoder.decode(PNGEncoder.encode(original))
    #expect(back.dataProvider?.data == Data([199, 100, 50, 128, 0, 0, 0, 0]))
  }

  @Test func `profile, resolution and EXIF are kept`() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    var block = ExifBlock()
    block[ExifTag(.image, 0x010F)] = .text("Maker")
    var options = PNGEncoder.Options()
    options.exif = try block.data()
    options.dotsPerInch = 300
    let file = try PNGEncoder.encode(image(5, 4, .last, space: space), options: options)
    let facts = try StillFacts(file)
    #expect(facts.format == .png && facts.width == 5 && facts.height == 4 && facts.hasAlpha)
    #expect(facts.colorSpace == space)
    #expect(facts.dotsPerInch?.x == 300)
    #expect(facts.exifBlock == block)
    #expect(try PNGDecoder.decode(file).colorSpace == space)
  }

  @Test func `a cut-off file is an error`() throws {
    let file = try PNGEncoder.encode(image(40, 40, .last))
    for count in stride(from: 0, to: file.count - 12, by: 97) {
      #expect(throws: StillCodecError.self) { try PNGDecoder.decode(file.prefix(count)) }
    }
  }

  @Test func `thousands of damaged files never crash`() throws {
    let file = try PNGEncoder.encode(image(20, 20, .last))
    var dice = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      var data = file
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        data[Int.random(in: 8..<data.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      _ = try? PNGDecoder.decode(data)
      _ = try? StillFacts(data)
    }
  }
}

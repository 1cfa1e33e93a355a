import Foundation
import SeededNumbers
import StillCodecs
import Testing

@Suite("ExifBlock")
struct ExifBlockTests {
  private var full: ExifBlock {
    var block = ExifBlock()
    block[ExifTag(.image, 0x010F)] = .text("Maker")
    block[ExifTag(.image, 0x0110)] = .text("Kamera 카메라")
    block[ExifTag(.image, 0x0112)] = .shorts([6])
    block[ExifTag(.image, 0x011A)] = .rationals([ExifRational(72, 1)])
    block[ExifTag(.exif, 0x829A)] = .rationals([ExifRational(1, 120)])
    block[ExifTag(.exif, 0x8827)] = .shorts([100])
    block[ExifTag(.exif, 0x9000)] = .undefined([0x30, 0x32, 0x33, 0x32])
    block[ExifTag(.exif, 0x9203)] = .signedRationals([ExifRational(-7, 2)])
    block[ExifTag(.exif, 0xA002)] = .longs([4032])
    block[ExifTag(.exif, 0xA432)] = .rationals([
      ExifRational(4, 1), ExifRational(4, 1), ExifRational(8, 5), ExifRational(8, 5),
    ])
    block[ExifTag(.exif, 0x927C)] = .undefined([UInt8](repeating: 7, count: 50))
    block[ExifTag(.gps, 1)] = .text("N")
    block[ExifTag(.gps, 2)] = .rationals([ExifRational(37, 1), ExifRational(33, 1), ExifRational(5900, 100)])
    block[ExifTag(.gps, 5)] = .bytes([0])
    block[ExifTag(.interoperability, 1)] = .text("R98")
    block[ExifTag(.exif, 0xFDE8)] = .shorts([1, 2, 3])
    return block
  }

  @Test func `every kind of tag comes back, known or not`() throws {
    let back = try #require(try ExifBlock(reading: full.data()))
    #expect(back == full)
  }

  @Test func `the thumbnail comes back`() throws {
    var block = full
    block.thumbnail = Data([0xFF, 0xD8] + [UInt8](repeating: 5, count: 3000) + [0xFF, 0xD9])
    let back = try #require(try ExifBlock(reading: block.data()))
    #expect(back.thumbnail == block.thumbnail)
  }

  @Test func `the same tags give the same bytes`() throws {
    #expect(try full.data() == full.data())
    #expect(try full.data().starts(with: [0x4D, 0x4D, 0, 42]))
  }

  @Test(
    arguments: [
      (1.0 / 120, 1, 120), (0.5, 1, 2), (1.8, 9, 5), (4.25, 17, 4), (1.0 / 8000, 1, 8000), (30, 30, 1),
      (0, 0, 1),
      (-2.5, -5, 2),
    ] as [(Double, Int64, Int64)])
  func `decimals become the fraction a photographer would write`(
    value: Double, numerator: Int64, denominator: Int64
  ) {
    #expect(ExifRational(approximating: value) == ExifRational(numerator, denominator))
  }

  @Test func `no number and too large numbers stay in range`() {
    #expect(ExifRational(approximating: .nan).value == nil)
    #expect(ExifRational(approximating: 1e20).numerator == Int64(Int32.max))
    #expect(ExifRational(approximating: 1e-20) == ExifRational(0, 1))
    for value in [3.14159265, 1234.5678, 0.000123, 2_000_000.25] {
      let back = ExifRational(approximating: value).value ?? 0
      #expect(abs(back - value) <= value * 2e-6)
    }
  }

  @Test func `thousands of damaged blocks never crash`() throws {
    let data = try full.data()
    var dice = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      var broken = data
      for _ in 0..<Int.random(in: 1...5, using: &dice) {
        broken[Int.random(in: 0..<broken.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      _ = ExifBlock(reading: broken.prefix(Int.random(in: 0...broken.count, using: &dice)))
    }
  }
}

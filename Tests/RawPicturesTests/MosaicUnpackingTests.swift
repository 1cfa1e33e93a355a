import CMosaics
import CoreVideo
import Foundation
import FoundationExtras
import RawPictures
import SeededNumbers
import Testing

@Suite("MosaicUnpacking", .serialized)
struct MosaicUnpackingTests {
  /// Packs numbers as MIPI CSI-2 says, bit by bit: for each group the upper eight bits of each, then the lower ones, the first lowest.
  private func packed(_ numbers: [UInt16], bits: Int) -> [UInt8] {
    let (group, low) = (bits == 12 ? 2 : 4, bits - 8)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: numbers.count, by: group) {
      let part = (0..<group).map { start + $0 < numbers.count ? Int(numbers[start + $0]) : 0 }
      bytes += part.map { UInt8($0 >> low) }
      var rest = 0
      for (index, number) in part.enumerated() { rest |= (number & (1 << low - 1)) << (index * low) }
      bytes += (0..<group * low / 8).map { UInt8(truncatingIfNeeded: rest >> (8 * $0)) }
    }
    return bytes
  }

  @Test(
    arguments: [
      (8, false), (10, false), (12, false), (14, false), (16, false), (10, true), (12, true), (14, true),
    ])
  func `every number comes out as it was, whatever the width and the padding`(bits: Int, isPacked: Bool)
    throws
  {
    for isPlain in [true, false] {
      _ = mosaics_use_plain_loops(isPlain ? 1 : 0)
      defer { _ = mosaics_use_plain_loops(0) }
      for (width, padding) in [(2, 0), (3, 5), (5, 0), (38, 3), (127, 0), (256, 64)] {
        var dice = SeededGenerator(seed: UInt64(bits * width))
        let height = 3
        let numbers = (0..<height).map { _ in
          (0..<width).map { _ in UInt16(truncatingIfNeeded: Int.random(in: 0..<1 << bits, using: &dice)) }
        }
        var bytes: [UInt8] = []
        for row in numbers {
          let own =
            isPacked
            ? packed(row, bits: bits)
            : bits == 8
              ? row.map { UInt8($0) } : row.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
          #expect(own.count == MosaicUnpacking.rowBytes(width: width, bits: bits, isPacked: isPacked))
          bytes += own + Array(repeating: 0xEE, count: padding)
        }
        // The last row has no padding.
        bytes.removeLast(padding)
        let stride = MosaicUnpacking.rowBytes(width: width, bits: bits, isPacked: isPacked) + padding
        let buffer = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_GRBG, width: width, height: height)
        let isDone = bytes.withUnsafeBytes {
          MosaicUnpacking.unpack($0, bytesPerRow: stride, bits: bits, isPacked: isPacked, into: buffer)
        }
        #expect(isDone)
        for (y, row) in numbers.enumerated() {
          #expect(
            (0..<width).map { buffer.planes[0].row(y).load(fromByteOffset: 2 * $0, as: UInt16.self) } == row)
        }
        let isShort = bytes.dropLast().withUnsafeBytes {
          !MosaicUnpacking.unpack($0, bytesPerRow: stride, bits: bits, isPacked: isPacked, into: buffer)
        }
        #expect(isShort)
      }
    }
  }

  @Test func `bits above those of a number are cut off`() throws {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 2, height: 2)
    let bytes: [UInt8] = [0xFF, 0xFF, 0x01, 0xFC, 0x00, 0x04, 0x34, 0x02]
    let isDone = bytes.withUnsafeBytes {
      MosaicUnpacking.unpack($0, bytesPerRow: 4, bits: 10, isPacked: false, into: buffer)
    }
    #expect(isDone)
    let numbers = (0..<4).map {
      buffer.planes[0].row($0 / 2).load(fromByteOffset: $0 % 2 * 2, as: UInt16.self)
    }
    #expect(numbers == [0x3FF, 1, 0, 0x234])
  }

  @Test func `packings that do not exist, and other pictures, are refused`() throws {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 4, height: 4)
    let other = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 4, height: 4)
    let bytes = [UInt8](repeating: 0, count: 256)
    let results = bytes.withUnsafeBytes { bytes in
      [
        MosaicUnpacking.unpack(bytes, bytesPerRow: 16, bits: 8, isPacked: true, into: buffer),
        MosaicUnpacking.unpack(bytes, bytesPerRow: 16, bits: 7, isPacked: false, into: buffer),
        MosaicUnpacking.unpack(bytes, bytesPerRow: 16, bits: 10, isPacked: false, into: other),
        MosaicUnpacking.unpack(bytes, bytesPerRow: 7, bits: 10, isPacked: false, into: buffer),
      ]
    }
    #expect(results == [false, false, false, false])
  }
}

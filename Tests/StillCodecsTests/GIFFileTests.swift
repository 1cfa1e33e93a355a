import Foundation
import Testing

import StillCodecs

@Suite("The structure of GIF files")
struct GIFFileTests {
  /// A file of one pixel with two colours and pictures that are as large, each with one of the disposals.
  private func file(_ disposals: [UInt8], codeSize: UInt8 = 2, width: UInt8 = 1) -> Data {
    var bytes = Array("GIF89a".utf8) + [width, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    for disposal in disposals {
      bytes += [0x21, 0xF9, 4, disposal << 2, 0, 0, 0, 0]
      bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, codeSize, 2, 0x44, 0x01, 0]
    }
    return Data(bytes + [0x3B])
  }

  @Test func `a file of more pictures than anything shows is refused`() throws {
    let least = file([])
    let one = file([0])[(least.count - 1)..<(file([0]).count - 1)]
    var many = Data(least.dropLast())
    for _ in 0..<GIFFile.mostFrames { many += one }
    #expect(try GIFFile(many).frames.count == GIFFile.mostFrames)
    let error = #expect(throws: StillCodecError.self) { try GIFFile(many + one) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `what is there before the first picture is nothing, and comes back where it says so`() throws {
    #expect(try GIFFile(file([3, 0])).hasAlpha)
    #expect(try !GIFFile(file([0, 3, 0])).hasAlpha)
    // After the last picture nothing is shown.
    #expect(try !GIFFile(file([3])).hasAlpha)
    #expect(try GIFFile(file([2, 0])).hasAlpha && GIFFile(file([0], width: 2)).hasAlpha)
  }

  @Test func `codes of colours that are not there draw nothing`() throws {
    #expect(try GIFFile(file([0], codeSize: 3)).hasAlpha)
    // The least codes of two colours.
    #expect(try !GIFFile(file([0], codeSize: 2)).hasAlpha)
  }
}

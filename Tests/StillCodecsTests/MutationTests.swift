import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import Testing

import StillCodecs

/// Pictures whose heads were changed by chance: read, or refused, and never a crash or more memory than a decoding may take.
///
/// `OBSCURA_MUTATIONS` sets how many there are; also run under AddressSanitizer, as CONTRIBUTING.md says.
@Suite("Mutated pictures", .serialized)
struct MutationTests {
  private static let mutations =
    ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"].flatMap(Int.init) ?? 1000

  enum Kind: String, CaseIterable, Codable {
    case png, interlacedPNG, baselineJPEG, progressiveJPEG, heic

    /// A file with a profile, EXIF and all that its format has before its pixels.
    func file() throws -> Data {
      var block = ExifBlock()
      block[ExifTag(.image, 0x010F)] = .text("Maker")
      block[ExifTag(.image, 0x0112)] = .shorts([6])
      switch self {
      case .png: return CraftedPNG.black(width: 200, height: 100, chunks: [("eXIf", try block.data())])
      case .interlacedPNG: return CraftedPNG.black(width: 61, height: 33, isInterlaced: true)
      case .baselineJPEG, .progressiveJPEG:
        var options = JPEGEncoder.Options()
        options.isProgressive = self == .progressiveJPEG
        options.exif = try block.data()
        return try JPEGEncoder.encode(testBuffer(96, 64), options: options)
      case .heic:
        var options = HEICEncoder.Options()
        options.exif = try block.data()
        return try HEICEncoder.encode(testBuffer(96, 64), options: options)
      }
    }

    /// Makes the checksums right again, so that a change is not refused for them.
    func repaired(_ data: Data) -> Data {
      self == .png || self == .interlacedPNG ? CraftedPNG.withChecksums(data) : data
    }
  }

  @Test(arguments: Kind.allCases)
  func `a changed head is read or refused within the bounds of memory`(kind: Kind) async throws {
    await #expect(processExitsWith: .success) { [kind = kind as Kind] in
      let file = try kind.file()
      var dice = SeededGenerator(seed: 11)
      for _ in 0..<Self.mutations / Kind.allCases.count {
        var data = file
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          let at = Int.random(in: 2..<min(data.count, 900), using: &dice)
          switch Int.random(in: 0..<4, using: &dice) {
          case 0: data[at] = UInt8.random(in: 0...255, using: &dice)
          case 1: data[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
          case 2: data[at] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &dice) ?? 0
          default: for place in at..<min(at + 4, data.count) { data[place] = 0xFF }
          }
        }
        data = kind.repaired(data)
        guard let facts = try? StillFacts(data) else { continue }
        _ = facts.exifBlock
        for scale in [StillScale.full, .eighth] { _ = try? facts.decode(data, scale: scale) }
      }
      // The bound of a decoding, and what the process takes itself.
      #expect(try peakMegabytes() < 512 + 150)
    }
  }
}

import CoreVideo
import Foundation
import Glibc
import SeededNumbers
import StillCodecs
import Testing

/// Pictures of every kind that were changed anywhere: read, or refused, in bounded time and memory.
@Suite("Mutated pictures under stress", .serialized)
struct MutationStressTests {
  /// 20 000 with `OBSCURA_STRESS=1`; see `FuzzCount`.
  @Test
  func
    `no changed picture ends the process, takes more than two seconds, or more memory than a decoding may`()
    async
  {
    await #expect(processExitsWith: .success) {
      var files = try MutationTests.Kind.allCases.map { ($0, try $0.file()) }.map { kind, data in
        (data, { kind.repaired($0) } as (Data) -> Data)
      }
      for name in [
        "grid-of-itself.heic", "clap-29x100.heic", "still.avif", "exif-behind-pixels.png", "extra2.jpg",
      ] {
        files.append(
          (try pictureFile(name), name.hasSuffix("png") ? { CraftedPNG.withChecksums($0) } : { $0 }))
      }
      files.append((CraftedHEIF().file, { $0 }))
      var dice = SeededGenerator(usual: 17)
      var slowest = 0.0
      for round in 0..<FuzzCount(usual: 110, all: 20_000).value {
        let (file, repaired) = files[round % files.count]
        var data = file
        for _ in 0..<Int.random(in: 1...6, using: &dice) {
          guard data.count > 16 else { break }
          let at = Int.random(in: 0..<data.count, using: &dice)
          switch Int.random(in: 0..<7, using: &dice) {
          case 0: data[at] = UInt8.random(in: 0...255, using: &dice)
          case 1: data[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
          case 2: data[at] = [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &dice) ?? 0
          case 3: for place in at..<min(at + 4, data.count) { data[place] = 0xFF }
          case 4: data.removeSubrange(at..<min(at + Int.random(in: 1...16, using: &dice), data.count))
          case 5: data = data.prefix(max(16, at))
          default: data.insert(contentsOf: data[at..<min(at + 24, data.count)], at: at)
          }
        }
        data = repaired(Data(data))
        let start = Self.processorSeconds
        _ = StillFormat(detecting: data)
        if let facts = try? StillFacts(data) {
          _ = facts.exifBlock
          for scale in [StillScale.full, .eighth] { _ = try? facts.decode(data, scale: scale) }
          if facts.format == .heic { _ = try? HEICDecoder.decodeThumbnail(data) }
        }
        slowest = max(slowest, Self.processorSeconds - start)
      }
      #expect(slowest < 2)
      // AddressSanitizer keeps released memory.
      if !isAddressSanitized { #expect(try peakMegabytes() < 512 + 150) }
    }
  }

  /// All threads' together: other programs do not count.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

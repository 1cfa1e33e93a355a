import CoreVideo
import Foundation
import SeededNumbers
import StillCodecs
import Testing

@Suite("DNGDecoder, damaged files", .serialized)
struct DNGStressTests {
  @Test func `a damaged file is an error or a picture, never a crash`() throws {
    var options = CraftedDNG.options(bits: 12)
    options.storage = .packed
    options.preview = try JPEGEncoder.encode(testBuffer(16, 16))
    let whole = try DNGEncoder.encode(CraftedDNG.random(24, 20, bits: 12), options: options)
    let rows = CraftedDNG.numbers(try CraftedDNG.random(16, 16, bits: 12))
    let part = CraftedDNG.lossless(rows, precision: 12, predictor: 6)
    let tags: [(tag: UInt16, kind: Int, values: [Int])] =
      [
        (256, 4, [16]), (257, 4, [16]), (258, 3, [12]), (259, 3, [7]), (273, 4, [-1]), (278, 3, [16]),
        (279, 4, [part.count]),
      ] + CraftedDNG.plain + [(50706, 1, [1, 4, 0, 0])]
    let compressed = CraftedDNG.file(tags.sorted { $0.tag < $1.tag }, [part])
    var dice = SeededGenerator(seed: 11)
    let count = FuzzCount(usual: 400, all: 100_000).value
    for data in [whole, compressed] {
      for _ in 0..<count {
        var damaged = data
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          damaged[Int.random(in: 0..<data.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        if Bool.random(using: &dice) { damaged.removeLast(Int.random(in: 0..<data.count, using: &dice)) }
        if let picture = try? DNGDecoder.decode(damaged) {
          #expect(picture.mosaic.width >= 2 && picture.mosaic.height >= 2)
        }
        guard let facts = try? StillFacts(damaged) else { continue }
        for scale in [StillScale.full, .quarter] { _ = try? facts.decode(damaged, scale: scale) }
      }
    }
  }
}

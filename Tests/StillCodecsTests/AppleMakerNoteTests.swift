import Foundation
import SeededNumbers
import StillCodecs
import Testing

@Suite("AppleMakerNote")
struct AppleMakerNoteTests {
  private static let name = "5B1D2A0C-7E43-4C0E-9D6A-2F1E0B7A9C33"

  private var full: AppleMakerNote {
    var note = AppleMakerNote()
    note[17] = .text(Self.name)
    note[8] = .number(-0.25)
    note[3] = .data([1, 2, 3, 4, 5])
    note[20] = .integer(2)
    note[35] = .integer(5_000_000_000)
    return note
  }

  @Test func `every value comes back as it went in`() throws {
    let back = try #require(AppleMakerNote(full.bytes))
    #expect(back == full)
    #expect(back.tags == [1, 3, 8, 17, 20, 35])
    #expect(back[1] == .integer(16) && back[17] == .text(Self.name) && back[8] == .number(-0.25))
    #expect(back[3] == .data([1, 2, 3, 4, 5]) && back[35] == .integer(5_000_000_000))
  }

  @Test func `the layout is the one that phones write`() {
    var note = AppleMakerNote()
    note[17] = .text(Self.name)
    let bytes = note.bytes
    #expect(bytes.prefix(14) == Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D])
    // Two entries; the text begins behind them, counted from the note's own start.
    #expect(Array(bytes[14..<28]) == [0, 2, 0, 1, 0, 9, 0, 0, 0, 1, 0, 0, 0, 16])
    #expect(Array(bytes[28..<40]) == [0, 17, 0, 2, 0, 0, 0, 37, 0, 0, 0, 44])
    #expect(String(decoding: bytes[44..<80], as: UTF8.self) == Self.name && bytes[80] == 0)
  }

  @Test func `what is not known is kept, and so is what stands behind the note`() throws {
    // Three numbers under a tag, as phones have them.
    var bytes = Array("Apple iOS\0\0\u{1}MM".utf8)
    bytes += [0, 2, 0, 8, 0, 10, 0, 0, 0, 3, 0, 0, 0, 44, 0, 17, 0, 2, 0, 0, 0, 2, 0x41, 0, 0, 0, 0, 0, 0, 0]
    bytes += (0..<24).map { UInt8($0) } + Array("behind".utf8)
    var note = try #require(AppleMakerNote(bytes))
    #expect(note[8] == nil && note[17] == .text("A") && note.rest == Array("behind".utf8))
    #expect(note.bytes == bytes)
    note[17] = .text(Self.name)
    let back = try #require(AppleMakerNote(note.bytes))
    #expect(back[17] == .text(Self.name) && back.rest == note.rest && back.tags == [8, 17])
    note[17] = .text("A")
    #expect(note.bytes == bytes)
  }

  @Test func `a note of another maker, and a damaged one, is none or says less`() {
    #expect(AppleMakerNote(Array("Nikon\0\u{2}".utf8)) == nil)
    #expect(AppleMakerNote([]) == nil)
    let bytes = full.bytes
    for count in bytes.indices { _ = AppleMakerNote(Array(bytes.prefix(count))) }
    var generator = SeededGenerator(usual: 17)
    for _ in 0..<2000 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int.random(in: 14..<broken.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      // Whatever it has become, it can be written again.
      if let note = AppleMakerNote(broken) { #expect(AppleMakerNote(note.bytes)?.tags == note.tags) }
    }
  }
}

import NetworkDevices
import SeededNumbers
import Testing

@Suite("Stress: markup")
struct MarkupReaderStressTests {
  @Test func `changed documents are read or refused, and never more`() throws {
    let whole = Array(
      "<?xml version='1.0'?><s:E xmlns:s='urn:1'><s:B a=\"1\">x &amp; y<![CDATA[z]]><!-- c --><d/></s:B></s:E>"
        .utf8)
    var numbers = SeededGenerator(usual: 3702)
    for _ in 0..<FuzzCount(usual: 300, all: 20_000).value {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: bytes.indices, using: &numbers)
        switch Int.random(in: 0...2, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &numbers)], at: place)
        }
      }
      guard let element = MarkupReader.document(bytes) else { continue }
      #expect(!element.name.isEmpty)
    }
    #expect(MarkupReader.document(whole)?.child("B")?.text == "x & yz")
  }
}

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
      guard let element = MarkupReader.document(numbers.changed(whole)) else { continue }
      #expect(!element.name.isEmpty)
    }
    #expect(MarkupReader.document(whole)?.child("B")?.text == "x & yz")
  }
}

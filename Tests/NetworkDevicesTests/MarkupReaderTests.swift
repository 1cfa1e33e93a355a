import NetworkDevices
import SeededNumbers
import Testing

@Suite("XML of machines of the network")
struct MarkupReaderTests {
  private func read(_ text: String) -> MarkupElement? { MarkupReader.document(Array(text.utf8)) }

  @Test func `names are had without prefixes, text with its references, and what is no content is skipped`()
    throws
  {
    let text = """
      \u{FEFF}<?xml version="1.0"?><!-- a -->
      <x:a xmlns:x="urn:1" x:b='1 &lt; 2' c="&#x41;&#66;"><d> one &amp; <!-- no --><?no?>two </d><x:d/><d><![CDATA[<&>]]></d >
      </x:a> and more
      """
    let element = try #require(read(text))
    #expect(element.name == "a" && element.attributes == ["b": "1 < 2", "c": "AB"])
    #expect(element.all("d").map(\.text) == ["one & two", "", "<&>"])
    #expect(element.child("d")?.text == "one & two" && element.child("d", "e") == nil)
  }

  @Test(arguments: [
    "", "a", "<", "<a", "<a>", "<a></b>", "<a><b></a></b>", "<a b></a>", "<a b=1/>", "<a b='1/>",
    "<a b='<'/>",
    "<a>&other;</a>", "<a>&#x110000;</a>", "<a>&lt</a>", "<a><![CDATA[</a>", "<a><!-- </a>", "<?xml <a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "< a/>",
  ])
  func `what is no document is none`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `depth, size, attributes and names are bounded`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(read(nested(MarkupReader.mostDepth)) != nil && read(nested(MarkupReader.mostDepth + 1)) == nil)
    let room = String(repeating: " ", count: MarkupReader.mostBytes - 7)
    #expect(read("<a>\(room)</a>") != nil && read("<a>\(room) </a>") == nil)
    #expect(read("<a>" + String(repeating: "<b/>", count: 20_000) + "</a>")?.children.count == 20_000)
    #expect(read("<a>" + String(repeating: "<b/>", count: 40_000) + "</a>") == nil)
    #expect(read("<a " + (0..<100).map { "b\($0)='' " }.joined() + "/>") == nil)
    #expect(read("<" + String(repeating: "a", count: 200) + "/>") == nil)
  }

  @Test func `declarations of namespaces are as many as a maker likes`() throws {
    let names = (0..<300).map { "xmlns:n\($0)='urn:\($0)' " }.joined()
    let element = try #require(read("<n1:a xmlns='urn:a' \(names) n2:b='c'><n3:d/></n1:a>"))
    #expect(element.name == "a" && element.attributes == ["b": "c"] && element.child("d") != nil)
  }

  @Test func `text that is no UTF-8 is repaired, and other encodings are no documents`() throws {
    let element = try #require(MarkupReader.document(Array("<a>K".utf8) + [0xFC] + Array("che</a>".utf8)))
    #expect(element.text == "K\u{FFFD}che")
    let wide: [UInt8] = Array("<a>b</a>".utf8).flatMap { [$0, UInt8(0)] }
    #expect(MarkupReader.document([0xFF, 0xFE] + wide) == nil && MarkupReader.document(wide) == nil)
  }
}

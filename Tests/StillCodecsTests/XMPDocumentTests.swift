import Foundation
import SeededNumbers
import StillCodecs
import Testing

@Suite("XMPDocument")
struct XMPDocumentTests {
  private static let mine = "http://example.org/mine/"

  private func read(_ description: String) throws -> XMPDocument {
    let text = """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 5.4.0">
      <!-- a comment --><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(description)
      </rdf:RDF></x:xmpmeta><?xpacket end="w"?>   
      """
    return try #require(XMPDocument(reading: Data(text.utf8)))
  }

  @Test func `attributes and elements say the same`() throws {
    let short = try read(
      "<rdf:Description rdf:about='' xmlns:m='\(Self.mine)' m:Quality='high' m:Empty=\"\"/>")
    let long = try read(
      """
      <rdf:Description rdf:about="" xmlns:other="\(Self.mine)">
        <other:Quality>high</other:Quality><other:Empty/>
      </rdf:Description>
      """)
    for document in [short, long] {
      #expect(document[Self.mine, "Quality"] == .text("high"))
      #expect(document[Self.mine, "Empty"] == .text(""))
      #expect(document[Self.mine, "Other"] == nil && document["", "Quality"] == nil)
    }
  }

  @Test func `lists, fields, entities and sections are read`() throws {
    let document = try read(
      """
      <rdf:Description xmlns:m="\(Self.mine)">
        <m:List><rdf:Seq><rdf:li>1.5</rdf:li><rdf:li>-2</rdf:li></rdf:Seq></m:List>
        <m:Names><rdf:Alt><rdf:li xml:lang="x-default">A &amp; &#66;&#x43; &lt;&unknown;</rdf:li></rdf:Alt></m:Names>
        <m:Size rdf:parseType="Resource"><m:w>3</m:w><m:h><![CDATA[<4>]]></m:h></m:Size>
        <m:Nested><rdf:Description m:w="5"/></m:Nested>
      </rdf:Description>
      """)
    func field(_ name: String, _ text: String) -> XMPProperty {
      XMPProperty(namespace: Self.mine, prefix: "m", name: name, value: .text(text))
    }
    #expect(document[Self.mine, "List"] == .list(.ordered, [.text("1.5"), .text("-2")]))
    #expect(document[Self.mine, "Size"] == .fields([field("w", "3"), field("h", "<4>")]))
    #expect(document[Self.mine, "Nested"] == .fields([field("w", "5")]))
    guard case .list(.alternatives, let names) = document[Self.mine, "Names"] else {
      Issue.record("There are no names.")
      return
    }
    #expect(names.count == 1)
  }

  @Test func `languages and other notes on a value are not its fields`() throws {
    let document = try read(
      """
      <rdf:Description xmlns:m="\(Self.mine)" xml:lang="en">
        <m:Plain xml:lang="x-default">text</m:Plain>
        <m:Noted rdf:parseType="Resource"><rdf:value>4</rdf:value><m:unit>m</m:unit></m:Noted>
        <m:Long><rdf:Description><rdf:value>5</rdf:value><m:unit>m</m:unit></rdf:Description></m:Long>
        <m:Short rdf:value="6" m:unit="m"/>
        <m:Names><rdf:Alt><rdf:li xml:lang="de">eins</rdf:li><rdf:li xml:lang="en">one</rdf:li></rdf:Alt></m:Names>
      </rdf:Description>
      """)
    #expect(
      ["Plain", "Noted", "Long", "Short"].map { document.text(Self.mine, $0) } == ["text", "4", "5", "6"])
    #expect(document[Self.mine, "Names"] == .list(.alternatives, [.text("eins"), .text("one")]))
    #expect(document.text(Self.mine, "Names") == nil && document.properties.count == 5)
  }

  @Test func `a prefix means what the nearest element says, whatever it means elsewhere`() throws {
    let document = try read(
      """
      <rdf:Description xmlns:m="http://example.org/other/" m:Width="1"/>
      <rdf:Description xmlns:m="\(Self.mine)"><m:Width>2</m:Width>
        <m:Height xmlns:m="http://example.org/other/">3</m:Height>
        <Depth xmlns="\(Self.mine)">4</Depth><m:Text>m:Length="5" &lt;m:Length>6&lt;/m:Length></m:Text>
        <!-- <m:Length>7</m:Length> --></rdf:Description>
      """)
    #expect(
      ["Width", "Height", "Depth", "Length"].map { document.text(Self.mine, $0) } == ["2", nil, "4", nil])
    #expect(document.text("http://example.org/other/", "Width") == "1")
    #expect(document.text("http://example.org/other/", "Height") == "3")
  }

  @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
  func `packets of UTF-16 are read`(encoding: String.Encoding) throws {
    let text = String(
      decoding: XMPDocument([
        XMPProperty(namespace: Self.mine, prefix: "m", name: "Text", value: .text("Ünï"))
      ]).data, as: UTF8.self)
    let data = try #require(text.data(using: encoding))
    #expect(XMPDocument(reading: data)?.text(Self.mine, "Text") == "Ünï")
  }

  @Test func `what is written is read again, also where two namespaces claim one prefix`() throws {
    func property(_ namespace: String, _ name: String, _ value: XMPProperty.Value) -> XMPProperty {
      XMPProperty(namespace: namespace, prefix: "m", name: name, value: value)
    }
    let document = XMPDocument([
      property(Self.mine, "Text", .text("a < b & \"c\" > d")),
      property("http://example.org/other/?a=1&b=2", "Text", .text("Ünïcode")),
      property(Self.mine, "List", .list(.unordered, [.text("1"), .text("")])),
      property(Self.mine, "Fields", .fields([property(Self.mine, "Inner", .list(.ordered, [.text("x")]))])),
    ])
    let back = try #require(XMPDocument(reading: document.data))
    #expect(back.properties.map(\.name) == ["Text", "Text", "List", "Fields"])
    for property in document.properties.prefix(3) {
      #expect(back[property.namespace, property.name] == property.value)
    }
    guard case .fields(let fields) = back[Self.mine, "Fields"] else {
      Issue.record("There are no fields.")
      return
    }
    #expect(fields.map(\.value) == [.list(.ordered, [.text("x")])])
    #expect(back.data == document.data)
  }

  @Test func `what is no packet, or made to harm, is none`() {
    let bombs = [
      "", "<", "<a", "<a>", "</a>", "<a></b>", "<a b=c/>", "<p:a/>", "no xml at all",
      "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>", String(repeating: "<a>", count: 100_000),
    ]
    for bomb in bombs { #expect(XMPDocument(reading: Data(bomb.utf8)) == nil) }
    #expect(XMPDocument(reading: Data(count: 17 << 20)) == nil)
    let many = (0..<5000).map { "m:a\($0)=''" }.joined(separator: " ")
    let crowded = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:m='m' \(many)/>"
    #expect(XMPDocument(reading: Data(crowded.utf8)) == nil)
  }

  @Test func `thousands of damaged packets never crash`() {
    let value = XMPProperty.Value.list(.ordered, [.text("1"), .text("a & b")])
    let whole = XMPDocument([XMPProperty(namespace: Self.mine, prefix: "m", name: "List", value: value)]).data
    var dice = SeededGenerator(seed: 2)
    for _ in 0..<3000 {
      var data = whole
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        data[Int.random(in: 0..<data.count, using: &dice)] =
          Array("<>&;\"'/=: a\0\u{FF}".utf8).randomElement(using: &dice) ?? 0
      }
      _ = XMPDocument(reading: data)?.data
    }
  }
}

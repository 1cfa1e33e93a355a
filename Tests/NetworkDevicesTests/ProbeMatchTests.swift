import Foundation
import NetworkDevices
import Testing

@Suite("Answers to the question for cameras")
struct ProbeMatchTests {
  private let id = "c1b5e5a8-0000-4000-8000-0123456789ab"

  private func matches(_ text: String) -> [ProbeMatch] {
    ProbeMatch.matches(Array(text.utf8), answering: id)
  }

  @Test func `the question asks for video transmitters, under its number`() throws {
    let question = try #require(MarkupReader.document(Array(SOAPMessage.probe(id).utf8)))
    #expect(question.child("Header", "MessageID")?.text == "urn:uuid:\(id)")
    #expect(
      question.child("Header", "Action")?.text
        == "http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe")
    #expect(question.child("Body", "Probe", "Types")?.text == "dn:NetworkVideoTransmitter")
  }

  @Test func `prefixes are as makers like them, and a name may have spaces`() throws {
    let first = matches(
      """
      <?xml version="1.0" encoding="utf-8"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope"
       xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:wsadis="http://schemas.xmlsoap.org/ws/2004/08/addressing">
      <env:Header><wsadis:MessageID>urn:uuid:1</wsadis:MessageID><wsadis:RelatesTo>uuid:\(id.uppercased())</wsadis:RelatesTo>
      </env:Header><env:Body><d:ProbeMatches><d:ProbeMatch><wsadis:EndpointReference>
      <wsadis:Address>urn:uuid:0000AAAA-1111-2222-3333-444455556666</wsadis:Address></wsadis:EndpointReference>
      <d:Types>dn:NetworkVideoTransmitter</d:Types><d:Scopes>onvif://www.onvif.org/type/video_encoder
      onvif://www.onvif.org/name/Front%20Door onvif://www.onvif.org/hardware/DS-2CD onvif://www.onvif.org/location/city/hall</d:Scopes>
      <d:XAddrs>http://192.168.1.64/onvif/device_service http://[fe80::4e62:dfff:fe12:3456]/onvif/device_service</d:XAddrs>
      </d:ProbeMatch></d:ProbeMatches></env:Body></env:Envelope>
      """)
    let match = try #require(first.first)
    #expect(match.endpoint == "0000aaaa-1111-2222-3333-444455556666")
    #expect(match.scopes["name"] == "Front Door" && match.scopes["location"] == "city/hall")
    #expect(match.services.count == 2)
    let service = try #require(match.service(at: "192.168.1.64"))
    #expect(service.port == 80 && service.path == "/onvif/device_service")

    // Without any prefix, and without scopes.
    let second = matches(
      "<Envelope><Header><RelatesTo>urn:uuid:\(id)</RelatesTo></Header><Body><ProbeMatches>"
        + "<ProbeMatch><EndpointReference><Address>urn:uuid:a</Address></EndpointReference>"
        + "<XAddrs>http://10.0.0.5:8899/onvif/device_service</XAddrs></ProbeMatch>"
        + "<ProbeMatch><EndpointReference><Address>urn:uuid:b</Address></EndpointReference></ProbeMatch>"
        + "</ProbeMatches></Body></Envelope>")
    #expect(second.map(\.endpoint) == ["a", "b"] && second[0].scopes.isEmpty)
    #expect(second[0].service(at: "10.0.0.5")?.port == 8899 && second[1].services.isEmpty)
  }

  @Test func `an answer to another question, and what is none, are left out`() {
    let other =
      "<E><Header><RelatesTo>\(id)</RelatesTo></Header><Body><ProbeMatches><ProbeMatch/></ProbeMatches></Body></E>"
    #expect(matches(other).isEmpty)
    #expect(matches(other.replacingOccurrences(of: "E>", with: "Envelope>")).count == 1)
    let foreign = other.replacingOccurrences(of: "E>", with: "Envelope>").replacingOccurrences(
      of: id, with: "1")
    #expect(matches(foreign).isEmpty && matches("").isEmpty && matches("hello").isEmpty)
  }

  @Test func `only the machine that answered is asked, whatever addresses it names`() throws {
    func match(_ places: String) throws -> ProbeMatch {
      try #require(
        matches(
          "<Envelope><Header><RelatesTo>\(id)</RelatesTo></Header><Body><ProbeMatches><ProbeMatch>"
            + "<XAddrs>\(places)</XAddrs></ProbeMatch></ProbeMatches></Body></Envelope>"
        ).first)
    }
    let many = try match("http://10.0.0.1:81/a http://10.0.0.2:82/b http://10.0.0.3:83/c?d=e")
    let own = try #require(many.service(at: "10.0.0.3"))
    #expect(own.port == 83 && own.path == "/c?d=e")
    #expect(many.service(at: "10.0.0.9")?.port == 81)
    #expect(try match("https://10.0.0.1/a").service(at: "10.0.0.1") == nil)
    #expect(try match("https://10.0.0.1/a http://10.0.0.1:81/b").service(at: "10.0.0.1")?.port == 81)
    // Where none is named, it is where others have it.
    for none in ["ftp://10.0.0.1/a", "http://10.0.0.1:99999/a", "http:///a", "10.0.0.1", ""] {
      let usual = try #require(try match(none).service(at: "10.0.0.1"), "\(none)")
      #expect(usual.port == 80 && usual.path == "/onvif/device_service")
    }
    let short = try #require(try match("http://10.0.0.5:8899").service(at: "10.0.0.5"))
    #expect(short.port == 8899 && short.path == "/onvif/device_service")
  }

  /// An answer with a number and addresses of services.
  private func answer(_ number: String, _ places: String = "", from sender: String) throws
    -> NetworkProbe.Answer
  {
    let match = try #require(
      matches(
        "<Envelope><Header><RelatesTo>\(id)</RelatesTo></Header><Body><ProbeMatches><ProbeMatch><EndpointReference>"
          + "<Address>\(number)</Address></EndpointReference><XAddrs>\(places)</XAddrs></ProbeMatch></ProbeMatches>"
          + "</Body></Envelope>"
      ).first)
    return NetworkProbe.Answer(match: match, sender: sender)
  }

  @Test func `cameras are told apart by the whole of their number, and by their machines`() throws {
    let first = try answer("urn:uuid:74:73:36:01:99:73", from: "10.0.0.1")
    #expect(first.match.endpoint == "74:73:36:01:99:73" && first.isSame(first))
    #expect(!first.isSame(try answer("urn:uuid:AA:BB:CC:DD:EE:73", from: "10.0.0.1")))
    let place = try answer("http://10.0.0.5:8080/onvif/device_service", from: "10.0.0.1")
    #expect(!place.isSame(try answer("http://10.0.0.6:8080/onvif/device_service", from: "10.0.0.1")))
    // One number in all of a maker's, or taken by a machine that names the other.
    #expect(!first.isSame(try answer("uuid:74:73:36:01:99:73", "http://10.0.0.1/a", from: "10.0.0.2")))
    let places = "http://10.0.0.1/a http://10.0.1.1/a"
    let twin = try answer("uuid:B", places, from: "10.0.0.1")
    #expect(twin.isSame(try answer("urn:uuid:b", places, from: "10.0.1.1")))
    #expect(!(try answer("", from: "10.0.0.1")).isSame(try answer("", from: "10.0.0.2")))
    #expect((try answer("", from: "10.0.0.1")).isSame(try answer("", from: "10.0.0.1")))
  }

  @Test func `a name has no control codes, and no more letters than a line`() throws {
    let name = "A%1B%5B31m%0AB%E2%80%AE" + String(repeating: "c", count: 500)
    let match = try #require(
      matches(
        "<Envelope><Header><RelatesTo>\(id)</RelatesTo></Header><Body><ProbeMatches><ProbeMatch>"
          + "<Scopes>onvif://www.onvif.org/name/\(name)</Scopes></ProbeMatch></ProbeMatches></Body></Envelope>"
      ).first)
    let shown = try #require(match.scopes["name"])
    #expect(shown.hasPrefix("A[31mBccc") && shown.count == 100)
  }

  @Test func `marks on a letter count as letters, and a name of none is none`() throws {
    func scope(_ name: String) throws -> String? {
      try #require(
        matches(
          "<Envelope><Header><RelatesTo>\(id)</RelatesTo></Header><Body><ProbeMatches><ProbeMatch>"
            + "<Scopes>onvif://www.onvif.org/name/\(name)</Scopes></ProbeMatch></ProbeMatches></Body></Envelope>"
        ).first
      ).scopes["name"]
    }
    let marks = String(repeating: "%CC%81", count: 5000)
    #expect(try scope("a\(marks)")?.unicodeScalars.count == 100)
    #expect(try scope("%20%1B%20") == nil)
    #expect(try scope("%20 onvif://www.onvif.org/name/Door") == "Door")
  }
}

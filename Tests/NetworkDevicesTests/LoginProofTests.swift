import Foundation
import MediaStreaming
import NetworkDevices
import Testing

@Suite("Proofs of a password")
struct LoginProofTests {
  @Test func `digests are those of the standards`() {
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
    #expect(hex(MessageDigest.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hex(MessageDigest.sha1([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hex(MessageDigest.md5(Array("abc".utf8))) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(hex(MessageDigest.md5([])) == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test func `a token's digest is that of ONVIF's own example, and it does not hold the password`() throws {
    let nonce = try #require(Data(base64Encoded: "LKqI6G/AikKCQrN0zqZFlg=="))
    let date = try #require(ISO8601DateFormatter().date(from: "2010-09-16T07:50:45Z"))
    let token = UsernameToken(user: "u<ser", password: "userpassword", nonce: Array(nonce), date: date)
    let message = try #require(
      MarkupReader.document(Array(SOAPMessage.request("<a/>", token: token).utf8)))
    let found = try #require(message.child("Header", "Security", "UsernameToken"))
    #expect(found.child("Username")?.text == "u<ser")
    #expect(found.child("Password")?.text == "tuOSpGlFlIXsozq4HFNeeGeFLEI=")
    #expect(found.child("Password")?.attributes["Type"]?.hasSuffix("#PasswordDigest") == true)
    #expect(found.child("Nonce")?.text == "LKqI6G/AikKCQrN0zqZFlg==")
    #expect(found.child("Created")?.text == "2010-09-16T07:50:45Z")
    #expect(!token.markup.contains("userpassword"))
  }

  @Test func `a login by HTTP is answered as the standard's example says`() throws {
    let digest = try #require(
      HTTPDigest(
        "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\","
          + " opaque=\"5ccc069c403ebaf9f0171e9517f40e41\""))
    let field = digest.authorization(
      user: "Mufasa", password: "Circle Of Life", method: "GET", path: "/dir/index.html", own: "0a4f113b")
    #expect(field.contains("response=\"6629fae49393a05397450978507c4ef1\""))
    #expect(field.contains("opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"") && !field.contains("Circle"))
    let second = digest.authorization(
      user: "Mufasa", password: "Circle Of Life", method: "GET", path: "/dir/index.html", own: "0a4f113b",
      count: 0x1F)
    #expect(second.contains("nc=0000001f") && !second.contains("6629fae49393a05397450978507c4ef1"))
    let plain = try #require(
      HTTPDigest(
        "digest nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", realm=\"testrealm@host.com\", algorithm=md5"))
    let old = plain.authorization(
      user: "Mufasa", password: "Circle Of Life", method: "POST", path: "/dir/index.html", own: "0a4f113b")
    #expect(old.contains("response=\"606b58711e1cc9535f12f39968f07304\"") && !old.contains("qop"))
  }

  @Test(arguments: [
    "", "Basic realm=\"a\"", "Digest", "Digest realm=\"a\"", "Digest nonce=\"a\"",
    "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-256", "Digest realm=\"a\", nonce=\"b\", qop=\"auth-int\"",
    "Digest realm=\"a\nX: y\", nonce=\"b\"",
  ])
  func `another way to log in is not taken for this one`(challenge: String) {
    #expect(HTTPDigest(challenge) == nil)
  }
}

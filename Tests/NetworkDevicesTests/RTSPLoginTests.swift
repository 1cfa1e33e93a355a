import Foundation
import Linux
import MediaStreaming
import Testing

@Suite("Logins by RTSP")
struct RTSPLoginTests {
  private static func md5(_ text: String) -> String {
    MessageDigest.md5(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
  }

  /// Whether a request proves a password by a digest, as the standard says.
  private static func isProven(_ request: ScriptedCamera.Request, _ password: String, nonce: String) -> Bool {
    guard let field = request.value("Authorization") else { return false }
    let proof = md5("\(md5("me:camera:\(password)")):\(nonce):\(md5("\(request.method):\(request.address)"))")
    return field.hasPrefix("Digest username=\"me\"") && field.contains("nonce=\"\(nonce)\"")
      && field.contains("uri=\"\(request.address)\"") && field.contains("response=\"\(proof)\"")
  }

  private func camera(nonce: @escaping @Sendable (ScriptedCamera.Request) -> String) throws -> ScriptedCamera
  {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let sent = try maker.picture(pictures.first, time: 3000).flatMap { PacketMaker.interleaved($0) }
    let plays = ScriptedCamera.stream(pictures.description(), sent)
    return try ScriptedCamera { request in
      guard request.method == "OPTIONS" || Self.isProven(request, "s3cret", nonce: nonce(request)) else {
        return request.answer(
          401,
          [
            "WWW-Authenticate: Basic realm=\"camera\"",
            "WWW-Authenticate: Digest realm=\"camera\", nonce=\"\(nonce(request))\"",
          ])
      }
      return plays(request)
    }
  }

  @Test func `a digest is preferred, proven for each request, and holds no password`() throws {
    let camera = try camera { _ in "one" }
    let input = try camera.open { ($0.user, $0.password) = ("me", "s3cret") }
    #expect(try input.next()?.isBroken == false)
    #expect(camera.requests.map(\.method) == ["OPTIONS", "DESCRIBE", "DESCRIBE", "SETUP", "PLAY"])
    #expect(!camera.requests.contains { $0.lines.contains { $0.contains("s3cret") || $0.contains("Basic") } })
    withExtendedLifetime(input) {}
  }

  @Test func `a camera that wants another number for each question gets it`() throws {
    let camera = try camera { "for \($0.method)" }
    let input = try camera.open { ($0.user, $0.password) = ("me", "s3cret") }
    #expect(try input.next()?.isBroken == false)
    #expect(
      camera.requests.count { $0.method == "SETUP" } == 2
        && camera.requests.count { $0.method == "PLAY" } == 2)
  }

  @Test func `a password that is refused is not sent again`() throws {
    let camera = try camera { _ in "one" }
    let problem = #expect(throws: NetworkProblem.self) {
      _ = try camera.open { ($0.user, $0.password) = ("me", "w0rd") }
    }
    #expect(problem?.kind == .unauthorized && problem?.description.contains("w0rd") == false)
    #expect(camera.requests.count { $0.value("Authorization") != nil } == 1)
  }

  @Test func `without a password nothing is sent`() throws {
    let camera = try camera { _ in "one" }
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open { $0.user = "me" } }
    #expect(problem?.kind == .unauthorized && camera.requests.allSatisfy { $0.value("Authorization") == nil })
  }

  @Test func `a name and a password do not go to another machine`() throws {
    let third = try ScriptedCamera { request in
      request.answer(401, ["WWW-Authenticate: Basic realm=\"camera\""])
    }
    // The same machine by another name.
    let (thirdPlace, place) = (Locked(""), Locked(""))
    let second = try ScriptedCamera { request in
      request.method == "DESCRIBE"
        ? request.answer(302, ["Location: \(thirdPlace.withLock { $0 })"]) : request.answer()
    }
    thirdPlace.withLock { $0 = "rtsp://localhost:\(third.port)/camera" }
    place.withLock { $0 = "rtsp://localhost:\(second.port)/camera" }
    let first = try ScriptedCamera { request in
      guard request.method == "DESCRIBE" else { return request.answer() }
      guard request.value("Authorization") != nil else {
        return request.answer(401, ["WWW-Authenticate: Basic realm=\"camera\""])
      }
      return request.answer(302, ["Location: \(place.withLock { $0 })"])
    }
    let problem = #expect(throws: NetworkProblem.self) {
      _ = try first.open { ($0.user, $0.password) = ("me", "s3cret") }
    }
    #expect(problem?.kind == .unauthorized)
    for other in [second, third] {
      #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.value("Authorization") == nil })
    }
  }
}

import Foundation
import Linux
import MediaStreaming
import Testing

@Suite("Conversations by RTSP")
struct RTSPSessionTests {
  /// A stream of one picture.
  private func stream(channel: UInt8 = 0) throws -> (description: String, sent: [UInt8]) {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let packets = try maker.picture(pictures.first, time: 3000)
    return (pictures.description(), packets.flatMap { PacketMaker.interleaved($0, channel: channel) })
  }

  @Test func `what is asked for is described, set up, played and torn down`() throws {
    let (description, sent) = try stream()
    let camera = try ScriptedCamera(ScriptedCamera.stream(description, sent))
    var input: NetworkInput? = try camera.open()
    #expect(try input?.next()?.isBroken == false)
    input = nil
    #expect(camera.wait { $0.contains { $0.method == "TEARDOWN" } })
    let requests = camera.requests
    #expect(requests.map(\.method) == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY", "TEARDOWN"])
    #expect(requests[2].address == camera.address + "/track1" && requests[3].address == camera.address + "/")
    #expect(requests[2].value("Transport") == "RTP/AVP/TCP;unicast;interleaved=0-1")
    #expect(requests.suffix(2).allSatisfy { $0.value("Session") == "7" })
    let numbers = requests.compactMap { $0.value("CSeq").flatMap { Int($0) } }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 5)
  }

  @Test func `channels are those that the camera chooses`() throws {
    let (description, sent) = try stream(channel: 8)
    let plain = ScriptedCamera.stream(description, [])
    // What comes on other channels is of streams that were not asked for.
    let other = PacketMaker.interleaved([1, 2, 3], channel: 0)
    let camera = try ScriptedCamera { request in
      switch request.method {
      case "SETUP":
        request.answer(200, ["Session: 7", "Transport: RTP/AVP/TCP;unicast;interleaved=8-9;ssrc=1"])
      case "PLAY": request.answer() + other + sent
      default: plain(request)
      }
    }
    #expect(try camera.open().next()?.isBroken == false)
  }

  @Test func `messages between packets are answered or passed over`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    let units = first + [pictures.furtherSlice(try #require(first.last))]
    let packets = maker.picture(units, time: 3000)
    let words =
      "RTSP/1.0 200 OK\r\nCSeq: 99\r\n\r\nOPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\nSING * RTSP/1.0\r\nCSeq: 8\r\n\r\n"
    let sent =
      PacketMaker.interleaved(packets[0]) + Array(words.utf8)
      + packets.dropFirst().flatMap { PacketMaker.interleaved($0) }
    let camera = try ScriptedCamera(ScriptedCamera.stream(pictures.description(), sent))
    let input = try camera.open()
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
    #expect(camera.wait { $0.count { $0.method == "RTSP/1.0" } == 2 })
    let answers = camera.requests.filter { $0.method == "RTSP/1.0" }
    #expect(answers.map(\.address) == ["200", "501"] && answers.map { $0.value("CSeq") } == ["7", "8"])
    withExtendedLifetime(input) {}
  }

  @Test(arguments: [
    Array("ANNOUNCE rtsp://a/ RTSP/1.0\r\nCSeq: 7\r\nx-notice: 2101 End-of-Stream Reached\r\n\r\n".utf8),
    Array("TEARDOWN rtsp://a/ RTSP/1.0\r\nCSeq: 7\r\n\r\n".utf8),
    PacketMaker.interleaved(PacketMaker.goodbye, channel: 1),
  ])
  func `a camera that ends its stream has ended it`(word: [UInt8]) throws {
    let (description, sent) = try stream()
    let camera = try ScriptedCamera(ScriptedCamera.stream(description, sent + word))
    let input = try camera.open()
    #expect(try input.next()?.isBroken == false)
    let problem = #expect(throws: NetworkProblem.self) { _ = try input.next() }
    #expect(problem?.kind == .ended)
  }

  @Test func `a camera that hangs up has ended its stream`() throws {
    let (description, sent) = try stream()
    let camera = try ScriptedCamera(ScriptedCamera.stream(description, sent))
    let input = try camera.open()
    #expect(try input.next()?.isBroken == false)
    camera.close()
    let problem = #expect(throws: NetworkProblem.self) { _ = try input.next() }
    #expect(problem?.kind == .ended)
  }

  @Test func `a wait is ended by the one who waits`() throws {
    let (description, _) = try stream()
    let isOver = Locked(false)
    let plays = ScriptedCamera.stream(description, [])
    let silent = try ScriptedCamera { request in
      if request.method == "PLAY" { isOver.withLock { $0 = true } }
      return plays(request)
    }
    var source = RTSPSource(silent.address)
    source.wantsAudio = false
    let problem = #expect(throws: NetworkProblem.self) {
      _ = try NetworkInput(source) { isOver.withLock { $0 } }
    }
    #expect(problem?.kind == .over)
  }

  // MARK: Redirects and refusals

  @Test func `a camera that sends its questions to another is asked there`() throws {
    let (description, sent) = try stream()
    let second = try ScriptedCamera(ScriptedCamera.stream(description, sent))
    let place = second.address
    let first = try ScriptedCamera { request in
      request.method == "DESCRIBE" ? request.answer(302, ["Location: \(place)"]) : request.answer()
    }
    #expect(try first.open().next()?.isBroken == false)
    #expect(first.requests.map(\.method) == ["OPTIONS", "DESCRIBE"])
    #expect(second.requests.first?.address == place)
  }

  @Test func `one that sends them around in a circle is left`() throws {
    let place = Locked("")
    let camera = try ScriptedCamera { request in
      request.method == "DESCRIBE"
        ? request.answer(301, ["Location: \(place.withLock { $0 })"]) : request.answer()
    }
    place.withLock { $0 = camera.address }
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open() }
    #expect(problem?.description == "it sends its questions around in a circle")
  }

  @Test(arguments: [
    (404, NetworkProblem.Kind.missing), (403, NetworkProblem.Kind.unauthorized),
    (401, NetworkProblem.Kind.unauthorized), (503, NetworkProblem.Kind.other),
    (500, NetworkProblem.Kind.other),
  ])
  func `a refusal is said`(_ status: Int, _ kind: NetworkProblem.Kind) throws {
    let camera = try ScriptedCamera { request in
      request.method == "DESCRIBE" ? request.answer(status) : request.answer()
    }
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open() }
    #expect(problem?.kind == kind)
  }

  @Test func `an answer without an end, or one that is too large, is left`() throws {
    let endless = try ScriptedCamera { request in
      request.method == "DESCRIBE" ? [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 15) : request.answer()
    }
    let huge = try ScriptedCamera { request in
      request.method == "DESCRIBE" ? request.answer(200, ["Content-Length: 70000"]) : request.answer()
    }
    for camera in [endless, huge] {
      let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open() }
      #expect(problem?.description == "its answer is too large")
    }
    let other = try ScriptedCamera { _ in Array("HTTP/1.1 200 OK\r\n\r\n".utf8) }
    let problem = #expect(throws: NetworkProblem.self) { _ = try other.open() }
    #expect(problem?.description == "it does not speak RTSP")
  }

  @Test func `a camera without pictures is told from one that is not there`() throws {
    let camera = try ScriptedCamera(ScriptedCamera.stream("v=0\r\nm=audio 0 RTP/AVP 0\r\n", []))
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open() }
    #expect(problem?.kind == .missing)
    let sound = try camera.open { ($0.wantsVideo, $0.wantsAudio) = (false, true) }
    #expect(sound.tracks.map(\.codec) == ["pcm_mulaw"] && sound.tracks.first?.format != nil)
  }
}

import Foundation
import Glibc
import Linux

/// A camera of this process that speaks ONVIF on the machine's own network, and misbehaves where a test says so.
package final class FakeONVIFCamera: Sendable {
  /// How it answers by HTTP.
  package enum Fault: CaseIterable, Sendable {
    /// It takes connections and says nothing.
    case silent
    case endlessHead, endlessBody, hugeBody, cutBody
    /// Its answer is no XML, nested without end, or UTF-16.
    case garbage, deep, otherEncoding
    case redirect
  }

  /// The login that it wants.
  package enum Login: Sendable {
    case token, digest
  }

  /// Everything about it that a test may want otherwise.
  package struct Nature: Sendable {
    package var id = "4d454930-0000-1000-8000-0011223344aa"
    /// The name in its scopes; `nil` for none.
    package var name: String?
    package var login: Login?
    package var user = "admin"
    package var password = "s3cret<word>"
    /// How far its clock is ahead, in seconds; it takes no token whose time is an hour from its own.
    package var clockLead: Double = 0
    /// How often it answers each question for cameras.
    package var answers = 1
    package var fault: Fault?
    /// It hangs up, without an answer, on a question that has this in it; `nil` for none.
    package var hangsUp: String?
    /// Whether it tells its time only after a login.
    package var guardsTime = false
    /// Whether it wants another number for each digest.
    package var takesNumbersOnce = false
    /// How many cameras it says that it is, each with a number behind its own.
    package var copies = 1
    /// How many streams it has beside two.
    package var moreProfiles = 0
    /// How many bytes it tells of each stream that are of no use.
    package var padding = 0
    /// The prefix of its XML's envelopes.
    package var prefix = "SOAP-ENV"
    /// What its second stream's address is.
    package var secondAddress = "rtsp://admin:hidden@127.0.0.1:5540/sub"

    package init() {}
  }

  private struct State {
    var requests: [String] = []
    var probes = 0
    var proofs = 0
    var held: [Descriptor] = []
  }

  /// The port on which it is asked for.
  package let port: UInt16
  /// The address of its machine.
  package let host: String
  let servicePort: UInt16
  let nature: Nature
  private let state = Monitor(State())
  private let wake: WakeUp

  /// - Parameter host: Its address, one of this machine's own network.
  package init(_ nature: Nature = Nature(), host: String = "127.0.0.1") throws {
    self.nature = nature
    self.host = host
    wake = try WakeUp()
    let (datagrams, port) = try Self.open(Int32(SOCK_DGRAM.rawValue), host)
    let (listener, servicePort) = try Self.open(Int32(SOCK_STREAM.rawValue), host)
    self.port = port
    self.servicePort = servicePort
    Thread.detachNewThread { [weak self, wake] in
      while true {
        var watched = [wake.descriptor, datagrams, listener].map {
          pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&watched, 3, -1)
        guard watched[0].revents == 0, let self else { return }
        if watched[1].revents != 0 { self.answerProbe(datagrams) }
        if watched[2].revents != 0 {
          let number = accept(listener.number, nil, nil)
          if number >= 0 { self.serve(Descriptor(adopting: number)) }
        }
      }
    }
  }

  deinit { wake.signal() }

  /// The address of the machine and the port, as `--at` takes them.
  package var place: String { "\(host):\(port)" }
  /// The names of the questions that came by HTTP.
  package var requests: [String] { state.withLock { $0.requests } }
  /// How many of them had a proof of a password.
  package var proofs: Int { state.withLock { $0.proofs } }
  /// How many questions for cameras came.
  package var probes: Int { state.withLock { $0.probes } }

  private static func open(_ kind: Int32, _ host: String) throws -> (Descriptor, UInt16) {
    let end = Descriptor(adopting: socket(AF_INET, kind | Int32(SOCK_CLOEXEC.rawValue), 0))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    guard inet_pton(AF_INET, host, &place.sin_addr) == 1 else {
      throw SystemError.last("read the address of a machine")
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(end.number, $0, size) == 0 && getsockname(end.number, $0, &size) == 0
      }
    }
    guard isOpen, kind != Int32(SOCK_STREAM.rawValue) || listen(end.number, 16) == 0 else {
      throw SystemError.last("open a socket of the machine's own network")
    }
    return (end, UInt16(bigEndian: place.sin_port))
  }

  // MARK: Being found

  private func answerProbe(_ end: Descriptor) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var place = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(end.number, &bytes, bytes.count, 0, $0, &size)
      }
    }
    guard count > 0 else { return }
    let question = String(decoding: bytes[..<count], as: UTF8.self)
    guard question.contains(":NetworkVideoTransmitter<"), let id = Self.text("MessageID", in: question) else {
      return
    }
    state.withLock { $0.probes += 1 }
    let answer = Array(probeMatch(id).utf8)
    for _ in 0..<nature.answers {
      withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(end.number, answer, answer.count, 0, $0, size)
        }
      }
    }
  }

  // MARK: Answering by HTTP

  private func serve(_ end: Descriptor) {
    if nature.fault == .silent {
      state.withLock { $0.held.append(end) }
      return
    }
    Thread.detachNewThread { [weak self] in
      guard let (head, body) = Self.request(end), let self else { return }
      let name = Self.names.first { body.contains("<\($0)") } ?? "?"
      let isProof = head.contains("\r\nAuthorization: ") || body.contains("UsernameToken")
      state.withLock { state in
        state.requests.append(name)
        if isProof { state.proofs += 1 }
      }
      if let word = nature.hangsUp, body.contains(word) { return }
      if let fault = nature.fault { return misbehave(fault, end) }
      let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      let (status, fields, content) = self.answer(name, body, head, path)
      let rest = String(content.utf8.count - 5, radix: 16)
      let text =
        "HTTP/1.1 \(status)\r\nContent-Type: application/soap+xml\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
        + "5;x=y\r\n\(content.prefix(5))\r\n\(rest)\r\n\(content.dropFirst(5))\r\n0\r\n\r\n"
      Self.send(text, to: end)
    }
  }

  private static let names = [
    "GetSystemDateAndTime", "GetDeviceInformation", "GetCapabilities", "GetProfiles", "GetStreamUri",
  ]

  private static func request(_ end: Descriptor) -> (head: String, body: String)? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let gap = text.range(of: "\r\n\r\n") {
        let head = String(text[..<gap.lowerBound])
        let body = String(text[gap.upperBound...])
        let length = head.components(separatedBy: "Content-Length: ").last.flatMap {
          Int($0.prefix { $0.isNumber })
        }
        if let length, body.utf8.count >= length { return (head, body) }
      }
      let count = recv(end.number, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  /// Whether all of it was taken.
  @discardableResult
  private static func send(_ text: String, to end: Descriptor) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(end.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func misbehave(_ fault: Fault, _ end: Descriptor) {
    let ok = "HTTP/1.1 200 OK\r\n"
    let much = String(repeating: "a", count: 10_000)
    switch fault {
    case .silent: break
    case .endlessHead:
      Self.send(ok + "X: ", to: end)
      while Self.send(much, to: end) {}
    case .endlessBody:
      Self.send(ok + "\r\n", to: end)
      while Self.send("<a>\(much)</a>", to: end) {}
    case .hugeBody: Self.send(ok + "Content-Length: 99999999999\r\n\r\n<a/>", to: end)
    case .cutBody: Self.send(ok + "Content-Length: 500\r\n\r\n<Envelope><Body>", to: end)
    case .garbage: Self.send("\u{1}\u{2} no answer\n\n\n", to: end)
    case .deep: Self.send(ok + "\r\n" + String(repeating: "<a>", count: 30_000), to: end)
    case .otherEncoding:
      let units = Array("<Envelope><Body><A/></Body></Envelope>".utf8)
      let bytes = units.flatMap { unit -> [String] in ["\0", String(UnicodeScalar(unit))] }
      Self.send(ok + "\r\n" + bytes.joined(), to: end)
    case .redirect:
      Self.send(
        "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n", to: end)
    }
  }

  /// The text of the first element of a name, whatever its prefix.
  static func text(_ name: String, in message: String) -> String? {
    guard let start = message.range(of: "\(name)(\\s[^>]*)?>", options: .regularExpression),
      let end = message.range(of: "</", range: start.upperBound..<message.endIndex)
    else { return nil }
    return String(message[start.upperBound..<end.lowerBound])
  }
}

import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Glibc
import Linux
import NetworkStage
import Testing

/// A camera of the network: an RTSP server of this process that sends pictures, thirty a second.
///
/// Source: RFC 2326, RFC 3550, RFC 6184, RFC 7798.
final class RTSPServer: Sendable {
  /// How pictures are sent: between the answers of a connection, or in datagrams beside it.
  enum Transport: Sendable { case tcp, udp }

  /// Where the packets of a track go.
  private enum Route {
    case channel(UInt8)
    case port(UInt16)
  }

  private struct State {
    var listener: Int32 = -1
    var clients: [Client] = []
    var isSending = true
    var sequence: UInt32 = 0
    var formats: CMVideoFormatDescription?
    var requests: [String] = []
    var keyInterval: UInt32 = 15
    var credentials: String?
  }

  /// A connection that plays.
  private final class Client: @unchecked Sendable {  // Safe: written to under the server's lock.
    let socket: Int32
    var routes: [Int: Route] = [:]
    var numbers: [Int: UInt16] = [:]
    /// How many packets of its video are still to be lost.
    var losses = 0
    var isPlaying = false

    init(_ socket: Int32) { self.socket = socket }
  }

  let port: UInt16
  private let encoding: FrameEncoding
  private let hasAudio: Bool
  private let pictures = CodedPictures()
  /// `nil` for TCP.
  private let ports: RTPPorts?
  private let state = Monitor(State())
  private let isOver = Monitor(false)

  /// A server that listens.
  ///
  /// - Parameters:
  ///   - transport: How it sends; it refuses to send otherwise.
  ///   - credentials: `name:password` that it wants, if any.
  init(
    _ encoding: FrameEncoding = .h264, over transport: Transport = .tcp, credentials: String? = nil,
    hasAudio: Bool = false
  ) throws {
    self.encoding = encoding
    self.hasAudio = hasAudio
    ports = try transport == .udp ? RTPPorts() : nil
    let (listener, port) = try LocalSocket.listening()
    self.port = port
    state.withLock { ($0.listener, $0.credentials) = (listener, credentials) }
    accept(on: listener)
    Thread.detachNewThread { [self] in
      // The sensor's own time, which the end cuts short.
      repeat {
        sendFrame()
      } while isOver.wait(until: .now.advanced(byNanoseconds: 33_333_333), for: { $0 }, then: { _ in }) == nil
    }
  }

  deinit { close() }

  func close() {
    isOver.withLock { $0 = true }
    cut()
  }

  var address: String { "rtsp://127.0.0.1:\(port)/stream" }

  /// The first words of all requests.
  var requests: [String] { state.withLock { $0.requests } }

  /// Waits until so many connections have begun to ask; whether they have.
  func wait(forConnections count: Int, until deadline: MonotonicInstant) -> Bool {
    state.wait(until: deadline, for: { $0.requests.count { $0 == "OPTIONS" } >= count }, then: { _ in true })
      ?? false
  }

  /// Wants another login from now on, as `name:password`.
  func setCredentials(_ credentials: String?) { state.withLock { $0.credentials = credentials } }

  /// Sends nothing for now, or goes on.
  func setSending(_ isSending: Bool) { state.withLock { $0.isSending = isSending } }

  /// Does not send the next packets of video, which have their numbers all the same.
  func lose(_ count: Int) {
    state.withLock { state in
      for client in state.clients { client.losses = count }
    }
  }

  /// Closes the connections that play a track: 0 is video, 1 audio.
  func cut(track: Int) {
    let clients = state.withLock { $0.clients.filter { $0.routes[track] != nil } }
    for client in clients { shutdown(client.socket, Int32(SHUT_RDWR)) }
  }

  /// Closes every connection, and takes none.
  func cut() {
    let (listener, clients) = state.withLock { state in
      defer { (state.listener, state.clients) = (-1, []) }
      return (state.listener, state.clients)
    }
    if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
    for client in clients { shutdown(client.socket, Int32(SHUT_RDWR)) }
  }

  /// Takes connections again, on the same port.
  func listenAgain() throws {
    let (listener, _) = try LocalSocket.listening(on: port)
    state.withLock { $0.listener = listener }
    accept(on: listener)
  }

  // MARK: Connections

  private func accept(on listener: Int32) {
    Thread.detachNewThread { [weak self] in
      while true {
        let number = Glibc.accept(listener, nil, nil)
        guard number >= 0, let self else { break }
        var yes: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let client = Client(number)
        state.withLock { $0.clients.append(client) }
        Thread.detachNewThread { [weak self] in
          while let request = Self.request(from: number) {
            guard let self else { break }
            answer(request, to: client)
          }
          self?.state.withLock { state in state.clients.removeAll { $0 === client } }
          Glibc.close(number)
        }
      }
      Glibc.close(listener)
    }
  }

  /// The lines of the next request; `nil` at the end.
  ///
  /// What comes between requests is RTCP.
  static func request(from number: Int32) -> [String]? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(number, &byte, 1) == 1 {
      if bytes.isEmpty, byte == UInt8(ascii: "$") {
        var header = [UInt8](repeating: 0, count: 3)
        guard recv(number, &header, 3, Int32(MSG_WAITALL)) == 3 else { return nil }
        var rest = [UInt8](repeating: 0, count: Int(header[1]) << 8 | Int(header[2]))
        guard recv(number, &rest, rest.count, Int32(MSG_WAITALL)) == rest.count else { return nil }
        continue
      }
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] {
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
      }
    }
    return nil
  }

  private func answer(_ lines: [String], to client: Client) {
    func value(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix(name + ":") }?.split(separator: ":", maxSplits: 1).last
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let words = lines[0].split(separator: " ")
    let method = String(words[0])
    let credentials = state.withLock { state in
      state.requests.append(method)
      return state.credentials
    }
    var status = "200 OK"
    var fields = ["CSeq: \(value("cseq") ?? "0")", "Session: 1"]
    var body = ""
    if let credentials, method != "OPTIONS",
      value("authorization") != "Basic \(Data(credentials.utf8).base64EncodedString())"
    {
      status = "401 Unauthorized"
      fields.append("WWW-Authenticate: Basic realm=\"camera\"")
    } else {
      switch method {
      case "DESCRIBE":
        body = description
        fields += ["Content-Type: application/sdp", "Content-Base: \(address)/"]
      case "SETUP":
        let track = words[1].hasSuffix("track2") ? 1 : 0
        if let (route, said) = self.route(asked: value("transport") ?? "") {
          state.withLock { _ in client.routes[track] = route }
          fields.append("Transport: \(said)")
        } else {
          status = "461 Unsupported Transport"
        }
      case "PLAY":
        state.withLock { _ in client.isPlaying = true }
      default: break
      }
    }
    if !body.isEmpty { fields.append("Content-Length: \(body.utf8.count)") }
    let text = "RTSP/1.0 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    state.withLock { _ in Self.send(Array(text.utf8), to: client) }
  }

  /// Where packets go by the words of a request's field, and the words that answer it; `nil` for another transport.
  private func route(asked words: String) -> (Route, String)? {
    func number(behind name: String) -> UInt16? {
      words.components(separatedBy: name + "=").dropFirst().first.flatMap {
        UInt16($0.prefix { $0.isNumber })
      }
    }
    if let ports {
      return number(behind: "client_port").map { port in
        (
          .port(port),
          "RTP/AVP;unicast;client_port=\(port)-\(port &+ 1);server_port=\(ports.number)-\(ports.number + 1)"
        )
      }
    }
    return number(behind: "interleaved").flatMap { UInt8(exactly: $0) }.map { channel in
      (.channel(channel), "RTP/AVP/TCP;unicast;interleaved=\(channel)-\(channel &+ 1)")
    }
  }

  private static func send(_ bytes: [UInt8], to client: Client) {
    _ = Glibc.send(client.socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private var description: String {
    CodedUnits.description(encoding, sets: (try? parameterSets()) ?? [], hasAudio: hasAudio)
  }

  // MARK: Pictures

  private func parameterSets() throws -> [[UInt8]] {
    let format = try state.withLock { state in
      if let format = state.formats { return format }
      let picture = try pictures.picture(state.sequence, encoding, isKeyFrame: true)
      state.sequence += 1
      state.formats = picture.format
      return picture.format
    }
    return try CodedUnits.parameterSets(of: format, encoding)
  }

  private func sendFrame() {
    _ = try? parameterSets()
    state.withLock { state in
      let number = state.sequence
      state.sequence += 1
      let isKey = number % state.keyInterval == 0
      guard let picture = try? pictures.picture(number, encoding, isKeyFrame: isKey),
        let bytes = try? Array(picture.data.dataBytes()), state.isSending
      else { return }
      let units = CodedUnits.units(in: bytes)
      for client in state.clients where client.isPlaying {
        if let route = client.routes[0] {
          for (index, unit) in units.enumerated() {
            send(
              unit, to: client, track: 0, route, type: 96, number * 3000, isLast: index == units.count - 1)
          }
        }
        if let route = client.routes[1] {
          let chunk = [UInt8](repeating: 0x80 | UInt8(number % 8) << 4, count: 267)
          send(chunk, to: client, track: 1, route, type: 0, number * 267, isLast: true)
        }
      }
    }
  }

  private func send(
    _ payload: [UInt8], to client: Client, track: Int, _ route: Route, type: UInt8, _ time: UInt32,
    isLast: Bool
  ) {
    let number = client.numbers[track, default: 0]
    client.numbers[track] = number &+ 1
    if track == 0, client.losses > 0 {
      client.losses -= 1
      return
    }
    var packet: [UInt8] = [0x80, type | (isLast ? 0x80 : 0), UInt8(number >> 8), UInt8(number & 0xFF)]
    packet += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
    packet += [0, 0, 0, UInt8(track + 1)] + payload
    switch route {
    case .channel(let channel):
      let length = packet.count
      Self.send([UInt8(ascii: "$"), channel, UInt8(length >> 8), UInt8(length & 0xFF)] + packet, to: client)
    case .port(let port): ports?.send(packet, to: port)
    }
  }
}

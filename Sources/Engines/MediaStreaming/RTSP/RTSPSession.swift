internal import Linux

/// A conversation with one camera by RTSP: it describes its streams, is asked for some, plays them, and is kept awake.
///
/// Used by one thread.
///
/// Source: RFC 2326; RFC 7826 for what the camera says of its own accord.
final class RTSPSession {
  /// An answer of a camera that does not send that way.
  struct TransportRefusal: Error {}

  private static let mostRedirects = 5
  /// How often one question is asked of a camera that wants another proof each time.
  private static let mostTries = 3
  /// Packets that come before the answer to what let them come.
  private static let mostEarly = 512

  private let source: RTSPSource
  private let waits: Bool
  private let isOverNow: @Sendable () -> Bool
  private var link: RTSPLink
  let buffer: RTSPBuffer
  /// The address that was asked for, and the one that is asked: after a redirect another.
  private let asked: RTSPAddress
  private var address: RTSPAddress
  /// Packets that came while an answer was waited for.
  private var early: [(channel: UInt8, bytes: [UInt8])] = []
  private var login: RTSPLogin
  private var methods: Set<String> = []
  private var number = 0
  private var session: String?
  private var pause: Int64 = 30_000_000_000
  private var woken: MonotonicInstant = .now
  /// The number of the request that keeps it awake, and is not answered.
  private var waking: Int?
  /// What the whole is asked for by.
  private var whole = ""
  private var base = ""

  /// Connects.
  ///
  /// - Parameter waits: Whether reading waits for bytes: of a camera that sends by this connection.
  init(_ source: RTSPSource, waits: Bool, isOver: @escaping @Sendable () -> Bool) throws(NetworkProblem) {
    guard let address = RTSPAddress(source.address) else {
      throw NetworkProblem(.other, "its address is none of RTSP")
    }
    self.source = source
    asked = address
    self.address = address
    self.waits = waits
    isOverNow = isOver
    login = RTSPLogin(user: source.user, password: source.password)
    buffer = RTSPBuffer()
    link = try RTSPLink(
      to: address, source, waits: waits, isOver: isOver)
  }

  deinit {
    if session != nil { link.farewell = request("TEARDOWN", whole).bytes }
  }

  /// The machine that is asked.
  var host: String { address.host }

  // MARK: Questions

  /// The camera's description of its streams.
  ///
  /// - Throws: ``NetworkProblem``.
  func describe() throws(NetworkProblem) -> SessionDescription {
    for _ in 0...Self.mostRedirects {
      let options = try exchange("OPTIONS", address.text)
      if options.status == 200 {
        methods = Set(
          options.values("public").joined(separator: ",").split(separator: ",").map {
            $0.filter { $0 != " " }.uppercased()
          })
      }
      let answer = try exchange("DESCRIBE", address.text, [("Accept", "application/sdp")])
      switch answer.status ?? 0 {
      case 200:
        base = answer["content-base"] ?? answer["content-location"] ?? address.text
        // Some give a path alone.
        if RTSPAddress(base) == nil { base = RTSPAddress.resolve(base, base: address.text) }
        let description = SessionDescription(answer.body)
        whole = RTSPAddress.resolve(description.control, base: base)
        return description
      case 301, 302, 303, 305, 307, 308:
        try follow(answer["location"])
      case let status: throw Self.problem(status)
      }
    }
    throw NetworkProblem(.other, "it sends its questions around in a circle")
  }

  /// Asks another address.
  ///
  /// A name and a password are for the machine that was asked, and for TLS where that was asked for.
  private func follow(_ location: String?) throws(NetworkProblem) {
    guard let next = location.flatMap({ RTSPAddress($0) }) else {
      throw NetworkProblem(.other, "it sends its questions to no address")
    }
    guard next.isSecure || !address.isSecure else {
      throw NetworkProblem(.other, "it sends its questions to an address without TLS, which is not followed")
    }
    let isSame = next.host.lowercased() == asked.host.lowercased()
    login = RTSPLogin(user: isSame ? source.user : nil, password: isSame ? source.password : nil)
    address = next
    link = try RTSPLink(
      to: next, source, waits: waits, isOver: isOverNow)
    buffer.clear()
  }

  /// Asks for a stream.
  ///
  /// - Parameter transport: The field that says how.
  /// - Throws: ``TransportRefusal`` where the camera does not send that way; ``NetworkProblem``.
  func setUp(_ medium: SessionDescription.Medium, _ transport: String) throws -> RTSPTransport {
    let answer = try exchange(
      "SETUP", RTSPAddress.resolve(medium.control, base: base), [("Transport", transport)])
    guard answer.status != 461 else { throw TransportRefusal() }
    guard answer.status == 200 else { throw Self.problem(answer.status ?? 0) }
    if let text = answer["session"] {
      let parts = text.split(separator: ";").map { $0.filter { $0 != " " } }
      session = parts.first ?? session
      let timeout = parts.first { $0.lowercased().hasPrefix("timeout=") }.flatMap { Int64($0.dropFirst(8)) }
      if let timeout, timeout > 0, timeout <= 86_400 { pause = timeout * 500_000_000 }
    }
    guard let result = answer["transport"].flatMap({ RTSPTransport($0) }) else {
      throw NetworkProblem(.other, "it does not say how it sends its stream")
    }
    return result
  }

  /// Lets the streams begin.
  ///
  /// - Throws: ``NetworkProblem``.
  func play() throws(NetworkProblem) {
    let answer = try exchange("PLAY", whole, [("Range", "npt=0.000-")])
    guard answer.status == 200 else { throw Self.problem(answer.status ?? 0) }
    woken = .now
  }

  // MARK: While it plays

  /// Sends a report on a stream by the connection.
  func sendReport(_ bytes: UnsafeRawBufferPointer, channel: UInt8) throws(NetworkProblem) {
    var packet = [UInt8(ascii: "$"), channel, UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)]
    packet += bytes
    try send(packet)
  }

  /// Asks for nothing, where the camera would take the client for gone otherwise.
  func keepAwake(now: MonotonicInstant) throws(NetworkProblem) {
    guard now.nanoseconds - woken.nanoseconds >= pause else { return }
    woken = now
    try wakeUp()
  }

  private func wakeUp() throws(NetworkProblem) {
    let request = request(methods.contains("GET_PARAMETER") ? "GET_PARAMETER" : "OPTIONS", whole)
    waking = number
    try send(request)
  }

  /// Takes a message that comes while the streams play.
  ///
  /// - Throws: ``NetworkProblem``: `ended` where the camera says so.
  func take(_ message: RTSPMessage) throws(NetworkProblem) {
    switch message.start {
    case .answer(let status):
      guard let waking, message.number == waking else { return }
      self.waking = nil
      // The login's number may be too old by then.
      if status == 401, login.note(message.values("www-authenticate")) { return try wakeUp() }
      if status == 454 { throw NetworkProblem(.ended, "it has ended its stream") }
      if status == 200 { login.accept() }
    case .request(let method, _): try answer(method, message)
    }
  }

  private func answer(_ method: String, _ message: RTSPMessage) throws(NetworkProblem) {
    let isKnown = [
      "OPTIONS", "GET_PARAMETER", "SET_PARAMETER", "ANNOUNCE", "PLAY_NOTIFY", "TEARDOWN", "REDIRECT",
    ]
    .contains(method)
    var answer = RTSPMessage(.answer(status: isKnown ? 200 : 501))
    if let number = message["cseq"] { answer.fields.append(("CSeq", number)) }
    if let session { answer.fields.append(("Session", session)) }
    try send(answer)
    let notice = (message["notice"] ?? message["x-notice"] ?? "").prefix { $0.isNumber }
    let isEnd =
      method == "TEARDOWN" || method == "REDIRECT"
      || method == "PLAY_NOTIFY" && message["notify-reason"] == "end-of-stream"
      || ["2101", "2306", "5401", "5402", "5501", "5502"].contains(notice)
    if isEnd { throw NetworkProblem(.ended, "it has ended its stream") }
  }

  // MARK: One question

  private func request(_ method: String, _ address: String, _ fields: [(String, String)] = []) -> RTSPMessage
  {
    number += 1
    var message = RTSPMessage(.request(method: method, address: address))
    message.fields = [("CSeq", "\(number)"), ("User-Agent", "Obscura")]
    if let session { message.fields.append(("Session", session)) }
    if let proof = login.authorization(method: method, address: address) {
      message.fields.append(("Authorization", proof))
    }
    message.fields += fields.map { (name: $0.0, value: $0.1) }
    return message
  }

  private func send(_ message: RTSPMessage) throws(NetworkProblem) { try send(message.bytes) }

  private func send(_ bytes: [UInt8]) throws(NetworkProblem) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(NetworkProblem) in try link.send(bytes) }
    }
    try result.get()
  }

  private func exchange(
    _ method: String, _ address: String, _ fields: [(String, String)] = []
  ) throws(NetworkProblem) -> RTSPMessage {
    for _ in 0..<Self.mostTries {
      try send(request(method, address, fields))
      let answer = try awaitAnswer(number)
      guard answer.status == 401 else {
        login.accept()
        return answer
      }
      guard login.note(answer.values("www-authenticate")) else { break }
    }
    throw Self.problem(401)
  }

  private func awaitAnswer(_ number: Int) throws(NetworkProblem) -> RTSPMessage {
    while true {
      switch try buffer.next() {
      case .packet(let channel, let bytes)?:
        if early.count < Self.mostEarly { early.append((channel, Array(bytes))) }
      case .message(let message)?:
        guard let status = message.status else {
          try take(message)
          continue
        }
        // Some leave the number out.
        if status >= 200, (message.number ?? number) == number { return message }
      case nil:
        if try fill() == 0 { try link.pause() }
      }
    }
  }

  /// Reads what comes; how many bytes, which may be none of a connection that does not wait.
  func fill() throws(NetworkProblem) -> Int {
    var count = 0
    try buffer.fill { memory throws(NetworkProblem) in
      count = try link.read(memory)
      return count
    }
    return count
  }

  /// Takes the packets that came before the streams were begun.
  func takeEarly() -> [(channel: UInt8, bytes: [UInt8])] {
    defer { early = [] }
    return early
  }

  private static func problem(_ status: Int) -> NetworkProblem {
    switch status {
    case 401, 403: NetworkProblem(.unauthorized, "it wants another name and password")
    case 404, 410: NetworkProblem(.missing, "it has no stream of that path")
    case 453, 503: NetworkProblem(.other, "it has too many clients (RTSP \(status))")
    default: NetworkProblem(.other, "it refuses its stream (RTSP \(status))")
    }
  }
}

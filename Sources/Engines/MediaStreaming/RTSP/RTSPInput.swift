internal import CFFmpeg
internal import Glibc
internal import Linux

/// The streams of one camera that are read by RTSP.
///
/// A packet is given as soon as its last byte is there: of H.264 and HEVC with the packet that has the marker, where the library would
/// wait for the next picture. Used by one thread.
final class RTSPInput {
  /// A packet of media: of which stream, and whether data was lost.
  typealias Made = (packet: OpaquePointer, medium: RTPMedium, isBroken: Bool)

  /// As often as the library asks whether to go on waiting, in milliseconds.
  private static let tick: Int32 = 100
  private static let shortTick: Int32 = 20
  /// Packets that are taken before the rest is looked after.
  private static let mostAtOnce = 256
  /// How long a stream is waited for that sends nothing while another does.
  private static let longestLook: Int64 = 3_000_000_000

  private let session: RTSPSession
  private let media: [RTPMedium]
  private let isOver: @Sendable () -> Bool
  private var waiting: [Made] = []

  /// Connects, and reads until it is known what comes.
  ///
  /// - Parameter isOver: As of ``NetworkInput``.
  /// - Throws: ``NetworkProblem``.
  convenience init(_ source: RTSPSource, isOver: @escaping @Sendable () -> Bool) throws(NetworkProblem) {
    var parts = try Self.open(source, usesUDP: source.usesUDP, isOver)
    if parts == nil, !source.usesUDP { parts = try Self.open(source, usesUDP: true, isOver) }
    guard let parts else {
      throw source.usesUDP
        ? NetworkProblem(.noDatagrams, "it does not send by UDP, as it was asked to")
        : NetworkProblem(.other, "it sends neither by its connection nor by UDP")
    }
    try self.init(parts, isOver)
  }

  private init(
    _ parts: (session: RTSPSession, media: [RTPMedium]), _ isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) {
    (session, media) = parts
    self.isOver = isOver
    let now = MonotonicInstant.now
    for packet in session.takeEarly() { try take(packet.bytes, channel: packet.channel, now: now) }
    while !media.allSatisfy(\.facts.isWhole),
      !media.contains(where: { $0.facts.isWhole && $0.facts.length >= Self.longestLook })
    { try step() }
    for medium in media { medium.facts.close() }
  }

  deinit {
    for made in waiting { cam_packet_free(made.packet) }
  }

  /// Asks for the streams; `nil` where the camera does not send them that way.
  private static func open(
    _ source: RTSPSource, usesUDP: Bool, _ isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) -> (session: RTSPSession, media: [RTPMedium])? {
    let session = try RTSPSession(source, waits: !usesUDP, isOver: isOver)
    let wanted = try session.describe().media.filter { $0.isVideo ? source.wantsVideo : source.wantsAudio }
    guard !wanted.isEmpty else { throw NetworkProblem(.missing, "it has no such stream") }
    var media: [RTPMedium] = []
    for (number, description) in wanted.enumerated() {
      do {
        media.append(try open(description, number, session, usesUDP: usesUDP))
      } catch let problem as NetworkProblem {
        throw problem
      } catch {
        // Of one that sends some of its streams that way, those are read.
        continue
      }
    }
    guard !media.isEmpty else { return nil }
    try session.play()
    return (session, media)
  }

  private static func open(
    _ description: SessionDescription.Medium, _ number: Int, _ session: RTSPSession, usesUDP: Bool
  ) throws -> RTPMedium {
    guard usesUDP else {
      let asked = (media: UInt8(2 * number), reports: UInt8(2 * number + 1))
      let answer = try session.setUp(
        description, "RTP/AVP/TCP;unicast;interleaved=\(asked.media)-\(asked.reports)")
      guard answer.isInterleaved else { throw RTSPSession.TransportRefusal() }
      let channels = answer.channels ?? asked
      return try RTPMedium(
        description, number: number, way: .connection(media: channels.media, reports: channels.reports))
    }
    let pair = try UDPPair(for: session.host)
    let answer = try session.setUp(
      description, "RTP/AVP;unicast;client_port=\(pair.port)-\(pair.port + 1)")
    guard !answer.isInterleaved else { throw RTSPSession.TransportRefusal() }
    pair.begin(answer)
    return try RTPMedium(description, number: number, way: .ports(pair))
  }

  /// What the streams consist of.
  var tracks: [NetworkInput.Track] { media.flatMap(\.facts.tracks) }

  /// The next packet of any stream.
  ///
  /// - Throws: ``NetworkProblem``: `ended`, `over`.
  func next() throws(NetworkProblem) -> Made {
    while waiting.isEmpty { try step() }
    return waiting.removeFirst()
  }

  // MARK: What comes

  /// Takes what comes next, or waits for it.
  private func step() throws(NetworkProblem) {
    if media.allSatisfy(\.hasEnded) { throw NetworkProblem(.ended, "it has ended its stream") }
    if case .ports = media[0].way { return try stepByPorts() }
    switch try session.buffer.next() {
    case .packet(let channel, let bytes)?:
      try take(bytes, channel: channel, now: MonotonicInstant(nanoseconds: 0))
    case .message(let message)?: try session.take(message)
    case nil:
      _ = try session.fill()
      try session.keepAwake(now: .now)
    }
  }

  private func stepByPorts() throws(NetworkProblem) {
    let pairs = media.compactMap { if case .ports(let pair) = $0.way { pair } else { nil } }
    var watched = pairs.flatMap(\.waits)
    let isHolding = media.contains(where: \.isHolding)
    _ = poll(&watched, nfds_t(watched.count), isHolding ? Self.shortTick : Self.tick)
    if isOver() { throw NetworkProblem(.over, "the wait was ended") }
    let now = MonotonicInstant.now
    for (medium, pair) in zip(media, pairs) {
      for _ in 0..<Self.mostAtOnce {
        guard let packet = pair.next(isReport: false) else { break }
        try take(packet, of: medium, now: now)
      }
      // A farewell among them is said of the packets before it.
      if let report = pair.next(isReport: true) { try take(report, of: medium, now: now) }
      // What was held too long.
      try collect(medium, now)
    }
    if try session.fill() > 0 {
      while case .message(let message)? = try session.buffer.next() { try session.take(message) }
    }
    try session.keepAwake(now: now)
  }

  private func take(_ packet: [UInt8], channel: UInt8, now: MonotonicInstant) throws(NetworkProblem) {
    let result = packet.withUnsafeBytes { bytes in
      Result { () throws(NetworkProblem) in try take(bytes, channel: channel, now: now) }
    }
    try result.get()
  }

  private func take(
    _ packet: UnsafeRawBufferPointer, channel: UInt8, now: MonotonicInstant
  ) throws(NetworkProblem) {
    for medium in media {
      guard case .connection(let own, let reports) = medium.way, channel == own || channel == reports else {
        continue
      }
      return try take(packet, of: medium, now: now)
    }
  }

  private func take(
    _ packet: UnsafeRawBufferPointer, of medium: RTPMedium, now: MonotonicInstant
  ) throws(NetworkProblem) {
    medium.take(packet, now: now)
    try collect(medium, now)
    guard let report = medium.report() else { return }
    switch medium.way {
    case .connection(_, let channel): try session.sendReport(report, channel: channel)
    case .ports(let pair): pair.send(Array(report), isReport: true)
    }
  }

  private func collect(_ medium: RTPMedium, _ now: MonotonicInstant) throws(NetworkProblem) {
    while let made = try medium.next(now: now) {
      waiting.append((made.packet, medium, made.isBroken))
      let facts = cam_packet_look(made.packet)
      medium.facts.noteMade(facts.presentation == cam_no_time ? nil : facts.presentation)
    }
  }
}

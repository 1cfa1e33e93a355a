internal import CFFmpeg
internal import Linux

/// One stream of a camera: its packets by RTP, and what the library makes of them.
///
/// Used by one thread.
///
/// Source: RFC 3550.
final class RTPMedium {
  /// The way on which reports go to the camera.
  enum Way {
    case connection(media: UInt8, reports: UInt8)
    case ports(UDPPair)
  }

  /// A packet of media that was made, which the receiver frees.
  typealias Made = (packet: OpaquePointer, isBroken: Bool)

  private static let mostBytes = 1 << 16
  private static let goodbye: UInt8 = 203
  /// The least between two reports, as RFC 3550, section 6.2, has it.
  ///
  /// The library makes more of them. Each one that is sent by a connection of TCP lets the kernel hold its next acknowledgement back, and
  /// many cameras wait for that with the rest of a picture.
  private static let reportPause: Int64 = 5_000_000_000

  let way: Way
  let facts: RTPFacts
  private let rtp: OpaquePointer
  private var order: PacketOrder
  /// The number of the packets' sender.
  private var sender: UInt32?
  /// Whether the sender has said that no more will come, until more comes.
  private(set) var hasEnded = false
  private var reported = MonotonicInstant.now
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: mostBytes, alignment: 16)

  init(_ description: SessionDescription.Medium, number: Int, way: Way) throws(NetworkProblem) {
    var status: Int32 = 0
    guard let rtp = cam_rtp_open(description.text, Int32(description.payloadType), &status) else {
      throw NetworkProblem(status: status)
    }
    self.rtp = rtp
    self.way = way
    facts = RTPFacts(description, number: number)
    if case .ports = way { order = PacketOrder(holds: true) } else { order = PacketOrder(holds: false) }
  }

  deinit {
    cam_rtp_close(rtp)
    memory.deallocate()
  }

  /// Whether it waits for packets that are late.
  var isHolding: Bool { order.isHolding }

  /// Takes a packet, whose bytes must live until ``next(now:)`` has answered `nil`.
  func take(_ packet: UnsafeRawBufferPointer, now: MonotonicInstant) {
    guard packet.count >= 2 else { return }
    // Reports have no such numbers.
    guard !(192...223).contains(packet[1]) else {
      if saysGoodbye(packet) { hasEnded = true }
      return pass(packet, isAfterLoss: false)
    }
    guard packet.count >= 12, packet[0] >> 6 == 2 else { return }
    let sender = Self.sender(packet, at: 8)
    if Int(packet[1] & 127) == facts.description.payloadType {
      self.sender = sender
    } else if sender != self.sender {
      // What is sent beside, for repairs, has numbers of its own.
      return
    }
    hasEnded = false
    let number = UInt16(packet[2]) << 8 | UInt16(packet[3])
    switch order.judge(number) {
    case .pass(let isAfterLoss): pass(packet, isAfterLoss: isAfterLoss)
    case .hold: order.hold(Array(packet), number: number, now: now)
    case .drop: break
    }
  }

  /// Whether a packet of reports has its sender's farewell (RFC 3550, section 6.6).
  private func saysGoodbye(_ packet: UnsafeRawBufferPointer) -> Bool {
    var rest = packet[...]
    while rest.count >= 4 {
      let begin = rest.startIndex
      let size = 4 + 4 * (Int(rest[begin + 2]) << 8 | Int(rest[begin + 3]))
      guard size <= rest.count else { return false }
      if rest[begin + 1] == Self.goodbye {
        let senders = stride(from: begin + 4, to: begin + min(size, 4 + 4 * Int(rest[begin] & 31)), by: 4)
        if senders.contains(where: { sender == nil || Self.sender(packet, at: $0) == sender }) { return true }
      }
      rest = rest.dropFirst(size)
    }
    return false
  }

  private static func sender(_ packet: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
    packet[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func pass(_ packet: UnsafeRawBufferPointer, isAfterLoss: Bool) {
    facts.note(packet)
    cam_rtp_take(
      rtp, packet.baseAddress?.assumingMemoryBound(to: UInt8.self), packet.count, isAfterLoss)
  }

  /// What is made of the packets that were taken; `nil` until more are there.
  ///
  /// - Throws: ``NetworkProblem``.
  func next(now: MonotonicInstant) throws(NetworkProblem) -> Made? {
    while true {
      var packet: OpaquePointer?
      var isBroken = false
      let status = cam_rtp_next(rtp, &packet, &isBroken)
      if status == 0, let packet { return (packet, isBroken) }
      // The library's end is a farewell, which may be of another sender.
      guard status == cam_again || status == cam_end else { throw NetworkProblem(status: status) }
      guard let held = order.release(now: now, isEnd: hasEnded) else { return nil }
      let count = min(held.bytes.count, memory.count)
      memory.copyBytes(from: held.bytes.prefix(count))
      pass(UnsafeRawBufferPointer(rebasing: memory[..<count]), isAfterLoss: held.isAfterLoss)
    }
  }

  /// The report on the stream that is due; its bytes live until the next packet is taken.
  func report() -> UnsafeRawBufferPointer? {
    var size = 0
    guard let bytes = cam_rtp_report(rtp, &size) else { return nil }
    let now = MonotonicInstant.now
    guard now.nanoseconds - reported.nanoseconds >= Self.reportPause else { return nil }
    reported = now
    return UnsafeRawBufferPointer(start: bytes, count: size)
  }
}

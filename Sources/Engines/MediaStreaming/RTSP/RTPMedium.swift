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

  let way: Way
  let facts: RTPFacts
  private let rtp: OpaquePointer
  private var order: PacketOrder
  /// The number of the packets' sender.
  private var sender: UInt32?
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
    guard !(192...223).contains(packet[1]) else { return pass(packet, isAfterLoss: false) }
    guard packet.count >= 12, packet[0] >> 6 == 2 else { return }
    let sender = packet[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if Int(packet[1] & 127) == facts.description.payloadType {
      self.sender = sender
    } else if sender != self.sender {
      // What is sent beside, for repairs, has numbers of its own.
      return
    }
    let number = UInt16(packet[2]) << 8 | UInt16(packet[3])
    switch order.judge(number) {
    case .pass(let isAfterLoss): pass(packet, isAfterLoss: isAfterLoss)
    case .hold: order.hold(Array(packet), number: number, now: now)
    case .drop: break
    }
  }

  private func pass(_ packet: UnsafeRawBufferPointer, isAfterLoss: Bool) {
    facts.note(packet)
    cam_rtp_take(
      rtp, packet.baseAddress?.assumingMemoryBound(to: UInt8.self), packet.count, isAfterLoss)
  }

  /// What is made of the packets that were taken; `nil` until more are there.
  ///
  /// - Throws: ``NetworkProblem``: `ended` where the camera ends the stream.
  func next(now: MonotonicInstant) throws(NetworkProblem) -> Made? {
    while true {
      var packet: OpaquePointer?
      var isBroken = false
      let status = cam_rtp_next(rtp, &packet, &isBroken)
      if status == 0, let packet { return (packet, isBroken) }
      guard status == cam_again else {
        throw status == cam_end
          ? NetworkProblem(.ended, "it has ended its stream") : NetworkProblem(status: status)
      }
      guard let held = order.release(now: now) else { return nil }
      let count = min(held.bytes.count, memory.count)
      memory.copyBytes(from: held.bytes.prefix(count))
      pass(UnsafeRawBufferPointer(rebasing: memory[..<count]), isAfterLoss: held.isAfterLoss)
    }
  }

  /// The report on the stream that is due; its bytes live until the next packet is taken.
  func report() -> UnsafeRawBufferPointer? {
    var size = 0
    guard let bytes = cam_rtp_report(rtp, &size) else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: size)
  }
}

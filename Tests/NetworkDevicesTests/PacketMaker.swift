/// Packets of RTP as a camera sends them, with numbers that grow.
///
/// Source: RFC 3550; RFC 6184; RFC 7798.
struct PacketMaker {
  var number: UInt16 = 65_530

  /// A packet with the next number.
  mutating func packet(_ payload: [UInt8], time: UInt32, isLast: Bool, type: UInt8 = 96) -> [UInt8] {
    defer { number &+= 1 }
    let head: [UInt8] = [0x80, type | (isLast ? 0x80 : 0), UInt8(number >> 8), UInt8(number & 0xFF)]
    return head + Self.bytes(time) + [0, 0, 0, 1] + payload
  }

  /// A picture whose units have a packet each; the last one has the marker, where there are any.
  mutating func picture(_ units: [[UInt8]], time: UInt32, hasMarker: Bool = true) -> [[UInt8]] {
    units.enumerated().map { index, unit in
      packet(unit, time: time, isLast: hasMarker && index == units.count - 1)
    }
  }

  /// A unit in fragments of so many bytes.
  mutating func fragments(_ unit: [UInt8], of size: Int, time: UInt32, isHEVC: Bool) -> [[UInt8]] {
    let header = isHEVC ? 2 : 1
    let type = isHEVC ? unit[0] >> 1 & 63 : unit[0] & 31
    let body = unit.dropFirst(header)
    let starts = stride(from: body.startIndex, to: body.endIndex, by: size)
    return starts.map { start in
      let end = min(start + size, body.endIndex)
      let begins: UInt8 = start == body.startIndex ? 0x80 : 0
      let ends: UInt8 = end == body.endIndex ? 0x40 : 0
      let head: [UInt8] =
        isHEVC
        ? [unit[0] & 0x81 | 49 << 1, unit[1], begins | ends | type]
        : [unit[0] & 0xE0 | 28, begins | ends | type]
      return packet(head + body[start..<end], time: time, isLast: ends != 0)
    }
  }

  /// A sender's report: what its clock shows, in seconds since 1970, at a time of the stream.
  static func report(seconds: UInt32, time: UInt32) -> [UInt8] {
    [0x80, 200, 0, 6, 0, 0, 0, 1] + bytes(seconds + 2_208_988_800) + bytes(0) + bytes(time) + bytes(0)
      + bytes(0)
  }

  /// A sender's word that it ends.
  static let goodbye: [UInt8] = [0x81, 203, 0, 1, 0, 0, 0, 1]

  /// A packet as it is sent between messages.
  static func interleaved(_ packet: [UInt8], channel: UInt8 = 0) -> [UInt8] {
    [UInt8(ascii: "$"), channel, UInt8(packet.count >> 8), UInt8(packet.count & 0xFF)] + packet
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

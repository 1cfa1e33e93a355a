/// The bits of a NAL unit behind its header, the bytes that only prevent start codes left out.
///
/// What is read beyond the end is 0, and ``isOver`` says so.
package struct NALBits {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether more was asked for than there is, or a number has more bits than any may have.
  package private(set) var isOver = false

  /// The bits of `unit`, whose header byte is not among them.
  package init(_ unit: UnsafeRawBufferPointer) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(unit.count)
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// The next `count` bits, at most 32, the first one highest.
  package mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      guard position < bytes.count * 8 else {
        isOver = true
        return 0
      }
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  /// `ue(v)`: as many bits behind a 1 as there are zeros before it.
  package mutating func readCount() -> Int {
    var zeros = 0
    while read(1) == 0 {
      zeros += 1
      if zeros == 32 || isOver {
        isOver = true
        return 0
      }
    }
    return (1 << zeros) - 1 + read(zeros)
  }

  /// `se(v)`: 0, 1, -1, 2, -2 and so on.
  package mutating func readSigned() -> Int {
    let count = readCount()
    return count & 1 == 1 ? (count + 1) / 2 : -count / 2
  }
}

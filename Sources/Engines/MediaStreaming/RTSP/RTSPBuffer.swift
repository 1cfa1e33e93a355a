/// The bytes of a connection by RTSP, taken apart into messages and the packets between them.
///
/// Everything is bounded: a head by 16 KB, a body by 64 KB, a packet by its own field of two bytes. Used by one thread.
///
/// Source: RFC 2326, section 10.12.
package final class RTSPBuffer {
  /// A message, or a packet between messages.
  package enum Item {
    case message(RTSPMessage)
    /// A packet of a channel; its bytes live until the buffer is filled again.
    case packet(channel: UInt8, bytes: UnsafeRawBufferPointer)
  }

  private static let capacity = 1 << 18
  /// The least room that is worth a call.
  private static let leastRoom = 1 << 16
  private static let dollar = UInt8(ascii: "$")

  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
  private var begin = 0
  private var end = 0
  /// How far a head was searched for its end.
  private var searched = 0

  package init() {}

  deinit { memory.deallocate() }

  /// Forgets what waits: it came of another connection.
  func clear() { (begin, end, searched) = (0, 0, 0) }

  /// Lets `read` write behind what waits; it answers how many bytes it wrote.
  package func fill(_ read: (UnsafeMutableRawBufferPointer) throws(NetworkProblem) -> Int)
    throws(NetworkProblem)
  {
    if begin == end {
      (begin, end, searched) = (0, 0, 0)
    } else if memory.count - end < Self.leastRoom {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[begin..<end]))
      (begin, end, searched) = (0, end - begin, searched - begin)
    }
    end += try read(UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
  }

  /// The next message or packet; `nil` until more has come.
  ///
  /// - Throws: ``NetworkProblem``: `other` for what is no RTSP, or too large.
  package func next() throws(NetworkProblem) -> Item? {
    // Empty lines may stand between messages.
    while begin < end, memory[begin] == 13 || memory[begin] == 10 { begin += 1 }
    guard begin < end else { return nil }
    guard memory[begin] == Self.dollar else { return try message().map { .message($0) } }
    guard end - begin >= 4 else { return nil }
    let size = Int(memory[begin + 2]) << 8 | Int(memory[begin + 3])
    guard end - begin >= 4 + size else { return nil }
    let channel = memory[begin + 1]
    let bytes = UnsafeRawBufferPointer(rebasing: memory[begin + 4..<begin + 4 + size])
    begin += 4 + size
    searched = begin
    return .packet(channel: channel, bytes: bytes)
  }

  private func message() throws(NetworkProblem) -> RTSPMessage? {
    guard let headEnd = headEnd() else {
      guard end - begin <= RTSPMessage.mostHead else { throw Self.tooLarge }
      return nil
    }
    guard headEnd - begin <= RTSPMessage.mostHead else { throw Self.tooLarge }
    guard var message = RTSPMessage(head: memory[begin..<headEnd]) else {
      throw NetworkProblem(.other, "it does not speak RTSP")
    }
    guard let length = message.length else { throw Self.tooLarge }
    guard end - headEnd >= length else { return nil }
    message.body = Array(memory[headEnd..<headEnd + length])
    begin = headEnd + length
    searched = begin
    return message
  }

  /// The place behind the empty line that ends a head.
  private func headEnd() -> Int? {
    var place = max(searched, begin)
    while place < end {
      if memory[place] == 10 {
        if place + 1 < end, memory[place + 1] == 10 { return place + 2 }
        if place + 2 < end, memory[place + 1] == 13, memory[place + 2] == 10 { return place + 3 }
        // The rest of the end may be still to come.
        if place + 2 >= end { break }
      }
      place += 1
    }
    searched = place
    return nil
  }

  private static var tooLarge: NetworkProblem { NetworkProblem(.other, "its answer is too large") }
}

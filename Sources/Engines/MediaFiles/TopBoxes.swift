internal import Glibc
internal import Linux

/// The boxes of a file one after the other, by their headers alone; ends at what is none.
struct TopBoxes: Sequence, IteratorProtocol {
  struct Box {
    let type: String
    /// Its position, and its bytes with the header.
    let place, size: Int
  }

  private let descriptor: Descriptor
  private var place = 0
  private var left: Int

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    var status = stat()
    let size = fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    // A week with four fragments a second, each of three boxes, has fewer; a small file that claims as many is no movie.
    left = Swift.max(2_000_000, Swift.min(20_000_000, size / 512))
  }

  mutating func next() -> Box? {
    guard left > 0, let box = header() else { return nil }
    left -= 1
    let (end, isOver) = place.addingReportingOverflow(box.size)
    guard box.size >= 8, !isOver else { return nil }
    place = end
    return box
  }

  private func header() -> Box? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor.number, &bytes, 16, off_t(place))
    guard count >= 8 else { return nil }
    func value(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
    let type = String(decoding: bytes[4..<8], as: UTF8.self)
    let size = value(0..<4)
    guard size == 1 else { return Box(type: type, place: place, size: size) }
    guard count == 16, bytes[8] < 0x40 else { return nil }
    return Box(type: type, place: place, size: value(8..<16))
  }
}

package import Foundation

/// Reads the boxes of ISO base media files, such as HEIF (ISO/IEC 14496-12).
///
/// Every access is checked against the end of the data; numbers are big-endian.
package struct BoxReader {
  /// One box: its type's four characters, and where its content lies.
  package struct Box {
    package var type: String
    package var body: Range<Int>
  }

  private let data: Data

  /// Reads `data`, whose own indices are the positions.
  package init(_ data: Data) {
    self.data = data
  }

  /// The byte at a position; `nil` behind the end.
  package func u8(_ at: Int) -> UInt8? {
    data.indices.contains(at) ? data[at] : nil
  }

  /// Two bytes.
  package func u16(_ at: Int) -> UInt16? {
    guard let high = u8(at), let low = u8(at + 1) else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }

  /// Four bytes.
  package func u32(_ at: Int) -> Int? {
    guard let high = u16(at), let low = u16(at + 2) else { return nil }
    return Int(high) << 16 | Int(low)
  }

  /// The bytes of a part, as far as they are there.
  package func bytes(_ range: Range<Int>) -> Data {
    data.subdata(in: range.clamped(to: data.startIndex..<data.endIndex))
  }

  /// Four characters.
  package func text(_ at: Int) -> String? {
    guard at >= data.startIndex, at + 4 <= data.endIndex else { return nil }
    return String(decoding: data[at..<at + 4], as: UTF8.self)
  }

  /// The most sibling boxes that are read.
  package static let mostBoxes = 4096

  /// The boxes of the whole data.
  package var boxes: [Box] { boxes(in: data.startIndex..<data.endIndex) }

  /// The boxes in `range`, up to the first one that does not fit, at most ``mostBoxes``.
  package func boxes(in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound, boxes.count < Self.mostBoxes {
      guard var size = u32(at), let type = text(at + 4) else { break }
      var header = 8
      if size == 1 {
        guard let high = u32(at + 8), let low = u32(at + 12), high == 0 else { break }
        size = low
        header = 16
      } else if size == 0 {
        size = range.upperBound - at
      }
      guard size >= header, size <= range.upperBound - at else { break }
      boxes.append(Box(type: type, body: at + header..<at + size))
      at += size
    }
    return boxes
  }

  /// The boxes inside a full box, whose version and flags come before them; none when it is too short.
  package func children(of box: Box) -> [Box] {
    box.body.count > 4 ? boxes(in: box.body.lowerBound + 4..<box.body.upperBound) : []
  }
}

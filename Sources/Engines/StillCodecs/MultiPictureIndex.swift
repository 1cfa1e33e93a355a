internal import Foundation

/// The index of a JPEG file's pictures: where they lie and how long they are (CIPA DC-007, multi-picture format).
///
/// Positions count from the index's own TIFF header, so that what comes before it may grow.
struct MultiPictureIndex {
  /// The first bytes of the segment's body.
  static let prefix = [UInt8]("MPF\0".utf8)

  /// One picture.
  struct Entry: Hashable {
    /// What it is: its role in the upper eight bits, its type in the lower twenty-four.
    var attributes: Int
    var size: Int
    /// From the index's TIFF header on; 0 of the first picture.
    var offset: Int

    /// The first picture of a file.
    static func primary(size: Int) -> Entry { Entry(attributes: 0x03_0000, size: size, offset: 0) }
    /// A picture of no named kind.
    static func other(size: Int, offset: Int) -> Entry { Entry(attributes: 0, size: size, offset: offset) }
  }

  /// The position of the TIFF header.
  let header: Int
  /// The marker segment, from its 0xFF on.
  let segment: Range<Int>
  private let isLittle: Bool
  /// The position of the first entry.
  private let place: Int
  private(set) var entries: [Entry] = []

  /// The most pictures that are read.
  private static let most = 256

  /// Finds the index of `file`; `nil` when there is none, or it is damaged.
  init?(in file: Data) {
    let found = JPEGSegments(file).first { $0.marker == 0xE2 && file[$0.body].starts(with: Self.prefix) }
    guard let found else { return nil }
    let range = found.body.dropFirst(Self.prefix.count)
    let isLittle = file[range].starts(with: [0x49, 0x49, 0x2A, 0])
    guard isLittle || file[range].starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
    func number(_ at: Int, _ bytes: Int) -> Int? {
      guard at >= range.lowerBound, at + bytes <= range.upperBound else { return nil }
      let part = file[at..<at + bytes]
      return isLittle
        ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    let header = range.lowerBound
    guard let directory = number(header + 4, 4), let count = number(header + directory, 2) else { return nil }
    for index in 0..<min(count, 64) {
      let field = header + directory + 2 + 12 * index
      guard number(field, 2) == 0xB002, let bytes = number(field + 4, 4), let offset = number(field + 8, 4)
      else { continue }
      place = header + offset
      self.header = header
      segment = found.start..<found.body.upperBound
      self.isLittle = isLittle
      for index in 0..<min(bytes / 16, Self.most) {
        let at = header + offset + 16 * index
        guard let attributes = number(at, 4), let size = number(at + 4, 4), let offset = number(at + 8, 4)
        else { return nil }
        entries.append(Entry(attributes: attributes, size: size, offset: offset))
      }
      return
    }
    return nil
  }

  /// The marker segment with an index of these pictures.
  static func segment(_ entries: [Entry]) -> Data {
    var body = Data(prefix)
    func add(_ value: Int, _ bytes: Int) {
      for byte in (0..<bytes).reversed() { body.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
    // "MM", 42, and the directory right behind: version, count, entries.
    add(0x4D4D_002A, 4)
    add(8, 4)
    add(3, 2)
    for (tag, kind, count, value) in [
      (0xB000, 7, 4, 0x3031_3030), (0xB001, 4, 1, entries.count), (0xB002, 7, 16 * entries.count, 50),
    ] {
      add(tag, 2)
      add(kind, 2)
      add(count, 4)
      add(value, 4)
    }
    add(0, 4)
    for entry in entries {
      add(entry.attributes, 4)
      add(entry.size, 4)
      add(entry.offset, 4)
      add(0, 4)
    }
    let length = body.count + 2
    return Data([0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]) + body
  }

  /// Corrects the index of a file whose first picture has changed, and all of whose others lie behind it as they did.
  ///
  /// - Parameters:
  ///   - file: The file as it is now.
  ///   - old: The file as it was.
  static func repair(_ file: inout Data, old: Data) {
    guard let before = MultiPictureIndex(in: old), let new = MultiPictureIndex(in: file),
      new.entries == before.entries
    else { return }
    let growth = file.count - old.count
    let move = (new.header - file.startIndex) - (before.header - old.startIndex)
    for (index, entry) in new.entries.enumerated() {
      let at = new.place + 16 * index
      if index == 0 {
        new.write(entry.size + growth, at: at + 4, into: &file)
      } else if entry.offset > 0 {
        new.write(entry.offset + growth - move, at: at + 8, into: &file)
      }
    }
  }

  private func write(_ value: Int, at: Int, into file: inout Data) {
    for byte in 0..<4 {
      file[at + byte] = UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? byte : 3 - byte)))
    }
  }
}

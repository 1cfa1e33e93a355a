/// Apple's maker note: what phones write into EXIF's tag 0x927C beside the standard.
///
/// A big-endian directory behind the text `Apple iOS`, whose positions count from the note's own start, so that it may lie anywhere.
/// Whatever is not changed keeps its bytes, also what stands behind the directory. Source: the notes of phones as `exiftool -v3`
/// prints them.
package struct AppleMakerNote: Sendable, Hashable {
  /// A value of the directory.
  package enum Value: Sendable, Hashable {
    case integer(Int)
    case number(Double)
    case text(String)
    case data([UInt8])
  }

  /// The tag whose text names both halves of a Live Photo.
  package static let contentIdentifier: UInt16 = 17
  /// The tag of the note's version, which phones never leave out.
  package static let version: UInt16 = 1

  private struct Entry: Sendable, Hashable {
    var type: UInt16
    var count: Int
    var bytes: [UInt8]
  }

  private static let head = Array("Apple iOS\0\0\u{1}MM".utf8)
  private static let sizes: [UInt16: Int] = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 16: 8, 17: 8,
  ]
  private var entries: [UInt16: Entry] = [:]
  /// What stands behind the note proper.
  package var rest: [UInt8] = []

  /// A note that says nothing but its version.
  package init() {
    self[Self.version] = .integer(16)
  }

  /// Reads a note; `nil` for one of another maker.
  ///
  /// Values that lie outside of the note are left out.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.head), bytes.count >= Self.head.count + 2 else { return nil }
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= bytes.count else { return nil }
      return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    var end = Self.head.count
    for index in 0..<(number(end, 2) ?? 0) {
      let place = Self.head.count + 2 + index * 12
      guard let tag = number(place, 2), let type = number(place + 2, 2), let count = number(place + 4, 4),
        let size = Self.sizes[UInt16(type)], count <= bytes.count
      else { continue }
      let length = size * count
      guard let start = length <= 4 ? place + 8 : number(place + 8, 4), start + length <= bytes.count else {
        continue
      }
      let value = Entry(type: UInt16(type), count: count, bytes: Array(bytes[start..<start + length]))
      if entries[UInt16(tag)] == nil { entries[UInt16(tag)] = value }
      // Values begin at even positions.
      end = max(end, start + length + (length > 4 ? length % 2 : 0))
    }
    end = max(end, Self.head.count + 2 + 12 * (number(Self.head.count, 2) ?? 0) + 4)
    if end < bytes.count { rest = Array(bytes[end...]) }
  }

  /// The tags that there are.
  package var tags: [UInt16] { entries.keys.sorted() }

  /// The value of a tag; `nil` where it is missing, and for several numbers, which are kept as they are.
  ///
  /// Setting what it is already changes no byte; setting `nil` removes it.
  package subscript(tag: UInt16) -> Value? {
    get { entries[tag].flatMap(Self.value) }
    set {
      guard let newValue else {
        entries[tag] = nil
        return
      }
      if newValue != self[tag] { entries[tag] = Self.entry(newValue) }
    }
  }

  private static func value(_ entry: Entry) -> Value? {
    func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    switch entry.type {
    case 2: return .text(String(decoding: entry.bytes.prefix { $0 != 0 }, as: UTF8.self))
    case 7: return .data(entry.bytes)
    case _ where entry.count != 1: return nil
    case 1, 3, 4: return .integer(Int(number(entry.bytes)))
    case 6: return .integer(Int(Int8(truncatingIfNeeded: number(entry.bytes))))
    case 8: return .integer(Int(Int16(truncatingIfNeeded: number(entry.bytes))))
    case 9: return .integer(Int(Int32(truncatingIfNeeded: number(entry.bytes))))
    case 17: return .integer(Int(Int64(truncatingIfNeeded: number(entry.bytes))))
    case 16: return Int(exactly: number(entry.bytes)).map { .integer($0) }
    case 5, 10:
      let (top, bottom) = (number(entry.bytes.prefix(4)), number(entry.bytes.dropFirst(4)))
      guard bottom != 0 else { return nil }
      return entry.type == 5
        ? .number(Double(top) / Double(bottom))
        : .number(
          Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom)))
    case 11: return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(entry.bytes)))))
    case 12: return .number(Double(bitPattern: number(entry.bytes)))
    default: return nil
    }
  }

  private static func entry(_ value: Value) -> Entry {
    switch value {
    case .integer(let number):
      guard let small = Int32(exactly: number) else {
        return Entry(type: 17, count: 1, bytes: bigEndian(Int64(number)))
      }
      return Entry(type: 9, count: 1, bytes: bigEndian(small))
    case .number(let number):
      let fraction = ExifRational(approximating: number)
      return Entry(
        type: 10, count: 1,
        bytes: bigEndian(Int32(clamping: fraction.numerator))
          + bigEndian(Int32(clamping: fraction.denominator)))
    case .text(let text):
      let bytes = Array(text.utf8) + [0]
      return Entry(type: 2, count: bytes.count, bytes: bytes)
    case .data(let bytes): return Entry(type: 7, count: bytes.count, bytes: bytes)
    }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The note's bytes; what was read and not changed is not the same byte by byte where its maker left gaps, but says the same.
  package var bytes: [UInt8] {
    var directory = Self.head + Self.bigEndian(UInt16(entries.count))
    var values: [UInt8] = []
    let start = Self.head.count + 2 + 12 * entries.count + 4
    for tag in tags {
      guard let entry = entries[tag] else { continue }
      directory += Self.bigEndian(tag) + Self.bigEndian(entry.type) + Self.bigEndian(UInt32(entry.count))
      if entry.bytes.count <= 4 {
        directory += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
      } else {
        directory += Self.bigEndian(UInt32(start + values.count))
        values += entry.bytes
        if entry.bytes.count % 2 == 1 { values.append(0) }
      }
    }
    return directory + [0, 0, 0, 0] + values + rest
  }
}

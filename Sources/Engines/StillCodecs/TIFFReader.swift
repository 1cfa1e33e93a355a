internal import Foundation

/// The directories of a TIFF file, read from bytes that may be damaged or made to harm (TIFF 6.0).
struct TIFFReader {
  /// The place of a tag's values.
  struct Entry {
    var kind: UInt16
    var count: Int
    var offset: Int
  }

  typealias Directory = [UInt16: Entry]

  let data: Data
  let isLittleEndian: Bool

  /// `nil` for what is no TIFF file.
  init?(_ data: Data) {
    let start = [UInt8](data.prefix(4))
    switch start {
    case [0x49, 0x49, 42, 0]: isLittleEndian = true
    case [0x4D, 0x4D, 0, 42]: isLittleEndian = false
    default: return nil
    }
    // Positions count from the file's first byte.
    self.data = data.startIndex == 0 ? data : Data(data)
  }

  /// The directories of the file's chain, each followed by those below it; at most 64.
  func directories() -> [Directory] {
    var found: [Directory] = []
    var seen: Set<Int> = []
    var waiting = [number(at: 4, bytes: 4)]
    while let next = waiting.popLast(), found.count < 64 {
      guard let at = next, at >= 8, seen.insert(at).inserted, let (directory, following) = directory(at: at)
      else { continue }
      found.append(directory)
      if following != 0 { waiting.append(following) }
      waiting += wholes(DNGEncoder.Tag.subDirectories, in: directory).reversed()
    }
    return found
  }

  /// A directory with the position of the next one, 0 for none.
  func directory(at position: Int) -> (Directory, following: Int)? {
    guard let count = number(at: position, bytes: 2), position + 2 + 12 * count + 4 <= data.count else {
      return nil
    }
    var directory: Directory = [:]
    for index in 0..<count {
      let at = position + 2 + 12 * index
      guard let tag = number(at: at, bytes: 2), let kind = number(at: at + 2, bytes: 2),
        let numbers = number(at: at + 4, bytes: 4), let size = Self.sizes[kind]
      else { continue }
      let inside = numbers.multipliedReportingOverflow(by: size)
      guard !inside.overflow, let offset = inside.partialValue <= 4 ? at + 8 : number(at: at + 8, bytes: 4),
        offset + inside.partialValue <= data.count
      else { continue }
      directory[UInt16(tag)] = Entry(kind: UInt16(kind), count: numbers, offset: offset)
    }
    return (directory, number(at: position + 2 + 12 * count, bytes: 4) ?? 0)
  }

  /// Bytes of a number of each kind.
  private static let sizes = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
  ]

  /// A whole number; `nil` beyond the file's end.
  func number(at position: Int, bytes: Int) -> Int? {
    guard position >= 0, position + bytes <= data.count else { return nil }
    var value = 0
    for index in 0..<bytes {
      value = value << 8 | Int(data[position + (isLittleEndian ? bytes - 1 - index : index)])
    }
    return value
  }

  /// A tag's numbers, at most a million; empty without it.
  func numbers(_ tag: UInt16, in directory: Directory) -> [Double] {
    guard let entry = directory[tag], entry.count <= 1_000_000 else { return [] }
    return (0..<entry.count).compactMap { number(entry, $0) }
  }

  /// A tag's numbers as whole ones, rounded; what is none is left out.
  func wholes(_ tag: UInt16, in directory: Directory) -> [Int] {
    numbers(tag, in: directory).compactMap { Int(exactly: $0.rounded()) }
  }

  /// A tag's bytes, at most a million; `nil` without it.
  func bytes(_ tag: UInt16, in directory: Directory) -> Data? {
    guard let entry = directory[tag], [1, 7].contains(entry.kind), entry.count <= 1_000_000 else {
      return nil
    }
    return data.subdata(in: entry.offset..<entry.offset + entry.count)
  }

  private func number(_ entry: Entry, _ index: Int) -> Double? {
    func whole(_ bytes: Int, _ part: Int = 0, each: Int? = nil) -> Int? {
      number(at: entry.offset + index * (each ?? bytes) + part, bytes: bytes)
    }
    switch entry.kind {
    case 1, 7: return whole(1).map(Double.init)
    case 6: return whole(1).map { Double(Int8(truncatingIfNeeded: $0)) }
    case 3: return whole(2).map(Double.init)
    case 8: return whole(2).map { Double(Int16(truncatingIfNeeded: $0)) }
    case 4, 13: return whole(4).map(Double.init)
    case 9: return whole(4).map { Double(Int32(truncatingIfNeeded: $0)) }
    case 11: return whole(4).map { Double(Float(bitPattern: UInt32($0))) }
    case 12: return whole(8).map { Double(bitPattern: UInt64(bitPattern: Int64($0))) }
    case 5, 10:
      guard let upper = whole(4, each: 8), let lower = whole(4, 4, each: 8), lower != 0 else { return nil }
      return entry.kind == 5
        ? Double(upper) / Double(lower)
        : Double(Int32(truncatingIfNeeded: upper)) / Double(Int32(truncatingIfNeeded: lower))
    default: return nil
    }
  }

  /// A tag's text; `nil` without it.
  func text(_ tag: UInt16, in directory: Directory) -> String? {
    guard let entry = directory[tag], entry.kind == 2, entry.count < 1000 else { return nil }
    let bytes = data[entry.offset..<entry.offset + entry.count].prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value as EXIF has it; `nil` for kinds that EXIF does not have, and for what is longer than 64 KiB.
  func value(_ entry: Entry) -> ExifValue? {
    guard let size = Self.sizes[Int(entry.kind)], entry.count <= 65536 / size else { return nil }
    let bytes = Array(data[entry.offset..<entry.offset + size * entry.count])
    func wholes(_ bytes: Int) -> [Int] {
      (0..<size * entry.count / bytes).compactMap { number(at: entry.offset + $0 * bytes, bytes: bytes) }
    }
    func fractions(_ part: (Int) -> Int64) -> [ExifRational] {
      let parts = wholes(4)
      return stride(from: 0, to: parts.count - 1, by: 2).map {
        ExifRational(part(parts[$0]), part(parts[$0 + 1]))
      }
    }
    switch entry.kind {
    case 1: return .bytes(bytes)
    case 2: return .text(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    case 3: return .shorts(wholes(2).map { UInt16($0) })
    case 4: return .longs(wholes(4).map { UInt32($0) })
    case 5: return .rationals(fractions { Int64($0) })
    case 7: return .undefined(bytes)
    case 9: return .signedLongs(wholes(4).map { Int32(truncatingIfNeeded: $0) })
    case 10: return .signedRationals(fractions { Int64(Int32(truncatingIfNeeded: $0)) })
    default: return nil
    }
  }
}

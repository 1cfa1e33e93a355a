package import Foundation
internal import CImageCodecs

/// Names one tag of an EXIF block: the directory it stands in and its number there.
package struct ExifTag: Sendable, Hashable {
  /// The directories (IFDs) of a block, in libexif's order.
  package enum Directory: Int32, Sendable, CaseIterable {
    /// IFD0: the picture.
    case image = 0
    /// IFD1: the embedded thumbnail.
    case thumbnail = 1
    /// The EXIF directory: how the picture was taken.
    case exif = 2
    /// The GPS directory.
    case gps = 3
    /// The interoperability directory.
    case interoperability = 4
  }

  /// The directory of the tag.
  package var directory: Directory
  /// Its number, such as 0x829A for the exposure time.
  package var number: UInt16

  /// The tag `number` of `directory`.
  package init(_ directory: Directory, _ number: UInt16) {
    self.directory = directory
    self.number = number
  }
}

/// A fraction as EXIF stores it; a denominator of 0 stands for "unknown".
package struct ExifRational: Sendable, Hashable {
  package var numerator: Int64
  package var denominator: Int64

  /// This fraction; both parts must fit 32 bits, signed or not by the tag.
  package init(_ numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The fraction of the smallest denominator that is within one millionth of `value`, so that 1/120 s stays 1/120.
  ///
  /// By continued fractions. Values beyond 32 bits are cut off, what is no number is 0/0.
  package init(approximating value: Double) {
    guard value.isFinite else {
      self.init(0, 0)
      return
    }
    let limit = Double(Int32.max)
    let target = min(abs(value), limit)
    var (numerator, denominator) = (1.0, 0.0)
    var (lastNumerator, lastDenominator) = (0.0, 1.0)
    var rest = target
    for _ in 0..<24 {
      let whole = rest.rounded(.down)
      let next = (whole * numerator + lastNumerator, whole * denominator + lastDenominator)
      guard next.0 <= limit, next.1 <= limit else { break }
      (lastNumerator, lastDenominator) = (numerator, denominator)
      (numerator, denominator) = next
      if abs(numerator / denominator - target) <= target * 1e-6 || rest == whole { break }
      rest = 1 / (rest - whole)
    }
    if denominator == 0 { (numerator, denominator) = (target.rounded(), 1) }
    self.init(Int64(value < 0 ? -numerator : numerator), Int64(denominator))
  }

  /// The value; `nil` when the denominator is 0.
  package var value: Double? {
    denominator == 0 ? nil : Double(numerator) / Double(denominator)
  }
}

/// The value of a tag: one or more numbers of one kind, text, or bytes.
package enum ExifValue: Sendable, Hashable {
  case bytes([UInt8])
  case text(String)
  case shorts([UInt16])
  case longs([UInt32])
  case rationals([ExifRational])
  case undefined([UInt8])
  case signedLongs([Int32])
  case signedRationals([ExifRational])
}

/// The tags of a picture, and its embedded thumbnail.
///
/// Unknown tags are kept as they are, maker notes included. The pointers between directories and the
/// thumbnail's place are the block's own affair and do not show.
package struct ExifBlock: Sendable, Hashable {
  private var values: [ExifTag: ExifValue] = [:]
  /// A JPEG file of some 160 by 120 pixels.
  package var thumbnail: Data?

  /// A block without tags.
  package init() {}

  /// Whether there is nothing to write.
  package var isEmpty: Bool { values.isEmpty && thumbnail == nil }

  /// The tags there are, by directory and number.
  package var tags: [ExifTag] {
    values.keys.sorted { ($0.directory.rawValue, $0.number) < ($1.directory.rawValue, $1.number) }
  }

  /// The value of a tag; setting `nil` removes it.
  package subscript(tag: ExifTag) -> ExifValue? {
    get { values[tag] }
    set { values[tag] = newValue }
  }

  /// Reads the TIFF bytes of a block, with or without the `Exif` prefix; `nil` when they hold nothing.
  ///
  /// Damaged tags are left out. C: `exif_data_load_data`.
  package init?(reading data: Data) {
    var bytes = Array(data)
    if bytes.starts(with: MarkerSegments.exifPrefix) { bytes.removeFirst(6) }
    let collector = Collector()
    let result = withExtendedLifetime(collector) {
      cam_exif_read(
        bytes, bytes.count, Unmanaged.passUnretained(collector).toOpaque(),
        { user, tag in
          guard let user, let tag else { return }
          Unmanaged<Collector>.fromOpaque(user).takeUnretainedValue().take(tag.pointee)
        },
        { user, bytes, size in
          guard let user, let bytes else { return }
          Unmanaged<Collector>.fromOpaque(user).takeUnretainedValue().block.thumbnail = Data(
            bytes: bytes, count: size)
        })
    }
    guard result == 0, !collector.block.isEmpty else { return nil }
    self = collector.block
  }

  /// The block as big-endian TIFF bytes, without a prefix.
  ///
  /// The same tags give the same bytes. C: `exif_data_save_data`.
  package func data() throws -> Data {
    var memory: [[UInt8]] = []
    var entries: [cam_exif_tag] = []
    for tag in tags {
      guard let value = values[tag] else { continue }
      let (format, count, bytes) = value.encoded
      memory.append(bytes)
      entries.append(
        cam_exif_tag(
          directory: tag.directory.rawValue, tag: Int32(tag.number), format: format, count: UInt32(count),
          bytes: nil,
          size: bytes.count))
    }
    let joined = memory.flatMap { $0 }
    let small = thumbnail.map { Array($0) } ?? []
    return try joined.withUnsafeBufferPointer { joined in
      var offset = 0
      for index in entries.indices {
        entries[index].bytes = joined.baseAddress.map { $0 + offset }
        offset += entries[index].size
      }
      return try codecOutput("The EXIF block cannot be written") { out, size, _ in
        cam_exif_write(entries, Int32(entries.count), small, small.count, out, size)
      }
    }
  }

  private final class Collector {
    var block = ExifBlock()

    func take(_ tag: cam_exif_tag) {
      guard let directory = ExifTag.Directory(rawValue: tag.directory), let number = UInt16(exactly: tag.tag),
        let bytes = tag.bytes,
        let value = ExifValue(format: tag.format, UnsafeRawBufferPointer(start: bytes, count: tag.size))
      else { return }
      let key = ExifTag(directory, number)
      // The first one counts, as in other readers.
      if block[key] == nil { block[key] = value }
    }
  }
}

extension ExifValue {
  /// TIFF's number of the format, the count of values, and the bytes in the machine's order.
  fileprivate var encoded: (format: Int32, count: Int, bytes: [UInt8]) {
    func native<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
    }
    switch self {
    case .bytes(let bytes): return (1, bytes.count, bytes)
    case .text(let text):
      let bytes = Array(text.utf8) + [0]
      return (2, bytes.count, bytes)
    case .shorts(let numbers): return (3, numbers.count, native(numbers))
    case .longs(let numbers): return (4, numbers.count, native(numbers))
    case .rationals(let numbers):
      let parts = numbers.flatMap { [UInt32(clamping: $0.numerator), UInt32(clamping: $0.denominator)] }
      return (5, numbers.count, native(parts))
    case .undefined(let bytes): return (7, bytes.count, bytes)
    case .signedLongs(let numbers): return (9, numbers.count, native(numbers))
    case .signedRationals(let numbers):
      let parts = numbers.flatMap { [Int32(clamping: $0.numerator), Int32(clamping: $0.denominator)] }
      return (10, numbers.count, native(parts))
    }
  }

  fileprivate init?(format: Int32, _ bytes: UnsafeRawBufferPointer) {
    func numbers<Number: FixedWidthInteger>(_ type: Number.Type) -> [Number] {
      let size = MemoryLayout<Number>.size
      return (0..<bytes.count / size).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: Number.self) }
    }
    switch format {
    case 1, 6: self = .bytes(Array(bytes))
    case 2:
      // Some writers pad text with more zeros, some with spaces.
      let text = bytes.prefix { $0 != 0 }
      self = .text(String(decoding: text, as: UTF8.self))
    case 3: self = .shorts(numbers(UInt16.self))
    case 4: self = .longs(numbers(UInt32.self))
    case 5: self = .rationals(Self.pairs(numbers(UInt32.self).map(Int64.init)))
    case 7: self = .undefined(Array(bytes))
    case 8: self = .signedLongs(numbers(Int16.self).map(Int32.init))
    case 9: self = .signedLongs(numbers(Int32.self))
    case 10: self = .signedRationals(Self.pairs(numbers(Int32.self).map(Int64.init)))
    default: return nil
    }
  }

  private static func pairs(_ parts: [Int64]) -> [ExifRational] {
    stride(from: 0, to: parts.count - 1, by: 2).map { ExifRational(parts[$0], parts[$0 + 1]) }
  }
}

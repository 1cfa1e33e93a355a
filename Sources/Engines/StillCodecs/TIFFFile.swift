internal import Foundation

/// A TIFF file that is being put together: directories of tags, and blocks of bytes that they point to (TIFF 6.0).
///
/// Little-endian. Directories come first in the file, in their order, and the blocks behind them.
struct TIFFFile {
  /// The value of a tag.
  enum Value {
    case bytes([UInt8])
    case text(String)
    case shorts([UInt16])
    case longs([UInt32])
    case rationals([ExifRational])
    case undefined([UInt8])
    case signedLongs([Int32])
    case signedRationals([ExifRational])
    case doubles([Double])
    /// Where directories of ``TIFFFile/directories`` begin.
    case directories([Int])
    /// Where a block of ``TIFFFile/blocks`` begins.
    case block(Int)
  }

  /// Values by their tags' numbers.
  typealias Directory = [UInt16: Value]

  /// The first is the file's own.
  var directories: [Directory] = []
  var blocks: [Data] = []

  /// Positions of directories and blocks.
  private struct Layout {
    var directories: [Int] = []
    var blocks: [Int] = []
    var count = 8
  }

  /// Adds a directory, and returns its index.
  mutating func add(_ directory: Directory) -> Int {
    directories.append(directory)
    return directories.count - 1
  }

  /// Adds a block, and returns its index.
  mutating func add(_ block: Data) -> Int {
    blocks.append(block)
    return blocks.count - 1
  }

  /// The file's bytes.
  ///
  /// - Throws: ``StillCodecError``: `unsuitable` above 4 GiB.
  func data() throws(StillCodecError) -> Data {
    var layout = Layout()
    // Positions have four bytes whatever they are, so that a draft says how long everything is.
    let draft = Layout(
      directories: directories.map { _ in 0 }, blocks: blocks.map { _ in 0 }, count: 0)
    for directory in directories {
      layout.directories.append(layout.count)
      layout.count += bytes(of: directory, at: 0, draft).count
    }
    for block in blocks {
      layout.count = (layout.count + 15) & ~15
      layout.blocks.append(layout.count)
      layout.count += block.count
    }
    guard layout.count < 1 << 32 else {
      throw StillCodecError(.unsuitable, "The TIFF file cannot be written: it would be larger than 4 GiB.")
    }
    var file = Data(capacity: layout.count)
    file.append(contentsOf: [0x49, 0x49, 42, 0, 8, 0, 0, 0])
    for (index, directory) in directories.enumerated() {
      file.append(contentsOf: bytes(of: directory, at: layout.directories[index], layout))
    }
    for (index, block) in blocks.enumerated() {
      file.append(Data(count: layout.blocks[index] - file.count))
      file.append(block)
    }
    return file
  }

  /// A directory with its values, which begins at `start`.
  private func bytes(of directory: Directory, at start: Int, _ layout: Layout) -> [UInt8] {
    var entries: [UInt8] = Self.little(directory.count, 2)
    var values: [UInt8] = []
    let head = 2 + 12 * directory.count + 4
    for (tag, value) in directory.sorted(by: { $0.key < $1.key }) {
      let (kind, count, bytes) = encoded(value, layout)
      entries += Self.little(Int(tag), 2) + Self.little(kind, 2) + Self.little(count, 4)
      if bytes.count <= 4 {
        entries += bytes + Array(repeating: 0, count: 4 - bytes.count)
      } else {
        entries += Self.little(start + head + values.count, 4)
        values += bytes
        // Values begin at even positions.
        if values.count % 2 == 1 { values.append(0) }
      }
    }
    return entries + [0, 0, 0, 0] + values
  }

  /// TIFF's number of a value's kind, the count of numbers, and their bytes.
  private func encoded(_ value: Value, _ layout: Layout) -> (kind: Int, count: Int, bytes: [UInt8]) {
    func parts(_ fractions: [ExifRational]) -> [Int] {
      fractions.flatMap { [Int($0.numerator), Int($0.denominator)] }
    }
    func numbers(_ kind: Int, _ numbers: [Int], _ size: Int, each: Int = 1) -> (Int, Int, [UInt8]) {
      (kind, numbers.count / each, numbers.flatMap { Self.little($0, size) })
    }
    switch value {
    case .bytes(let bytes): return (1, bytes.count, bytes)
    case .text(let text):
      let bytes = Array(text.utf8) + [0]
      return (2, bytes.count, bytes)
    case .shorts(let values): return numbers(3, values.map(Int.init), 2)
    case .longs(let values): return numbers(4, values.map(Int.init), 4)
    case .rationals(let values): return numbers(5, parts(values), 4, each: 2)
    case .undefined(let bytes): return (7, bytes.count, bytes)
    case .signedLongs(let values): return numbers(9, values.map(Int.init), 4)
    case .signedRationals(let values): return numbers(10, parts(values), 4, each: 2)
    case .doubles(let values): return (12, values.count, values.flatMap { Self.little($0.bitPattern) })
    case .directories(let indices): return numbers(4, indices.map { layout.directories[$0] }, 4)
    case .block(let index): return numbers(4, [layout.blocks[index]], 4)
    }
  }

  private static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension TIFFFile.Value {
  /// The same value as EXIF has it.
  init(_ value: ExifValue) {
    switch value {
    case .bytes(let bytes): self = .bytes(bytes)
    case .text(let text): self = .text(text)
    case .shorts(let values): self = .shorts(values)
    case .longs(let values): self = .longs(values)
    case .rationals(let values): self = .rationals(values)
    case .undefined(let bytes): self = .undefined(bytes)
    case .signedLongs(let values): self = .signedLongs(values)
    case .signedRationals(let values): self = .signedRationals(values)
    }
  }
}

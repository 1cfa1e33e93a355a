package import Foundation

/// The times that a raw file states: a TIFF, as DNG and most makers' own formats are (TIFF 6.0, TIFF/EP, DNG 1.4).
///
/// Directories are read wherever they lie in the file, and nothing of its pictures: ``ExifBlock`` reads blocks of a JPEG, which have
/// 64 KiB at most.
package struct RawTags: Sendable {
  /// Reads bytes of the file; `nil` where it has fewer.
  package typealias Reader = (_ start: Int, _ count: Int) -> Data?

  /// The tags of time.
  package private(set) var block = ExifBlock()
  /// The XMP packet; `nil` without one.
  package private(set) var xmp: Data?

  /// The tags of time of the EXIF directory; TIFF/EP has the first two of them in the file's own directory.
  private static let times: Set<UInt16> = [
    0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292,
  ]
  private static let dateTime: UInt16 = 0x0132
  private static let packet: UInt16 = 0x02BC
  private static let exif: UInt16 = 0x8769
  /// A directory has fewer entries than that, and a packet fewer bytes.
  private static let entryBound = 4096
  private static let packetBound = 1 << 20

  private struct Entry {
    let tag: UInt16
    let kind: Int
    let count: Int
    /// Where the value lies, if it needs more than four bytes.
    let place: Int
    let own: Data
  }

  /// Reads a file; `nil` for one that is no TIFF.
  package init?(reading read: Reader) {
    guard let head = read(0, 8).map({ [UInt8]($0) }), head.count == 8 else { return nil }
    let isLittle = head.starts(with: [0x49, 0x49, 0x2A, 0])
    guard isLittle || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
    var directory: Int?
    for entry in Self.entries(at: Self.number(head[4...], isLittle), isLittle, read) {
      switch entry.tag {
      case Self.dateTime: take(entry, .image, read)
      case Self.packet where [1, 7].contains(entry.kind) && entry.count <= Self.packetBound:
        xmp = Self.bytes(of: entry, read)
      case Self.exif: directory = entry.place
      case let tag where Self.times.contains(tag): take(entry, .exif, read)
      default: continue
      }
    }
    guard let directory else { return }
    for entry in Self.entries(at: directory, isLittle, read) where Self.times.contains(entry.tag) {
      take(entry, .exif, read)
    }
  }

  private mutating func take(_ entry: Entry, _ directory: ExifTag.Directory, _ read: Reader) {
    guard entry.kind == 2, entry.count <= 256, let bytes = Self.bytes(of: entry, read) else { return }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    block[ExifTag(directory, entry.tag)] = .text(text)
  }

  /// The bytes of a value of numbers of one byte.
  private static func bytes(of entry: Entry, _ read: Reader) -> Data? {
    entry.count <= 4 ? entry.own.prefix(entry.count) : read(entry.place, entry.count)
  }

  private static func entries(at place: Int, _ isLittle: Bool, _ read: Reader) -> [Entry] {
    guard place >= 8, let head = read(place, 2) else { return [] }
    let count = number([UInt8](head)[...], isLittle)
    guard count <= entryBound, let table = read(place + 2, 12 * count).map({ [UInt8]($0) }) else { return [] }
    return (0..<count).map { index in
      let at = 12 * index
      return Entry(
        tag: UInt16(number(table[at..<at + 2], isLittle)), kind: number(table[at + 2..<at + 4], isLittle),
        count: number(table[at + 4..<at + 8], isLittle), place: number(table[at + 8..<at + 12], isLittle),
        own: Data(table[at + 8..<at + 12]))
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ isLittle: Bool) -> Int {
    isLittle ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

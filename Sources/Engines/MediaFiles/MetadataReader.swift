internal import Foundation
internal import FoundationExtras
internal import Glibc

/// Reads what a QuickTime movie or an MP4 file says about itself.
///
/// Sources: Apple's QuickTime File Format (user data, metadata), the layout of iTunes' list.
struct MetadataReader {
  /// The movie's header; `nil` where there is none that can be read.
  let boxes: BoxReader?
  /// A movie's header is tables; one that is larger is none that a program would write.
  private static let headerBound = 256 << 20

  init(path: String) {
    boxes = Self.header(path).map { BoxReader($0) }
  }

  /// The content of the first `moov`.
  private static func header(_ path: String) -> Data? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var at: UInt64 = 0
    for _ in 0..<4096 {
      guard (try? file.seek(toOffset: at)) != nil, let head = try? file.read(upToCount: 16), head.count >= 8
      else { return nil }
      let reader = BoxReader(head)
      guard var size = reader.u32(0), let type = reader.text(4) else { return nil }
      var headerSize = 8
      if size == 1 {
        guard let high = reader.u32(8), let low = reader.u32(12), high < 1 << 24 else { return nil }
        size = high << 32 | low
        headerSize = 16
      }
      if type == "moov" {
        guard (headerSize...headerBound).contains(size),
          (try? file.seek(toOffset: at + UInt64(headerSize))) != nil
        else { return nil }
        return try? file.read(upToCount: size - headerSize)
      }
      guard size >= headerSize, size < 1 << 56 else { return nil }
      at += UInt64(size)
    }
    return nil
  }

  /// When the movie was made, which its header counts in UTC from 1904 on; `nil` for 0, which is "unknown".
  var created: Date? {
    guard let boxes, let header = boxes.boxes.first(where: { $0.type == "mvhd" }),
      let high = boxes.u32(header.body.lowerBound + 4)
    else { return nil }
    var seconds = high
    if boxes.u8(header.body.lowerBound) == 1 {
      guard high < 1 << 16, let low = boxes.u32(header.body.lowerBound + 8) else { return nil }
      seconds = high << 32 | low
    }
    // Some writers count from 1970: what would be before then is that.
    let since1970 = seconds >= 2_082_844_800 ? seconds - 2_082_844_800 : seconds
    return seconds == 0 ? nil : Date(timeIntervalSince1970: Double(since1970))
  }

  /// All items of the movie; those of its tracks are left out.
  var items: [MovieMetadata] {
    guard let boxes else { return [] }
    return boxes.boxes.flatMap { box -> [MovieMetadata] in
      switch box.type {
      case "meta": metadata(box)
      case "udta": userData(box)
      default: []
      }
    }
  }

  /// QuickTime's `meta` is a plain box, MP4's has version and flags.
  private func children(ofMetadata box: BoxReader.Box) -> [BoxReader.Box] {
    guard let boxes else { return [] }
    let plain = boxes.boxes(in: box.body)
    return plain.contains { $0.type == "hdlr" } ? plain : boxes.children(of: box)
  }

  private func metadata(_ box: BoxReader.Box) -> [MovieMetadata] {
    guard let boxes else { return [] }
    let children = children(ofMetadata: box)
    guard let list = children.first(where: { $0.type == "ilst" }) else { return [] }
    let names = children.first { $0.type == "keys" }.map(names)
    return boxes.boxes(in: list.body).flatMap { item -> [MovieMetadata] in
      guard let code = boxes.u32(item.body.lowerBound - 4) else { return [] }
      let name: (MovieMetadata.KeySpace, String)
      if let names {
        guard names.indices.contains(code - 1) else { return [] }
        name = (.quickTimeMetadata, names[code - 1])
      } else {
        name = (.iTunes, MetadataBoxes.key(FourCharCode(truncatingIfNeeded: code)))
      }
      return boxes.boxes(in: item.body).filter { $0.type == "data" }.compactMap { data in
        value(data, isText: name.0 == .iTunes && name.1.hasPrefix("\u{A9}")).map {
          MovieMetadata(keySpace: name.0, key: name.1, value: $0)
        }
      }
    }
  }

  private func names(_ box: BoxReader.Box) -> [String] {
    guard let boxes, box.body.count > 8 else { return [] }
    return boxes.boxes(in: box.body.lowerBound + 8..<box.body.upperBound).map { text($0.body) }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes(range), as: UTF8.self)
  }

  private func bytes(_ range: Range<Int>) -> [UInt8] {
    boxes.map { [UInt8]($0.bytes(range)) } ?? []
  }

  /// - Parameter isText: Whether a value without a type is a text, as of all keys that begin with ©.
  private func value(_ box: BoxReader.Box, isText: Bool) -> MovieMetadata.Value? {
    guard let type = boxes?.u32(box.body.lowerBound), box.body.count >= 8 else { return nil }
    let body = box.body.lowerBound + 8..<box.body.upperBound
    let raw = bytes(body)
    let number = raw.reduce(0) { $0 << 8 | UInt64($1) }
    switch type {
    case 1: return .text(text(body))
    case 0 where isText: return .text(text(body))
    case 2: return String(bytes: raw, encoding: .utf16BigEndian).map { .text($0) }
    case 21, 65, 66, 67, 74:
      guard (1...8).contains(raw.count) else { return nil }
      let shift = 64 - 8 * raw.count
      return .integer(Int(Int64(bitPattern: number << UInt64(shift)) >> Int64(shift)))
    case 22, 75, 76, 77, 78: return raw.count <= 8 ? .integer(Int(truncatingIfNeeded: number)) : nil
    case 23: return raw.count == 4 ? .number(Double(Float(bitPattern: UInt32(number)))) : nil
    case 24: return raw.count == 8 ? .number(Double(bitPattern: number)) : nil
    default: return .data(Data(raw))
    }
  }

  private func userData(_ box: BoxReader.Box) -> [MovieMetadata] {
    guard let boxes else { return [] }
    return boxes.boxes(in: box.body).flatMap { item -> [MovieMetadata] in
      if item.type == "meta" { return metadata(item) }
      guard let code = boxes.u32(item.body.lowerBound - 4) else { return [] }
      let key = MetadataBoxes.key(FourCharCode(truncatingIfNeeded: code))
      guard code >> 24 == 0xA9 else {
        return [
          MovieMetadata(keySpace: .quickTimeUserData, key: key, value: .data(Data(bytes(item.body))))
        ]
      }
      guard let count = boxes.u16(item.body.lowerBound), item.body.count >= 4 + Int(count) else { return [] }
      let start = item.body.lowerBound + 4
      return [
        MovieMetadata(
          keySpace: .quickTimeUserData, key: key, value: .text(text(start..<start + Int(count))))
      ]
    }
  }
}

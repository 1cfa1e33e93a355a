import AVFCore
import Foundation
import MovieTools
import Testing

/// The times that a movie states.
struct DatedMovie {
  /// The header's: seconds since 1904, or nothing, which is 0.
  var header: UInt64 = 0
  /// Whether the header counts with 64 bits.
  var isLong = false
  /// QuickTime's `com.apple.quicktime.creationdate`.
  var named: String?
  /// The text `©day` of the user data.
  var user: String?
  /// The text `©day` of iTunes' list, and its type: 1 is UTF-8, 2 UTF-16, 0 not said.
  var listed: String?
  var listedType = 1

  /// A finished movie with these times in the place of its own; its tables, which stand behind its pictures, grow.
  func file(of plain: Data, isQuickTime: Bool) throws -> Data {
    let tables = try #require(
      Self.boxes(plain, plain.startIndex..<plain.endIndex).first { $0.type == "moov" })
    #expect(tables.range.upperBound == plain.endIndex)
    var content = Data()
    for box in Self.boxes(plain, tables.range.lowerBound + 8..<tables.range.upperBound) {
      switch box.type {
      case "mvhd": content += header(of: plain[box.range])
      case "udta", "meta": continue
      default: content += plain[box.range]
      }
    }
    var data = Data()
    if let user {
      let language = Data([0x55, 0xC4])
      data += Self.box("\u{A9}day", [Self.big(user.utf8.count, 2), language, Data(user.utf8)])
    }
    if let listed {
      let text = listedType == 2 ? listed.data(using: .utf16BigEndian) ?? Data() : Data(listed.utf8)
      let value = Self.box("data", [Self.big(listedType, 4), Data(count: 4), text])
      data += Self.metadata("mdir", isFull: true, [Self.box("ilst", [Self.box("\u{A9}day", [value])])])
    }
    if !data.isEmpty { content += Self.box("udta", [data]) }
    if let named {
      let name = Self.box("mdta", [Data("com.apple.quicktime.creationdate".utf8)])
      let value = Self.box("data", [Self.big(1, 4), Data(count: 4), Data(named.utf8)])
      let keys = Self.box("keys", [Data(count: 4), Self.big(1, 4), name])
      let list = Self.box("ilst", [Self.big(value.count + 8, 4), Self.big(1, 4), value])
      content += Self.metadata("mdta", isFull: !isQuickTime, [keys, list])
    }
    return plain[..<tables.range.lowerBound] + Self.box("moov", [content])
  }

  /// Its version and flags, both times, the unit and the length, then the rest (ISO/IEC 14496-12, 8.2.2).
  private func header(of own: Data) -> Data {
    let body = Data(own.dropFirst(8))
    let size = isLong ? 8 : 4
    let time = Self.big(Int(header), size)
    let version = Data([isLong ? 1 : 0, 0, 0, 0])
    let length = Data(count: size - 4) + body[16..<20]
    return Self.box("mvhd", [version, time, time, body[12..<16], length, body[20...]])
  }

  private static func metadata(_ kind: String, isFull: Bool, _ content: [Data]) -> Data {
    let handler = box("hdlr", [Data(count: 8), Data(kind.utf8), Data(count: 13)])
    return box("meta", [Data(count: isFull ? 4 : 0), handler] + content)
  }

  private static func box(_ type: String, _ content: [Data]) -> Data {
    let size = content.reduce(8) { $0 + $1.count }
    return big(size, 4) + Data(type.unicodeScalars.map { UInt8($0.value) }) + Data(content.joined())
  }

  private static func big(_ number: Int, _ bytes: Int) -> Data {
    Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  private static func boxes(_ data: Data, _ range: Range<Int>) -> [(type: String, range: Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      let size = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, at + size <= range.upperBound else { break }
      found.append((String(decoding: data[at + 4..<at + 8], as: UTF8.self), at..<at + size))
      at += size
    }
    return found
  }
}

@Suite("Dates of movies, of every form")
struct MovieDateTests {
  /// 2023-05-06T07:08:09Z since 1904: 66 years, of which 17 have a day more, lie before 1970.
  private static let header: UInt64 = 1_683_356_889 + 2_082_844_800

  private enum Meaning {
    case nothing
    case utc(String, Double = 0)
    /// What the clocks show here: year, month, day, hour, minute, second.
    case here([Int], Double = 0)

    var date: Date? {
      switch self {
      case .nothing: return nil
      case .utc(let text, let part):
        return ISO8601DateFormatter().date(from: text)?.addingTimeInterval(part)
      case .here(let n, let part):
        let parts = DateComponents(year: n[0], month: n[1], day: n[2], hour: n[3], minute: n[4], second: n[5])
        return Calendar(identifier: .gregorian).date(from: parts)?.addingTimeInterval(part)
      }
    }
  }

  /// Written from QuickTime File Format ("Movie Header Atoms", "Metadata keys"), ISO/IEC 14496-12 and ISO 8601.
  private static let table: [(DatedMovie, Meaning)] = [
    (DatedMovie(), .nothing),
    (DatedMovie(header: header), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, isLong: true), .utc("2023-05-06T07:08:09Z")),
    // Beyond 32 bits, which end in 2040.
    (DatedMovie(header: 1 << 32, isLong: true), .utc("2040-02-06T06:28:16Z")),
    // Counted from 1970 by writers that take no other year.
    (DatedMovie(header: 1_683_356_889), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, named: "2024-03-10T12:00:00+0900"), .utc("2024-03-10T03:00:00Z")),
    (DatedMovie(header: header, named: "2024-03-10T12:00:00+09:00"), .utc("2024-03-10T03:00:00Z")),
    (DatedMovie(named: "2024-07-10T12:00:00-0330"), .utc("2024-07-10T15:30:00Z")),
    (DatedMovie(named: "2024-07-10T12:00:00-03:30"), .utc("2024-07-10T15:30:00Z")),
    (DatedMovie(named: "2024-03-10T12:00:00+09"), .utc("2024-03-10T03:00:00Z")),
    (DatedMovie(header: header, named: "2024-03-10T12:00:00Z"), .utc("2024-03-10T12:00:00Z")),
    (DatedMovie(named: "2024-03-10T12:00:00.125+0545"), .utc("2024-03-10T06:15:00Z", 0.125)),
    (DatedMovie(header: header, named: "2024-07-10T12:00:00"), .here([2024, 7, 10, 12, 0, 0])),
    (DatedMovie(header: header, named: "2024-01-10 12:00:00.5"), .here([2024, 1, 10, 12, 0, 0], 0.5)),
    (DatedMovie(header: header, named: "2024-01-10"), .here([2024, 1, 10, 0, 0, 0])),
    (DatedMovie(header: header, user: "2024-03-10T12:00:00+0100"), .utc("2024-03-10T11:00:00Z")),
    (DatedMovie(user: "2024-03-10T12:00:00-11:30"), .utc("2024-03-10T23:30:00Z")),
    (DatedMovie(user: "2024-03-10 12:00 +0100"), .utc("2024-03-10T11:00:00Z")),
    (DatedMovie(user: "20240310T120000Z"), .utc("2024-03-10T12:00:00Z")),
    (DatedMovie(header: header, user: "2024/03/10"), .here([2024, 3, 10, 0, 0, 0])),
    (DatedMovie(header: header, user: "2024-03-10T12:00:00"), .here([2024, 3, 10, 12, 0, 0])),
    // A year or a month alone says when something was published.
    (DatedMovie(header: header, user: "2019"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, user: "2019-03"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(user: "2019"), .here([2019, 1, 1, 0, 0, 0])),
    (DatedMovie(user: "2019-03"), .here([2019, 3, 1, 0, 0, 0])),
    (DatedMovie(header: header, listed: "2004-03-10T08:00:00Z"), .utc("2004-03-10T08:00:00Z")),
    (DatedMovie(header: header, listed: "2004-03-10T08:00:00Z", listedType: 0), .utc("2004-03-10T08:00:00Z")),
    (DatedMovie(header: header, listed: "2004-03-10T08:00:00Z", listedType: 2), .utc("2004-03-10T08:00:00Z")),
    (DatedMovie(header: header, listed: "2004"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(listed: "2004-07"), .here([2004, 7, 1, 0, 0, 0])),
    // Of several, QuickTime's counts, unless it says no day.
    (
      DatedMovie(header: header, named: "2024-03-10T12:00:00+0900", user: "2020-01-01", listed: "2021-01-01"),
      .utc("2024-03-10T03:00:00Z")
    ),
    (DatedMovie(header: header, named: "2024", user: "2020-01-01T00:00:00Z"), .utc("2020-01-01T00:00:00Z")),
    (DatedMovie(header: header, named: "2024", listed: "2020-01"), .utc("2023-05-06T07:08:09Z")),
    // What is no date says nothing.
    (DatedMovie(header: header, named: "last spring"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, named: "0000-00-00T00:00:00Z"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, named: "2024-02-30T12:00:00Z"), .utc("2023-05-06T07:08:09Z")),
    (DatedMovie(header: header, named: "", user: "2020-01-01T00:00:00Z"), .utc("2020-01-01T00:00:00Z")),
  ]

  @Test(arguments: ["mov", "mp4"])
  func `every form and every combination means what the standards say`(kind: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appendingPathComponent("plain.\(kind)")
    try Program.make(
      plain.path, ["-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=0.2", "-c:v", "mpeg4"])
    let movie = try Data(contentsOf: plain)
    #expect(Self.table.count >= 20)
    for (index, (stated, meaning)) in Self.table.enumerated() {
      let place = folder.appendingPathComponent("\(index).\(kind)")
      try stated.file(of: movie, isQuickTime: kind == "mov").write(to: place)
      let asset = AVURLAsset(url: place)
      #expect(asset.tracks.count == 1, "\(stated)")
      #expect(asset.creationDate?.dateValue == meaning.date, "\(stated)")
    }
  }
}

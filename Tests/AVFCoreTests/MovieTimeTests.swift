import AVFCore
import Foundation
import MovieTools
import Testing

@Suite("Times of movies")
struct MovieTimeTests {
  /// What a movie states, and the moment that it means: by the offset, or the same clocks here.
  private static let stated: [(text: String?, utc: String?, here: DateComponents?, part: Double)] = [
    (nil, nil, nil, 0),
    ("2024-03-10T12:00:00+0900", "2024-03-10T03:00:00Z", nil, 0),
    ("2024-03-10T12:00:00+09:00", "2024-03-10T03:00:00Z", nil, 0),
    ("2024-07-10T12:00:00-03:30", "2024-07-10T15:30:00Z", nil, 0),
    ("2024-03-10T12:00:00Z", "2024-03-10T12:00:00Z", nil, 0),
    ("2024-03-10T12:00:00.25+0900", "2024-03-10T03:00:00Z", nil, 0.25),
    (
      "2024-07-10T12:00:00", nil,
      DateComponents(year: 2024, month: 7, day: 10, hour: 12, minute: 0, second: 0),
      0
    ),
    (
      "2024-01-10 12:00:00.5", nil,
      DateComponents(year: 2024, month: 1, day: 10, hour: 12, minute: 0, second: 0), 0.5
    ),
    ("2024-03-10", nil, DateComponents(year: 2024, month: 3, day: 10), 0),
    ("20240310T120000Z", "2024-03-10T12:00:00Z", nil, 0),
    ("last spring", nil, nil, 0),
  ]

  @Test func `creation dates count with or without an offset, then the header's in UTC`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appendingPathComponent("plain.mov").path
    try Program.make(plain, ["-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=0.2", "-c:v", "mjpeg"])
    let writer = ISO8601DateFormatter()
    for (index, stated) in Self.stated.enumerated() {
      for header in [nil, "2023-05-06T07:08:09Z"] {
        var arguments = ["-i", plain, "-c", "copy", "-movflags", "use_metadata_tags"]
        if let text = stated.text { arguments += ["-metadata", "com.apple.quicktime.creationdate=\(text)"] }
        if let header { arguments += ["-metadata", "creation_time=\(header)"] }
        let path = folder.appendingPathComponent("\(index)\(header == nil ? "" : "-header").mov").path
        try Program.make(path, arguments)
        let own =
          stated.utc.flatMap { writer.date(from: $0) }
          ?? stated.here.flatMap { Calendar(identifier: .gregorian).date(from: $0) }
        let wanted =
          own?.addingTimeInterval(stated.part) ?? header.flatMap { writer.date(from: $0) }
        let item = AVURLAsset(url: URL(fileURLWithPath: path)).creationDate
        #expect(item?.dateValue == wanted, "\(stated.text ?? "nothing"), header \(header ?? "without")")
        #expect((item == nil) == (stated.text == nil && header == nil))
        if item != nil, wanted != nil { #expect(item?.commonKey == .commonKeyCreationDate) }
      }
    }
  }

  @Test func `Matroska and AVI say when they were made, too`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appendingPathComponent("plain.mkv").path
    try Program.make(plain, ["-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=0.2", "-c:v", "mjpeg"])
    let utc = ISO8601DateFormatter().date(from: "2023-05-06T07:08:09Z")
    let day = Calendar(identifier: .gregorian).date(from: DateComponents(year: 2024, month: 3, day: 10))
    let cases: [(String, String, Date?)] = [
      ("a.mkv", "creation_time=2023-05-06T07:08:09Z", utc), ("b.mkv", "title=no time", nil),
      ("c.mkv", "date=2024-03-10", day), ("d.avi", "date=2024-03-10", day),
      ("e.avi", "date=1999", nil), ("f.avi", "title=no time", nil),
    ]
    for (name, metadata, wanted) in cases {
      let path = folder.appendingPathComponent(name).path
      try Program.make(path, ["-i", plain, "-c", "copy", "-metadata", metadata])
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      #expect(asset.isReadable && asset.creationDate?.dateValue == wanted, "\(name): \(metadata)")
    }
  }

  @Test func `a year alone counts where nothing says the day`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appendingPathComponent("plain.mov").path
    try Program.make(plain, ["-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=0.2", "-c:v", "mjpeg"])
    let utc = ISO8601DateFormatter().date(from: "2023-05-06T07:08:09Z")
    func day(_ year: Int, _ month: Int, _ day: Int) -> Date? {
      Calendar(identifier: .gregorian).date(from: DateComponents(year: year, month: month, day: day))
    }
    let header = "creation_time=2023-05-06T07:08:09Z"
    let cases: [(String, [String], Date?)] = [
      ("a.mov", ["date=2019", header], utc), ("b.mov", ["date=2019-03", header], utc),
      ("c.mov", ["date=2019-03-10", header], day(2019, 3, 10)), ("d.mov", ["date=2019"], day(2019, 1, 1)),
      ("e.mkv", ["date=20190310"], day(2019, 3, 10)), ("f.mkv", ["date=2019-03"], nil),
    ]
    for (name, metadata, wanted) in cases {
      let path = folder.appendingPathComponent(name).path
      try Program.make(path, ["-i", plain, "-c", "copy"] + metadata.flatMap { ["-metadata", $0] })
      #expect(
        AVURLAsset(url: URL(fileURLWithPath: path)).creationDate?.dateValue == wanted,
        "\(name): \(metadata)")
    }
  }

  @Test func `a date is written with its fraction, and read again`() throws {
    let moments = [0.0, 0.25, 0.999, 0.9996, 731_548_800.001]
    for seconds in moments {
      let item = AVMutableMetadataItem()
      item.identifier = .commonIdentifierCreationDate
      item.value = NSDate(timeIntervalSinceReferenceDate: seconds)
      let written = try #require(item.fileItem)
      let read = try #require(AVMetadataItem(written).dateValue)
      #expect(
        abs(read.timeIntervalSinceReferenceDate - (seconds * 1000).rounded() / 1000) < 1e-5, "\(seconds)")
    }
  }
}

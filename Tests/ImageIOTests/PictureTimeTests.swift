import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import StillCodecs
import Testing

@Suite("Times of pictures")
struct PictureTimeTests {
  /// How much of a time a file states.
  private enum Stated: CaseIterable {
    case nothing, date, fraction, offset, all

    var hasDate: Bool { self != .nothing }
    var hasFraction: Bool { self == .fraction || self == .all }
    var hasOffset: Bool { self == .offset || self == .all }
  }

  /// One of EXIF's times: its texts by EXIF 2.31, and what they mean, worked out by hand.
  private struct Time {
    let dictionary: CFString
    let keys: (date: CFString, fraction: CFString, offset: CFString)
    let texts: (date: String, fraction: String, offset: String)
    /// In UTC, on clocks of Berlin and on those of the offset.
    let (inBerlin, byOffset): (String, String)
    let part: Double

    func date(_ stated: Stated) -> Date? {
      guard stated.hasDate else { return nil }
      let whole = ISO8601DateFormatter().date(from: stated.hasOffset ? byOffset : inBerlin)
      return whole?.addingTimeInterval(stated.hasFraction ? part : 0)
    }

    /// The properties; with strays, also what stands without the date that it belongs to.
    func add(_ stated: Stated, hasStrays: Bool, to properties: inout CFDictionary) {
      var own = properties[dictionary] as? CFDictionary ?? [:]
      if stated.hasDate { own[keys.date] = texts.date }
      properties[dictionary] = own
      var exif = properties[kCGImagePropertyExifDictionary] as? CFDictionary ?? [:]
      let isStray = hasStrays && !stated.hasDate
      if stated.hasFraction || isStray { exif[keys.fraction] = texts.fraction }
      if stated.hasOffset || isStray { exif[keys.offset] = texts.offset }
      properties[kCGImagePropertyExifDictionary] = exif
    }
  }

  private static let times = [
    Time(
      dictionary: kCGImagePropertyExifDictionary,
      keys: (
        kCGImagePropertyExifDateTimeOriginal, kCGImagePropertyExifSubsecTimeOriginal,
        kCGImagePropertyExifOffsetTimeOriginal
      ), texts: ("2024:01:10 12:00:00", "25", "+09:00"),
      inBerlin: "2024-01-10T11:00:00Z", byOffset: "2024-01-10T03:00:00Z", part: 0.25),
    Time(
      dictionary: kCGImagePropertyExifDictionary,
      keys: (
        kCGImagePropertyExifDateTimeDigitized, kCGImagePropertyExifSubsecTimeDigitized,
        kCGImagePropertyExifOffsetTimeDigitized
      ), texts: ("2024:07:02 08:30:15", "500", "-03:30"),
      inBerlin: "2024-07-02T06:30:15Z", byOffset: "2024-07-02T12:00:15Z", part: 0.5),
    Time(
      dictionary: kCGImagePropertyTIFFDictionary,
      keys: (
        kCGImagePropertyTIFFDateTime, kCGImagePropertyExifSubsecTime, kCGImagePropertyExifOffsetTime
      ), texts: ("2024:11:20 23:59:59", "125   ", "+05:45"),
      inBerlin: "2024-11-20T22:59:59Z", byOffset: "2024-11-20T18:14:59Z", part: 0.125),
  ]

  private let berlin: TimeZone

  init() throws { berlin = try #require(TimeZone(identifier: "Europe/Berlin")) }

  private func date(_ file: Data) throws -> Date? { PictureTime.date(of: try properties(file), in: berlin) }

  private func utc(_ text: String, _ part: Double = 0) throws -> Date {
    try #require(ISO8601DateFormatter().date(from: text)).addingTimeInterval(part)
  }

  @Test(arguments: types)
  func `each time has its own fraction and its own offset, in every combination`(type: String) throws {
    let image = try quarters(16, 16)
    var count = 0
    for original in Stated.allCases {
      for digitized in Stated.allCases {
        for changed in Stated.allCases {
          // Encoding HEIC takes long; the pairs that differ in neighbours are enough there.
          if type == "public.heic", ![original, digitized].contains(.nothing) { continue }
          let all = [original, digitized, changed]
          count += 1
          var facts: CFDictionary = [:]
          for (time, stated) in zip(Self.times, all) {
            time.add(stated, hasStrays: count % 2 == 0, to: &facts)
          }
          let wanted = zip(Self.times, all).lazy.compactMap { $0.date($1) }.first
          #expect(try date(file(image, type, facts)) == wanted, "\(all)")
        }
      }
    }
    #expect(count >= 45)
  }

  @Test func `clocks without an offset are those of the place on that day, across summer time`() throws {
    let cases = [
      // Berlin's clocks went forward at 01:00 UTC on 2024-03-31, back at 01:00 UTC on 2024-10-27.
      ("2024:03:31 01:59:59", "2024-03-31T00:59:59Z"), ("2024:03:31 03:00:00", "2024-03-31T01:00:00Z"),
      ("2024:10:27 01:59:59", "2024-10-26T23:59:59Z"), ("2024:10:27 03:00:00", "2024-10-27T02:00:00Z"),
      ("2024:02:29 00:00:00", "2024-02-28T23:00:00Z"), ("1999:12:31 23:59:59", "1999-12-31T22:59:59Z"),
    ]
    for (text, moment) in cases {
      #expect(try WrittenDate(text)?.date(in: berlin) == utc(moment), "\(text)")
    }
  }

  @Test func `what EXIF writes for unknown, and no date of the calendar, states no time`() throws {
    let unknown = [
      "    :  :     :  :  ", "0000:00:00 00:00:00", "", "2024:13:01 00:00:00", "2024:02:30 00:00:00",
      "2024:01:01 24:00:00", "2024:01:01 10:60:00", "2024:03:10   :  :  ", "yesterday",
      "2024:01:01 10:00:00 CET",
    ]
    for text in unknown { #expect(WrittenDate(text) == nil, "\(text)") }
    let facts: CFDictionary = [
      kCGImagePropertyExifDictionary: [
        kCGImagePropertyExifDateTimeOriginal: "    :  :     :  :  ",
        kCGImagePropertyExifOffsetTimeOriginal: "   :  ", kCGImagePropertyExifSubsecTimeOriginal: "   ",
        kCGImagePropertyExifDateTimeDigitized: "2024:07:02 08:30:15",
        kCGImagePropertyExifOffsetTimeDigitized: "   :  ", kCGImagePropertyExifSubsecTimeDigitized: "4x",
      ] as CFDictionary
    ]
    #expect(try date(file(quarters(16, 16), "public.jpeg", facts)) == utc("2024-07-02T06:30:15Z"))
  }

  // MARK: XMP

  private func packet(_ attributes: String, _ elements: String = "", exif: String = "exif") -> Data {
    Data(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:\(exif)="http://ns.adobe.com/exif/1.0/" xmlns:xmp = 'http://ns.adobe.com/xap/1.0/'
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>\(elements)</rdf:Description></rdf:RDF>
      </x:xmpmeta><?xpacket end="w"?>
      """.utf8)
  }

  /// A PNG with one more chunk, behind the header, which takes 33 bytes.
  private func chunked(_ type: String, _ content: Data, _ facts: CFDictionary = [:]) throws -> Data {
    let plain = try file(quarters(16, 16), "public.png", facts)
    let body = Data(type.utf8) + content
    let head = Data([0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)])
    return plain.prefix(33) + head + body + Self.check(body) + plain.dropFirst(33)
  }

  @Test func `a PNG's own times count where neither EXIF nor XMP has one`() throws {
    func text(_ value: String) -> Data { Data("Creation Time\0\(value)".utf8) }
    let cases: [(Data, String)] = [
      (text("Sun, 10 Mar 2024 12:00:00 +0900"), "2024-03-10T03:00:00Z"),
      (text("10 Jul 2024 12:00 GMT"), "2024-07-10T12:00:00Z"),
      (text("10 July 2024 12:00:05"), "2024-07-10T10:00:05Z"),
      (text("2024-03-10T12:00:00-03:30"), "2024-03-10T15:30:00Z"),
      (text("2024:07:10 12:00:00"), "2024-07-10T10:00:00Z"),
    ]
    for (content, moment) in cases {
      #expect(
        try date(chunked("tEXt", content)) == utc(moment), "\(String(decoding: content, as: UTF8.self))")
    }
    let international = Data("Creation Time\0\0\0en\0\02024-03-10T12:00:00Z".utf8)
    #expect(try date(chunked("iTXt", international)) == utc("2024-03-10T12:00:00Z"))
    for unknown in ["once", "Sun 10 Mar 2024 12:00:00 PM CET", "31 Feb 2024 10:00:00", ""] {
      #expect(try date(chunked("tEXt", text(unknown))) == nil, "\(unknown)")
    }
    // Year, month, day, hour, minute, second, in UTC.
    let change = Data([0x07, 0xE8, 7, 10, 23, 59, 58])
    #expect(try date(chunked("tIME", change)) == utc("2024-07-10T23:59:58Z"))
    #expect(try date(chunked("tIME", Data([0x07, 0xE8, 13, 10, 23, 59, 58]))) == nil)
    #expect(try date(chunked("tIME", Data([0x07, 0xE8]))) == nil)
    let facts: CFDictionary = [
      kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFDateTime: "2023:07:10 12:00:00"] as CFDictionary
    ]
    // EXIF's time of change comes before PNG's, and PNG's creation before both.
    #expect(try date(chunked("tIME", change, facts)) == utc("2023-07-10T10:00:00Z"))
    #expect(try date(chunked("tEXt", text("2024-03-10T12:00:00Z"), facts)) == utc("2024-03-10T12:00:00Z"))
  }

  /// A picture with a packet and, where they are given, EXIF's tags.
  private func packed(_ type: String, _ xmp: Data, _ facts: CFDictionary = [:]) throws -> Data {
    let image = try quarters(16, 16)
    let block = ExifBlock(properties: facts)
    let exif = block.isEmpty ? nil : try block.data()
    switch type {
    case "public.jpeg":
      var options = JPEGEncoder.Options()
      (options.exif, options.xmp) = (exif, xmp)
      return try JPEGEncoder.encode(
        image.makePixelBuffer(format: kCVPixelFormatType_32RGBA), options: options)
    case "public.heic":
      var options = HEICEncoder.Options()
      (options.exif, options.xmp) = (exif, xmp)
      return try HEICEncoder.encode(
        image.makePixelBuffer(format: kCVPixelFormatType_32RGBA), options: options)
    default:
      return try chunked("iTXt", Data("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp, facts)
    }
  }

  /// PNG's check of a chunk (ISO/IEC 15948, annex D).
  private static func check(_ bytes: Data) -> Data {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
    sum = ~sum
    return Data([UInt8(sum >> 24), UInt8(sum >> 16 & 255), UInt8(sum >> 8 & 255), UInt8(sum & 255)])
  }

  @Test(arguments: types)
  func `XMP's times count where EXIF has none of the same meaning`(type: String) throws {
    let cases: [(Data, String, Double)] = [
      (packet("exif:DateTimeOriginal=\"2024-03-10T12:00:00.25+09:00\""), "2024-03-10T03:00:00Z", 0.25),
      (packet("photoshop:DateCreated='2024-03-10T12:00:00Z'"), "2024-03-10T12:00:00Z", 0),
      (packet("xmp:CreateDate=\"2024-03-10T12:00\""), "2024-03-10T11:00:00Z", 0),
      (packet("xmp:ModifyDate=\"2024-07-10T12:00:00\""), "2024-07-10T10:00:00Z", 0),
      (
        packet("", "<exif:DateTimeOriginal>2024-03-10T12:00:00-03:30</exif:DateTimeOriginal>"),
        "2024-03-10T15:30:00Z", 0
      ),
      (
        packet("", "\n<photoshop:DateCreated>\n 2024-03-10 </photoshop:DateCreated>"), "2024-03-09T23:00:00Z",
        0
      ),
      (packet("e:DateTimeOriginal=\"2024-03-10T12:00:00Z\"", exif: "e"), "2024-03-10T12:00:00Z", 0),
      (
        packet(
          "xmp:CreateDate=\"2020-01-01T00:00:00Z\"",
          "<exif:DateTimeOriginal>2024-03-10T12:00:00Z</exif:DateTimeOriginal>"),
        "2024-03-10T12:00:00Z", 0
      ),
      (
        packet(
          "",
          "<DateTimeOriginal xmlns='http://ns.adobe.com/exif/1.0/'>2024-03-10T12:00:00Z</DateTimeOriginal>"),
        "2024-03-10T12:00:00Z", 0
      ),
      (
        packet(
          "", "<exif:DateTimeOriginal xml:lang='x-default'>2024&#45;03-10T12:00:00Z</exif:DateTimeOriginal>"),
        "2024-03-10T12:00:00Z", 0
      ),
      (
        packet(
          "",
          "<photoshop:Instructions>exif:DateTimeOriginal=\"2020-01-01T00:00:00Z\"</photoshop:Instructions>"
            + "<!-- <exif:DateTimeOriginal>2020-01-01</exif:DateTimeOriginal> --><x:a xmp:CreateDate=\"2020-01-01\"/>"
            + "<xmp:CreateDate>2024-03-10T12:00:00Z</xmp:CreateDate>"), "2024-03-10T12:00:00Z", 0
      ),
      (
        packet("exif:DateTimeOriginal=\"soon\" photoshop:DateCreated=\"2024-03-10T12:00:00Z\""),
        "2024-03-10T12:00:00Z", 0
      ),
    ]
    for (xmp, moment, part) in cases {
      #expect(try date(packed(type, xmp)) == utc(moment, part), "\(String(decoding: xmp, as: UTF8.self))")
    }
    let both = packet(
      "exif:DateTimeOriginal=\"2020-01-01T00:00:00.5Z\" xmp:ModifyDate=\"2021-01-01T00:00:00Z\"")
    let original: CFDictionary = [
      kCGImagePropertyExifDictionary: [kCGImagePropertyExifDateTimeOriginal: "2024:07:10 12:00:00"]
        as CFDictionary
    ]
    #expect(try date(packed(type, both, original)) == utc("2024-07-10T10:00:00Z"))
    let changed: CFDictionary = [
      kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFDateTime: "2024:07:10 12:00:00"] as CFDictionary,
      kCGImagePropertyExifDictionary: [kCGImagePropertyExifOffsetTimeOriginal: "+05:00"] as CFDictionary,
    ]
    let found = try properties(packed(type, both, changed))
    #expect(PictureTime.date(of: found, in: berlin) == (try utc("2020-01-01T00:00:00Z", 0.5)))
    let exif = found[kCGImagePropertyExifDictionary] as? CFDictionary
    #expect(exif?[kCGImagePropertyExifDateTimeOriginal] as? String == "2020:01:01 00:00:00")
    #expect(exif?[kCGImagePropertyExifSubsecTimeOriginal] as? String == "5")
    #expect(exif?[kCGImagePropertyExifOffsetTimeOriginal] as? String == "+00:00")
    let tiff = found[kCGImagePropertyTIFFDictionary] as? CFDictionary
    #expect(tiff?[kCGImagePropertyTIFFDateTime] as? String == "2024:07:10 12:00:00")
  }

  @Test func `packets without a date, broken or of another writer state none`() throws {
    let packets = [
      packet(""), packet("exif:DateTimeOriginal=2024"), packet("exif:DateTimeOriginalX=\"2024-01-01\""),
      packet("", "<exif:DateTimeOriginal/>"), packet("", "<exif:DateTimeOriginal"), Data("exif:".utf8),
      Data(), Data([0xFE, 0xFF, 0xD8]), packet("xexif:DateTimeOriginal=\"2024-01-01\""),
      // Other namespaces that begin with the same text.
      packet("xmlns:mm=\"http://ns.adobe.com/xap/1.0/mm/\" mm:CreateDate=\"2024-01-01\""),
      packet("xmlns:aux=\"http://ns.adobe.com/exif/1.0/aux/\" aux:DateTimeOriginal=\"2024-01-01\""),
      // A prefix that means something else where it stands, and one that means nothing.
      packet(
        "", "<exif:DateTimeOriginal xmlns:exif=\"http://example.org/\">2024-01-01</exif:DateTimeOriginal>"),
      packet("", "<exf:DateTimeOriginal>2024-01-01</exf:DateTimeOriginal>"),
      // A time inside of another property.
      packet(
        "",
        "<photoshop:History rdf:parseType=\"Resource\" ><exif:DateTimeOriginal>2024-01-01"
          + "</exif:DateTimeOriginal></photoshop:History>"),
    ]
    for xmp in packets { #expect(try date(packed("public.jpeg", xmp)) == nil) }
  }

  @Test func `a source says when its picture was taken`() throws {
    let facts: CFDictionary = [
      kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFDateTime: "2024:07:10 12:00:00"] as CFDictionary,
      kCGImagePropertyExifDictionary: [kCGImagePropertyExifOffsetTime: "+05:00"] as CFDictionary,
    ]
    let image = try quarters(16, 16)
    #expect(try source(file(image, "public.jpeg", facts)).captureDate == utc("2024-07-10T07:00:00Z"))
    #expect(try source(file(image, "public.jpeg")).captureDate == nil)
  }
}

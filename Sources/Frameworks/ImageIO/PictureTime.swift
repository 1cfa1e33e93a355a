internal import Foundation
package import FoundationExtras
internal import StillCodecs

/// One of the times that a picture's file states, with the properties that belong to it.
///
/// EXIF 2.31 gives each time a fraction and an offset of its own (4.6.5, D): `SubSecTime` and `OffsetTime` belong to `DateTime`,
/// `SubSecTimeOriginal` and `OffsetTimeOriginal` to `DateTimeOriginal`, `SubSecTimeDigitized` and `OffsetTimeDigitized` to
/// `DateTimeDigitized`. None of them says anything of another time. Where EXIF lacks a time, XMP's counts that means the same
/// (Metadata Working Group, Guidelines 2.0, 3.1; XMP Specification 2, 3.2), then PNG's own: its text `Creation Time`, and its time of
/// change, which is in UTC.
package struct PictureTime: Sendable {
  private let dictionary: CFString
  private let date: CFString
  private let fraction: CFString
  private let offset: CFString
  /// Namespaces and names, the first of which that is stated counts.
  private let packetNames: [(namespace: String, name: String)]

  /// When the picture was taken.
  package static let original = PictureTime(
    dictionary: kCGImagePropertyExifDictionary, date: kCGImagePropertyExifDateTimeOriginal,
    fraction: kCGImagePropertyExifSubsecTimeOriginal, offset: kCGImagePropertyExifOffsetTimeOriginal,
    packetNames: [(XMPNamespace.exif, "DateTimeOriginal"), (XMPNamespace.photoshop, "DateCreated")])
  /// When it became a file: of a slide, long after it was taken.
  package static let digitized = PictureTime(
    dictionary: kCGImagePropertyExifDictionary, date: kCGImagePropertyExifDateTimeDigitized,
    fraction: kCGImagePropertyExifSubsecTimeDigitized, offset: kCGImagePropertyExifOffsetTimeDigitized,
    packetNames: [(XMPNamespace.basic, "CreateDate"), (XMPNamespace.exif, "DateTimeDigitized")])
  /// When the file was changed last.
  package static let changed = PictureTime(
    dictionary: kCGImagePropertyTIFFDictionary, date: kCGImagePropertyTIFFDateTime,
    fraction: kCGImagePropertyExifSubsecTime, offset: kCGImagePropertyExifOffsetTime,
    packetNames: [(XMPNamespace.basic, "ModifyDate"), (XMPNamespace.tiff, "DateTime")])

  /// All of them; the first that a file has is the picture's.
  package static let all = [original, digitized, changed]

  /// The moment of a picture with these properties, the first of ``all`` that they state; `nil` when they state none.
  ///
  /// - Parameter zone: The clocks that count where the time has no offset.
  package static func date(of properties: CFDictionary, in zone: TimeZone = .current) -> Date? {
    all.lazy.compactMap { $0.written(in: properties)?.date(in: zone) }.first
  }

  /// This time in a picture's properties; `nil` where they do not state it, or state that it is unknown.
  package func written(in properties: CFDictionary) -> WrittenDate? {
    guard let text = (properties[dictionary] as? CFDictionary)?[date] as? String else { return nil }
    let exif = properties[kCGImagePropertyExifDictionary] as? CFDictionary ?? [:]
    return WrittenDate(text, fraction: exif[fraction] as? String, offset: exif[offset] as? String)
  }

  /// Adds to properties what an XMP packet says of the times that they lack.
  package static func complete(_ properties: inout CFDictionary, from packet: Data?) {
    let missing = all.filter { $0.written(in: properties) == nil }
    guard !missing.isEmpty, let document = packet.flatMap({ XMPDocument(reading: $0) }) else { return }
    for time in missing {
      let found = time.packetNames.lazy.compactMap {
        document.text($0.namespace, $0.name).flatMap { WrittenDate($0) }
      }.first
      if let found { time.complete(&properties, with: found) }
    }
  }

  /// Adds this time to properties that lack it.
  func complete(_ properties: inout CFDictionary, with found: WrittenDate) {
    guard written(in: properties) == nil else { return }
    var own = properties[dictionary] as? CFDictionary ?? [:]
    own[date] = found.exifText
    properties[dictionary] = own
    var exif = properties[kCGImagePropertyExifDictionary] as? CFDictionary ?? [:]
    // What stood there belonged to a time that is not stated.
    exif[fraction] = found.fraction.isEmpty ? nil : found.fraction
    exif[offset] = found.exifOffset
    if !exif.isEmpty { properties[kCGImagePropertyExifDictionary] = exif }
  }
}

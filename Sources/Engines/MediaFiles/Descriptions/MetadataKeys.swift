internal import CoreMedia
internal import Foundation

/// Reads and writes which keys a track of timed metadata has (`mebx`).
///
/// Source: Apple's QuickTime File Format, "Timed Metadata Media".
enum MetadataKeys {
  /// Writes the table of a description.
  static func write(_ format: CMFormatDescription, to out: inout BoxWriter) {
    out.box("keys") { out in
      for key in MetadataKey.all(of: format) {
        out.box(number: key.number) { out in
          out.box("keyd") {
            $0.u32(Int(key.space))
            $0.add(key.name)
          }
          if let type = key.type { write(type, to: &out) }
          if let language = key.language {
            out.box("loca") {
              $0.add(language.utf8)
              $0.u8(0)
            }
          }
        }
      }
    }
  }

  private static func write(_ type: String, to out: inout BoxWriter) {
    out.box("dtyp") { out in
      if let number = MetadataTypes.number(type) {
        out.u32(0)
        out.u32(number)
      } else {
        out.u32(1)
        out.add(type.utf8)
      }
    }
  }

  /// The description of a track in a movie's header; `nil` where it is of another kind.
  static func format(_ header: BoxReader, ofTrack number: Int) -> CMFormatDescription? {
    guard let entry = TrackBoxes(header).entry(ofTrack: number), entry.type == "mebx", entry.body.count > 8,
      let list = header.boxes(in: entry.body.lowerBound + 8..<entry.body.upperBound).first(where: {
        $0.type == "keys"
      })
    else { return nil }
    var keys: [[String: Any]] = []
    for box in header.boxes(in: list.body) { if let key = key(box, header) { keys.append(key) } }
    var made: CMFormatDescription?
    _ = CMMetadataFormatDescriptionCreateWithKeys(
      allocator: nil, metadataType: kCMMetadataFormatType_Boxed, keys: keys, formatDescriptionOut: &made)
    return made
  }

  private static func key(_ box: BoxReader.Box, _ header: BoxReader) -> [String: Any]? {
    guard let number = header.u32(box.body.lowerBound - 4), number > 0 else { return nil }
    var key: [String: Any] = [kCMMetadataFormatDescriptionKey_LocalID: UInt32(number)]
    for part in header.boxes(in: box.body) {
      if part.type == "loca" {
        let text = header.bytes(part.body).prefix { $0 != 0 }
        key[kCMMetadataFormatDescriptionKey_LanguageTag] = String(decoding: text, as: UTF8.self)
      }
      guard part.body.count >= 4, let first = header.u32(part.body.lowerBound) else { continue }
      let rest = part.body.lowerBound + 4..<part.body.upperBound
      switch part.type {
      case "keyd":
        key[kCMMetadataFormatDescriptionKey_Namespace] = UInt32(first)
        key[kCMMetadataFormatDescriptionKey_Value] = header.bytes(rest)
      case "dtyp":
        key[kCMMetadataFormatDescriptionKey_DataType] =
          first == 0
          ? header.u32(rest.lowerBound).map { MetadataTypes.name($0) }
          : String(decoding: header.bytes(rest), as: UTF8.self)
      default: break
      }
    }
    return key[kCMMetadataFormatDescriptionKey_Value] == nil ? nil : key
  }
}

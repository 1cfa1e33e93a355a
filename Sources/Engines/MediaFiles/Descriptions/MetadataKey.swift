package import CoreMedia
package import Foundation
internal import FoundationExtras

/// A key of a track of timed metadata, as its format describes it.
package struct MetadataKey: Sendable {
  /// The number that the track's samples have it under.
  package let number: Int
  /// The four-character code of the key's namespace.
  package let space: OSType
  /// The key in its namespace.
  package let name: Data
  /// The type of its values; `nil` for bytes of no known structure.
  package let type: String?
  /// The language of its values, as BCP 47 says it; `nil` for none.
  package let language: String?

  /// The keys that a format describes, by number.
  package static func all(of format: CMFormatDescription) -> [MetadataKey] {
    let table =
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_MetadataKeyTable) as? [String: Any] ?? [:]
    return table.compactMap { number, key in
      guard let number = Int(number), let key = key as? [String: Any],
        let space = LooseNumber.code(key[kCMMetadataFormatDescriptionKey_Namespace]),
        let name = key[kCMMetadataFormatDescriptionKey_Value] as? Data
      else { return nil }
      return MetadataKey(
        number: number, space: space, name: name,
        type: key[kCMMetadataFormatDescriptionKey_DataType] as? String,
        language: key[kCMMetadataFormatDescriptionKey_LanguageTag] as? String)
    }.sorted { $0.number < $1.number }
  }
}

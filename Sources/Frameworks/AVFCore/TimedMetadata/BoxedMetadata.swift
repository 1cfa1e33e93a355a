internal import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Metadata items as the samples of a metadata track have them: boxes with a key's local number and a value.
///
/// Source: Apple's QuickTime File Format, "Timed Metadata Media".
enum BoxedMetadata {
  /// The number of boxes that say nothing.
  private static let nothing = 0

  /// What a track is that can hold items; `nil` when one of them lacks identifier or data type.
  static func format(of items: [AVMetadataItem]) -> CMMetadataFormatDescription? {
    var specifications: [[String: String]] = []
    for item in items {
      guard let identifier = item.identifier?.rawValue, let type = item.dataType else { return nil }
      var one: [String: String] = [
        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: identifier,
        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: type,
      ]
      one[kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag] = item.extendedLanguageTag
      if !specifications.contains(one) { specifications.append(one) }
    }
    guard !specifications.isEmpty else { return nil }
    var made: CMMetadataFormatDescription?
    _ = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
      allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: specifications,
      formatDescriptionOut: &made)
    return made
  }

  // MARK: Writing

  /// The bytes of a sample; without items one that says nothing.
  ///
  /// - Throws: ``MetadataRefusal`` for an item that the track does not describe, or whose value is not of its type.
  static func data(
    of items: [AVMetadataItem], in format: CMFormatDescription
  ) throws(MetadataRefusal) -> Data {
    var data = Data()
    func box(_ number: Int, _ value: Data) {
      for part in [value.count + 8, number] {
        withUnsafeBytes(of: UInt32(part).bigEndian) { data.append(contentsOf: $0) }
      }
      data.append(value)
    }
    for item in items {
      guard let key = keys(of: format).first(where: { $0.describes(item) }) else {
        throw MetadataRefusal(
          text:
            "the track's format does not describe \(item.identifier?.rawValue ?? "an item without identifier")."
        )
      }
      guard let value = MetadataValue.bytes(item.value, type: key.type) else {
        throw MetadataRefusal(text: "the value of \(key.identifier) is not of type \(key.type).")
      }
      box(key.number, value)
    }
    if items.isEmpty { box(nothing, Data()) }
    return data
  }

  // MARK: Reading

  /// The items of a sample; `nil` for samples of another kind, and damaged ones.
  static func items(of sample: CMSampleBuffer) -> [AVMetadataItem]? {
    guard let format = sample.formatDescription,
      CMFormatDescriptionGetMediaType(format) == kCMMediaType_Metadata,
      CMFormatDescriptionGetMediaSubType(format) == kCMMetadataFormatType_Boxed,
      let data = try? sample.dataBuffer?.dataBytes()
    else { return nil }
    let keys = keys(of: format)
    var items: [AVMetadataItem] = []
    var at = data.startIndex
    func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    while at + 8 <= data.endIndex {
      let (size, local) = (number(at), number(at + 4))
      guard size >= 8, size <= data.endIndex - at else { return nil }
      if let key = keys.first(where: { $0.number == local }) {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: key.identifier)
        item.dataType = key.type
        item.extendedLanguageTag = key.language
        item.value = MetadataValue.object(data.subdata(in: at + 8..<at + size), type: key.type)
        item.time = sample.presentationTimeStamp
        item.duration = sample.duration
        items.append(item)
      }
      at += size
    }
    return at == data.endIndex ? items : nil
  }

  // MARK: Keys

  private struct Key {
    let number: Int
    let identifier: String
    let type: String
    let language: String?

    func describes(_ item: AVMetadataItem) -> Bool {
      item.identifier?.rawValue == identifier && (item.dataType ?? type) == type
        && item.extendedLanguageTag == language
    }
  }

  private static func keys(of format: CMFormatDescription) -> [Key] {
    let table =
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_MetadataKeyTable) as? [String: Any] ?? [:]
    return table.compactMap { number, key in
      guard let number = Int(number), let key = key as? [String: Any],
        let space = LooseNumber.code(key[kCMMetadataFormatDescriptionKey_Namespace]),
        let name = key[kCMMetadataFormatDescriptionKey_Value] as? Data
      else { return nil }
      return Key(
        number: number,
        identifier: "\(FourCharacterCode(rawValue: space))/\(String(decoding: name, as: UTF8.self))",
        type: key[kCMMetadataFormatDescriptionKey_DataType] as? String ?? kCMMetadataBaseDataType_RawData,
        language: key[kCMMetadataFormatDescriptionKey_LanguageTag] as? String)
    }.sorted { $0.number < $1.number }
  }
}

/// Why a track cannot hold what is said; half a sentence.
struct MetadataRefusal: Error {
  let text: String
}

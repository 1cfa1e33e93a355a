package import CoreMedia
package import Foundation
internal import FoundationExtras
internal import MediaFiles

/// Metadata items as the samples of a metadata track have them: boxes with a key's local number and a value.
///
/// Source: Apple's QuickTime File Format, "Timed Metadata Media".
package enum BoxedMetadata {
  /// The number of a box without metadata.
  private static let nothing = 0

  /// The format of a track that can hold items; `nil` when one of them lacks identifier or data type.
  package static func format(of items: [AVMetadataItem]) -> CMMetadataFormatDescription? {
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

  /// The bytes of a sample; without items an empty box.
  ///
  /// - Throws: ``MetadataRefusal`` for an item that the track does not describe, or whose value is not of its type.
  package static func data(
    of items: [AVMetadataItem], in format: CMFormatDescription
  ) throws(MetadataRefusal) -> Data {
    var data = Data()
    func box(_ number: Int, _ value: Data) {
      for part in [value.count + 8, number] {
        withUnsafeBytes(of: UInt32(part).bigEndian) { data.append(contentsOf: $0) }
      }
      data.append(value)
    }
    let keys = MetadataKey.all(of: format)
    for item in items {
      guard let key = keys.first(where: { $0.describes(item) }) else {
        throw MetadataRefusal(
          text:
            "the track's format does not describe \(item.identifier?.rawValue ?? "an item without identifier")."
        )
      }
      guard let value = MetadataValue.bytes(item.value, type: key.valueType) else {
        throw MetadataRefusal(text: "the value of \(key.identifier) is not of type \(key.valueType).")
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
    let keys = MetadataKey.all(of: format)
    var items: [AVMetadataItem] = []
    var at = data.startIndex
    func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    while at + 8 <= data.endIndex {
      let (size, local) = (number(at), number(at + 4))
      guard size >= 8, size <= data.endIndex - at else { return nil }
      if let key = keys.first(where: { $0.number == local }) {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: key.identifier)
        item.dataType = key.valueType
        item.extendedLanguageTag = key.language
        item.value = MetadataValue.object(data.subdata(in: at + 8..<at + size), type: key.valueType)
        item.time = sample.presentationTimeStamp
        item.duration = sample.duration
        items.append(item)
      }
      at += size
    }
    return at == data.endIndex ? items : nil
  }
}

extension MetadataKey {
  fileprivate var identifier: String {
    "\(FourCharacterCode(rawValue: space))/\(String(decoding: name, as: UTF8.self))"
  }

  fileprivate var valueType: String { type ?? kCMMetadataBaseDataType_RawData }

  fileprivate func describes(_ item: AVMetadataItem) -> Bool {
    item.identifier?.rawValue == identifier && (item.dataType ?? valueType) == valueType
      && item.extendedLanguageTag == language
  }
}

/// The reason why a track cannot hold an item; half a sentence.
package struct MetadataRefusal: Error {
  package let text: String
}

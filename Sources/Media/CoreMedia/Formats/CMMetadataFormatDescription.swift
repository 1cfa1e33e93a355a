internal import Foundation
public import FoundationExtras

/// `CFDictionary` of key tables by local number, inside ``kCMFormatDescriptionExtension_MetadataKeyTable``.
public let kCMMetadataFormatDescriptionKey_Namespace: CFString = "MetadataKeyNamespace"
/// `Data`: the key's value in its namespace.
public let kCMMetadataFormatDescriptionKey_Value: CFString = "MetadataKeyValue"
/// Number: what stands for the key in the samples.
public let kCMMetadataFormatDescriptionKey_LocalID: CFString = "MetadataKeyLocalID"
/// `CFString`: the type of the values, such as ``kCMMetadataBaseDataType_UTF8``.
public let kCMMetadataFormatDescriptionKey_DataType: CFString = "MetadataKeyDataType"
/// `CFString`: the language of the values, as BCP 47 writes it.
public let kCMMetadataFormatDescriptionKey_LanguageTag: CFString = "MetadataKeyLanguageTag"

/// `CFString`: namespace and key, such as `mdta/com.apple.quicktime.location.ISO6709`.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString = "MetadataIdentifier"
/// `CFString`: the type of the values.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString = "MetadataDataType"
/// `CFString`: the language of the values, as BCP 47 writes it.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString =
  "MetadataExtendedLanguageTag"

/// Bytes of no known structure.
public let kCMMetadataBaseDataType_RawData: CFString = "com.apple.metadata.datatype.raw-data"
/// Text in UTF-8.
public let kCMMetadataBaseDataType_UTF8: CFString = "com.apple.metadata.datatype.UTF-8"
/// Text in UTF-16.
public let kCMMetadataBaseDataType_UTF16: CFString = "com.apple.metadata.datatype.UTF-16"
/// 32-bit floating point.
public let kCMMetadataBaseDataType_Float32: CFString = "com.apple.metadata.datatype.float32"
/// 64-bit floating point.
public let kCMMetadataBaseDataType_Float64: CFString = "com.apple.metadata.datatype.float64"
/// 8-bit signed integer.
public let kCMMetadataBaseDataType_SInt8: CFString = "com.apple.metadata.datatype.int8"
/// 16-bit signed integer.
public let kCMMetadataBaseDataType_SInt16: CFString = "com.apple.metadata.datatype.int16"
/// 32-bit signed integer.
public let kCMMetadataBaseDataType_SInt32: CFString = "com.apple.metadata.datatype.int32"
/// 64-bit signed integer.
public let kCMMetadataBaseDataType_SInt64: CFString = "com.apple.metadata.datatype.int64"
/// 8-bit unsigned integer.
public let kCMMetadataBaseDataType_UInt8: CFString = "com.apple.metadata.datatype.uint8"
/// 16-bit unsigned integer.
public let kCMMetadataBaseDataType_UInt16: CFString = "com.apple.metadata.datatype.uint16"
/// 32-bit unsigned integer.
public let kCMMetadataBaseDataType_UInt32: CFString = "com.apple.metadata.datatype.uint32"
/// 64-bit unsigned integer.
public let kCMMetadataBaseDataType_UInt64: CFString = "com.apple.metadata.datatype.uint64"
/// A JPEG picture.
public let kCMMetadataBaseDataType_JPEG: CFString = "com.apple.metadata.datatype.JPEG"
/// A PNG picture.
public let kCMMetadataBaseDataType_PNG: CFString = "com.apple.metadata.datatype.PNG"
/// A JSON text.
public let kCMMetadataBaseDataType_JSON: CFString = "com.apple.metadata.datatype.json"

/// A place on Earth as ISO 6709 writes it.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709: CFString =
  "com.apple.quicktime.metadata.datatype.location.ISO6709"
/// A direction as QuickTime writes it.
public let kCMMetadataDataType_QuickTimeMetadataDirection: CFString =
  "com.apple.quicktime.metadata.datatype.direction"

/// The key of QuickTime's place.
public let kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709: CFString =
  "mdta/com.apple.quicktime.location.ISO6709"
/// The key of QuickTime's facing direction.
public let kCMMetadataIdentifier_QuickTimeMetadataDirection_Facing: CFString =
  "mdta/com.apple.quicktime.direction.facing"
/// The key of QuickTime's orientation of video.
public let kCMMetadataIdentifier_QuickTimeMetadataVideoOrientation: CFString =
  "mdta/com.apple.quicktime.video-orientation"

/// Describes timed metadata by its keys.
///
/// - Parameters:
///   - metadataType: Such as ``kCMMetadataFormatType_Boxed``.
///   - keys: A dictionary for each key, by `kCMMetadataFormatDescriptionKey_…`; keys without a local number get one.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for two keys of one local number.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithKeys(
  allocator: CFAllocator?, metadataType: CMMetadataFormatType, keys: CFArray?,
  formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  let keys = keys?.compactMap { $0 as? [String: Any] } ?? []
  guard let table = keyTable(keys) else { return kCMFormatDescriptionError_InvalidParameter }
  let extensions = table.isEmpty ? nil : [kCMFormatDescriptionExtension_MetadataKeyTable: table as Any]
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Metadata, metadataType, extensions: extensions)
  return noErr
}

/// Describes timed metadata by what it holds.
///
/// - Parameter metadataSpecifications: A dictionary for each kind of value, by
///   `kCMMetadataFormatDescriptionMetadataSpecificationKey_…`; identifier and type are needed.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` when one of them lacks what is needed.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
  allocator: CFAllocator?, metadataType: CMMetadataFormatType, metadataSpecifications: CFArray,
  formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard let keys = keys(metadataSpecifications) else { return kCMFormatDescriptionError_InvalidParameter }
  return CMMetadataFormatDescriptionCreateWithKeys(
    allocator: allocator, metadataType: metadataType, keys: keys, formatDescriptionOut: formatDescriptionOut)
}

/// Describes what another description does, and more kinds of values.
///
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` when a specification lacks what is needed.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
  allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription, metadataSpecifications: CFArray,
  formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard let added = keys(metadataSpecifications) else { return kCMFormatDescriptionError_InvalidParameter }
  return merge(sourceDescription, added, formatDescriptionOut)
}

/// Describes what two descriptions do together.
@discardableResult
public func CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
  allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription,
  otherSourceDescription: CMMetadataFormatDescription,
  formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  return merge(sourceDescription, otherSourceDescription.metadataKeys, formatDescriptionOut)
}

/// Gives the key that a local number stands for.
public func CMMetadataFormatDescriptionGetKeyWithLocalID(
  _ desc: CMMetadataFormatDescription, localKeyID: OSType
)
  -> CFDictionary?
{
  desc.metadataKeys.first {
    LooseNumber.code($0[kCMMetadataFormatDescriptionKey_LocalID]) == localKeyID
  }
}

/// Gives namespace and key of everything that is described, each a `String`; `nil` when that is nothing.
public func CMMetadataFormatDescriptionGetIdentifiers(_ desc: CMMetadataFormatDescription) -> CFArray? {
  let identifiers = desc.identifiers
  return identifiers.isEmpty ? nil : identifiers
}

extension CMFormatDescription {
  /// Describes metadata of a type, by nothing else.
  public convenience init(metadataFormatType: MediaSubType) throws {
    self.init(kCMMediaType_Metadata, metadataFormatType.rawValue, extensions: nil)
  }

  /// Describes boxed metadata by its keys.
  ///
  /// - Throws: `invalidParameter` for two keys of one local number.
  public convenience init(boxedMetadataKeys: [[String: CFPropertyList]]) throws {
    guard let table = keyTable(boxedMetadataKeys) else { throw Error.invalidParameter }
    self.init(
      kCMMediaType_Metadata, kCMMetadataFormatType_Boxed,
      extensions: [kCMFormatDescriptionExtension_MetadataKeyTable: table])
  }

  /// Describes boxed metadata by what it holds.
  ///
  /// - Throws: `invalidParameter` when a specification lacks identifier or type.
  public convenience init(boxedMetadataSpecifications: [[String: CFPropertyList]]) throws {
    guard let keys = keys(boxedMetadataSpecifications) else { throw Error.invalidParameter }
    try self.init(boxedMetadataKeys: keys)
  }

  /// The key that a local number stands for.
  public func keyWithLocalID(_ localKeyID: OSType) -> [String: CFPropertyList]? {
    CMMetadataFormatDescriptionGetKeyWithLocalID(self, localKeyID: localKeyID)
  }

  /// Namespace and key of everything that is described.
  public var identifiers: [String] {
    metadataKeys.compactMap { key in
      guard let namespace = LooseNumber.code(key[kCMMetadataFormatDescriptionKey_Namespace]),
        let value = key[kCMMetadataFormatDescriptionKey_Value] as? CFData
      else { return nil }
      return "\(FourCharacterCode(rawValue: namespace))/\(String(decoding: value, as: UTF8.self))"
    }
  }

  /// The keys in the order of their local numbers.
  fileprivate var metadataKeys: [[String: Any]] {
    let table = extensionValues[kCMFormatDescriptionExtension_MetadataKeyTable] as? [String: Any] ?? [:]
    return table.sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }.compactMap { $0.value as? [String: Any] }
  }
}

private func merge(
  _ description: CMMetadataFormatDescription, _ added: [[String: Any]],
  _ formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
  guard description.mediaTypeCode == kCMMediaType_Metadata else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  let present = description.metadataKeys
  func meaning(_ key: [String: Any]) -> [String: Any] {
    key.filter { $0.key != kCMMetadataFormatDescriptionKey_LocalID }
  }
  let fresh = added.map(meaning).filter { key in
    !present.contains { propertyListsAreEqual(meaning($0), key) }
  }
  return CMMetadataFormatDescriptionCreateWithKeys(
    allocator: kCFAllocatorDefault, metadataType: description.mediaSubTypeCode, keys: present + fresh,
    formatDescriptionOut: formatDescriptionOut)
}

/// The keys that specifications stand for; `nil` when one lacks identifier or type.
private func keys(_ specifications: [Any]) -> [[String: Any]]? {
  var keys: [[String: Any]] = []
  for specification in specifications {
    guard let specification = specification as? [String: Any],
      let identifier = specification[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier]
        as? String,
      let type = specification[kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType] as? String,
      let slash = identifier.firstIndex(of: "/"),
      let namespace = FourCharacterCode(String(identifier[..<slash]))
    else { return nil }
    var key: [String: Any] = [
      kCMMetadataFormatDescriptionKey_Namespace: namespace.rawValue,
      kCMMetadataFormatDescriptionKey_Value: CFData(identifier[identifier.index(after: slash)...].utf8),
      kCMMetadataFormatDescriptionKey_DataType: type,
    ]
    key[kCMMetadataFormatDescriptionKey_LanguageTag] =
      specification[kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag]
    keys.append(key)
  }
  return keys
}

/// Keys by local number; those without get the lowest that is free.
///
/// `nil` when two have the same.
private func keyTable(_ keys: [[String: Any]]) -> [String: Any]? {
  var table: [String: Any] = [:]
  var nameless: [[String: Any]] = []
  for key in keys {
    guard let number = LooseNumber.code(key[kCMMetadataFormatDescriptionKey_LocalID]) else {
      nameless.append(key)
      continue
    }
    guard table.updateValue(key, forKey: String(number)) == nil else { return nil }
  }
  var number: OSType = 1
  for key in nameless {
    while table[String(number)] != nil { number += 1 }
    var key = key
    key[kCMMetadataFormatDescriptionKey_LocalID] = number
    table[String(number)] = key
  }
  return table
}

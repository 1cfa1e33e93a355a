public import FoundationExtras
internal import StillCodecs

/// The kind of a tag's value.
///
/// Source: CGImageMetadata.h.
public enum CGImageMetadataType: Int32, Sendable {
  /// None that XMP knows.
  case invalid = -1
  /// As the value is.
  case `default` = 0
  /// Text.
  case string = 1
  /// A list whose order means nothing.
  case arrayUnordered = 2
  /// A list in order.
  case arrayOrdered = 3
  /// A list of which one serves, the first best.
  case alternateArray = 4
  /// The same text in several languages.
  case alternateText = 5
  /// Fields.
  case structure = 6
}

/// A property of a picture as XMP states it: a name in a namespace, and a value.
///
/// Immutable and thread-safe.
public final class CGImageMetadataTag: Sendable {
  let property: XMPProperty

  init(_ property: XMPProperty) {
    self.property = property
  }
}

/// A tag.
///
/// - Parameters:
///   - xmlns: Its namespace, an address.
///   - prefix: The namespace's short name; `nil` for any.
///   - name: Its name, without a prefix.
///   - type: The kind of its value.
///   - value: Text, a number, a truth value, a list of those or of tags, or a dictionary of them.
/// - Returns: `nil` for an empty name or namespace, and for a value of another kind.
public func CGImageMetadataTagCreate(
  _ xmlns: CFString, _ prefix: CFString?, _ name: CFString, _ type: CGImageMetadataType, _ value: CFTypeRef
) -> CGImageMetadataTag? {
  guard !xmlns.isEmpty, !name.isEmpty,
    let value = XMPProperty.Value(value, type, namespace: xmlns, prefix: prefix ?? "")
  else { return nil }
  return CGImageMetadataTag(
    XMPProperty(namespace: xmlns, prefix: prefix ?? "", name: name, value: value))
}

/// The namespace of a tag, an address such as `http://ns.adobe.com/exif/1.0/`.
public func CGImageMetadataTagCopyNamespace(_ tag: CGImageMetadataTag) -> CFString? { tag.property.namespace }

/// The short name of the tag's namespace; `nil` when it has none.
public func CGImageMetadataTagCopyPrefix(_ tag: CGImageMetadataTag) -> CFString? {
  tag.property.prefix.isEmpty ? nil : tag.property.prefix
}

/// The name of a tag, without a prefix.
public func CGImageMetadataTagCopyName(_ tag: CGImageMetadataTag) -> CFString? { tag.property.name }

/// The value of a tag: text; an array of tags; or a dictionary of tags by their names.
public func CGImageMetadataTagCopyValue(_ tag: CGImageMetadataTag) -> CFTypeRef? {
  switch tag.property.value {
  case .text(let text): return text
  case .list(_, let values):
    return values.enumerated().map { index, value in
      var item = tag.property
      item.name = "[\(index)]"
      item.value = value
      return CGImageMetadataTag(item)
    } as CFArray
  case .fields(let fields):
    return CFDictionary(fields.map { ($0.name, CGImageMetadataTag($0)) }) { first, _ in first }
  }
}

/// The kind of a tag's value; of what was read, text, a kind of list or fields.
public func CGImageMetadataTagGetType(_ tag: CGImageMetadataTag) -> CGImageMetadataType {
  switch tag.property.value {
  case .text: .string
  case .list(.unordered, _): .arrayUnordered
  case .list(.ordered, _): .arrayOrdered
  case .list(.alternatives, _): .alternateArray
  case .fields: .structure
  }
}

extension XMPProperty.Value {
  /// A client's value; `nil` when XMP cannot hold it.
  init?(_ value: Any, _ type: CGImageMetadataType = .default, namespace: String, prefix: String) {
    switch value {
    case let tag as CGImageMetadataTag: self = tag.property.value
    case let text as String: self = .text(text)
    // A number of Foundation's that is 0 or 1 is no truth.
    case let truth as Bool where Swift.type(of: value) == Bool.self: self = .text(truth ? "True" : "False")
    case let list as [Any]:
      let items = list.compactMap {
        XMPProperty.Value($0, namespace: namespace, prefix: prefix)
      }
      guard items.count == list.count else { return nil }
      switch type {
      case .arrayUnordered: self = .list(.unordered, items)
      case .alternateArray, .alternateText: self = .list(.alternatives, items)
      default: self = .list(.ordered, items)
      }
    case let fields as [String: Any]:
      let own = fields.sorted { $0.key < $1.key }.compactMap { name, value -> XMPProperty? in
        if let tag = value as? CGImageMetadataTag {
          var field = tag.property
          field.name = name
          return field
        }
        return XMPProperty.Value(value, namespace: namespace, prefix: prefix).map {
          XMPProperty(namespace: namespace, prefix: prefix, name: name, value: $0)
        }
      }
      guard own.count == fields.count else { return nil }
      self = .fields(own)
    default:
      if let whole = LooseNumber.integer(value) {
        self = .text("\(whole)")
      } else if let number = LooseNumber.double(value) {
        self = .text("\(number)")
      } else {
        return nil
      }
    }
  }
}

public import Foundation
public import FoundationExtras
internal import Linux
package import StillCodecs

/// The tags that XMP states of a picture, each a name in a namespace with a value.
///
/// Thread-safe.
///
/// Source: CGImageMetadata.h.
public class CGImageMetadata: @unchecked Sendable {  // Safe because what changes is under `state`.
  struct State {
    var document: XMPDocument
    /// Namespaces by the short names that a client has given them.
    var prefixes: [String: String] = [:]

    /// The namespace that a short name stands for; `nil` for one that nothing has told.
    func namespace(_ prefix: String) -> String? {
      document.properties.first { $0.prefix == prefix }?.namespace ?? prefixes[prefix]
        ?? MetadataPath.standard[prefix]
    }
  }

  let state: Locked<State>

  fileprivate init(_ state: State) {
    self.state = Locked(state)
  }

  /// What a packet states.
  package convenience init(_ document: XMPDocument) {
    self.init(State(document: document))
  }

  /// What it states now.
  package var document: XMPDocument { state.withLock { $0.document } }
}

/// Tags that can be changed.
///
/// Thread-safe.
public final class CGMutableImageMetadata: CGImageMetadata, @unchecked Sendable {
  // Safe because its superclass is.
}

/// Metadata without tags.
public func CGImageMetadataCreateMutable() -> CGMutableImageMetadata {
  CGMutableImageMetadata(XMPDocument())
}

/// The same tags, to be changed.
public func CGImageMetadataCreateMutableCopy(_ metadata: CGImageMetadata) -> CGMutableImageMetadata? {
  CGMutableImageMetadata(metadata.state.withLock { $0 })
}

/// The tags of an XMP packet; `nil` for bytes that are none.
public func CGImageMetadataCreateFromXMPData(_ data: CFData) -> CGImageMetadata? {
  XMPDocument(reading: data).map { CGImageMetadata($0) }
}

/// The tags as an XMP packet, such as a file beside a picture holds.
///
/// - Parameter options: None are known.
public func CGImageMetadataCreateXMPData(_ metadata: CGImageMetadata, _ options: CFDictionary?) -> CFData? {
  metadata.document.data
}

/// The tags, an array of ``CGImageMetadataTag``; `nil` when there is none.
public func CGImageMetadataCopyTags(_ metadata: CGImageMetadata) -> CFArray? {
  let tags = metadata.document.properties.map { CGImageMetadataTag($0) }
  return tags.isEmpty ? nil : tags
}

/// The tag at a path: `prefix:name`, behind it `[2]` for an item of a list, counted from 0, and `.prefix:name` for a field.
///
/// - Parameter parent: Where the path begins; `nil` for all tags.
/// - Returns: `nil` when there is none.
public func CGImageMetadataCopyTagWithPath(
  _ metadata: CGImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> CGImageMetadataTag? {
  let state = metadata.state.withLock { $0 }
  return MetadataPath(path)?.find(in: state, below: parent?.property).map { CGImageMetadataTag($0) }
}

/// The text at a path, as of ``CGImageMetadataCopyTagWithPath(_:_:_:)``.
///
/// - Returns: `nil` when there is none, and for lists and fields; of alternatives the first.
public func CGImageMetadataCopyStringValueWithPath(
  _ metadata: CGImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> CFString? {
  switch CGImageMetadataCopyTagWithPath(metadata, parent, path)?.property.value {
  case .text(let text): text
  case .list(.alternatives, let values):
    if case .text(let text)? = values.first { text } else { nil }
  default: nil
  }
}

/// Gives a namespace a short name, for paths.
///
/// - Parameter err: Gets nothing: there is one reason to fail.
/// - Returns: Whether it has that name now; `false` when another namespace has it.
public func CGImageMetadataRegisterNamespaceForPrefix(
  _ metadata: CGMutableImageMetadata, _ xmlns: CFString, _ prefix: CFString,
  _ err: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  guard !xmlns.isEmpty, MetadataPath("\(prefix):a") != nil else { return false }
  return metadata.state.withLock { state in
    if let known = state.namespace(prefix) { return known == xmlns }
    state.prefixes[prefix] = xmlns
    return true
  }
}

/// Sets the value of the tag at a path, which is a new one where there is none.
///
/// - Parameters:
///   - metadata: What to change.
///   - parent: `nil`; tags inside of others are replaced with these.
///   - path: `prefix:name`, of a short name that is registered, stands in the metadata, or is a common one.
///   - value: As of ``CGImageMetadataTagCreate(_:_:_:_:_:)``.
/// - Returns: Whether it is set: not for other paths and values.
public func CGImageMetadataSetValueWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString, _ value: CFTypeRef
) -> Bool {
  guard parent == nil, let path = MetadataPath(path), let name = path.plain else { return false }
  return metadata.state.withLock { state in
    guard let namespace = state.namespace(name.prefix),
      let value = XMPProperty.Value(value, namespace: namespace, prefix: name.prefix)
    else { return false }
    state.document.set(
      XMPProperty(namespace: namespace, prefix: name.prefix, name: name.local, value: value))
    return true
  }
}

/// Removes the tag at a path `prefix:name`.
///
/// - Parameter parent: `nil`.
/// - Returns: Whether there was one.
public func CGImageMetadataRemoveTagWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> Bool {
  guard parent == nil, let name = MetadataPath(path)?.plain else { return false }
  return metadata.state.withLock { state in
    let count = state.document.properties.count
    guard let namespace = state.namespace(name.prefix) else { return false }
    state.document.properties.removeAll { $0.namespace == namespace && $0.name == name.local }
    return state.document.properties.count < count
  }
}

extension XMPDocument {
  /// Sets a property, in the place of the one of its name.
  package mutating func set(_ property: XMPProperty) {
    let index = properties.firstIndex { $0.namespace == property.namespace && $0.name == property.name }
    if let index { properties[index] = property } else { properties.append(property) }
  }
}

/// A path to a tag, taken apart.
struct MetadataPath {
  struct Name {
    var prefix: String
    var local: String
  }

  private enum Step {
    case name(Name)
    case item(Int)
  }

  private var steps: [Step] = []

  /// Namespaces that every program knows by these short names.
  static let standard = [
    "dc": "http://purl.org/dc/elements/1.1/", "xmp": "http://ns.adobe.com/xap/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/", "exifEX": "http://cipa.jp/exif/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/", "aux": "http://ns.adobe.com/exif/1.0/aux/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/", "xmpRights": "http://ns.adobe.com/xap/1.0/rights/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
  ]

  /// `nil` for a path that is none.
  init?(_ path: String) {
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      let name = pieces[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      // A path that begins at a parent may begin with an item.
      if !(pieces[0].isEmpty && steps.isEmpty && pieces.count > 1) {
        guard name.count == 2, !name[0].isEmpty, !name[1].isEmpty else { return nil }
        steps.append(.name(Name(prefix: name[0], local: name[1])))
      }
      for piece in pieces.dropFirst() {
        guard piece.hasSuffix("]"), let index = Int(piece.dropLast()), index >= 0 else { return nil }
        steps.append(.item(index))
      }
    }
  }

  /// The name, of a path that is no more than one.
  var plain: Name? {
    if steps.count == 1, case .name(let name) = steps[0] { name } else { nil }
  }

  /// The property that the path leads to.
  func find(in state: CGImageMetadata.State, below parent: XMPProperty?) -> XMPProperty? {
    var found = parent
    var fields = parent == nil ? state.document.properties : nil
    for step in steps {
      switch step {
      case .name(let name):
        if case .fields(let own)? = found?.value { fields = own }
        let namespace = state.namespace(name.prefix)
        guard
          let next = fields?.first(where: {
            $0.name == name.local && ($0.prefix == name.prefix || $0.namespace == namespace)
          })
        else { return nil }
        found = next
      case .item(let index):
        guard var list = found, case .list(_, let values) = list.value, values.indices.contains(index) else {
          return nil
        }
        list.name = "[\(index)]"
        list.value = values[index]
        found = list
      }
      fields = nil
    }
    return found
  }
}

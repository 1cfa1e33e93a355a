package import Foundation

/// The simple properties of an XMP packet (XMP Specification 1, 7): texts, as attributes or as elements.
///
/// Looks for names alone, wherever they stand: a packet that is no proper XML is read as far as it can be.
package struct XMPPacket: Sendable {
  /// A namespace of properties.
  package enum Namespace: String, Sendable {
    case exif = "http://ns.adobe.com/exif/1.0/"
    case tiff = "http://ns.adobe.com/tiff/1.0/"
    case basic = "http://ns.adobe.com/xap/1.0/"
    case photoshop = "http://ns.adobe.com/photoshop/1.0/"
  }

  /// The name of a property.
  package struct Name: Sendable, Hashable {
    let space: Namespace
    let name: String

    /// The property `name` of `space`.
    package init(_ space: Namespace, _ name: String) {
      self.space = space
      self.name = name
    }
  }

  /// UTF-8.
  private let bytes: Data

  /// Reads a packet's bytes; `nil` when they are no text.
  package init?(_ data: Data) {
    // In files of pictures packets are UTF-8 by the standard; some editors write UTF-16.
    let head = [UInt8](data.prefix(2))
    if head == [0xFE, 0xFF] || head == [0xFF, 0xFE] {
      guard let text = String(data: data, encoding: .utf16) else { return nil }
      bytes = Data(text.utf8)
    } else {
      bytes = Data(data)
    }
  }

  /// The text of a property; `nil` without it.
  package subscript(name: Name) -> String? {
    for prefix in prefixes(of: name.space) {
      for place in places(of: "\(prefix):\(name.name)") {
        if let value = value(before: place.lowerBound, behind: place.upperBound) { return value }
      }
    }
    return nil
  }

  private func places(of text: String) -> [Range<Int>] {
    let wanted = Data(text.utf8)
    var found: [Range<Int>] = []
    var at = bytes.startIndex
    while let place = bytes.range(of: wanted, in: at..<bytes.endIndex) {
      found.append(place)
      at = place.upperBound
    }
    return found
  }

  /// The prefixes that are bound to a namespace: `xmlns:exif="…"`.
  private func prefixes(of space: Namespace) -> [String] {
    var found: [String] = []
    for place in places(of: space.rawValue) {
      // The whole text between the quotes: others begin with the same, as http://ns.adobe.com/xap/1.0/mm/ does.
      guard place.lowerBound > bytes.startIndex, Self.isQuote(bytes[place.lowerBound - 1]),
        place.upperBound < bytes.endIndex, bytes[place.upperBound] == bytes[place.lowerBound - 1]
      else { continue }
      var end = place.lowerBound - 1
      while end > bytes.startIndex, Self.isSpace(bytes[end - 1]) || bytes[end - 1] == UInt8(ascii: "=") {
        end -= 1
      }
      guard let colon = bytes[..<end].lastIndex(of: UInt8(ascii: ":")), colon + 1 < end,
        bytes[..<colon].suffix(5).elementsEqual("xmlns".utf8)
      else { continue }
      let prefix = String(decoding: bytes[colon + 1..<end], as: UTF8.self)
      if !found.contains(prefix) { found.append(prefix) }
    }
    return found
  }

  /// The value of an attribute or an element whose name lies between two places.
  private func value(before start: Int, behind end: Int) -> String? {
    guard start > bytes.startIndex else { return nil }
    let mark = bytes[start - 1]
    let rest = bytes[end...].drop(while: Self.isSpace)
    if mark == UInt8(ascii: "<") {
      // An element, perhaps with attributes; one that closes itself has no text.
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")),
        rest.startIndex == close || rest.startIndex > end,
        rest[..<close].last != UInt8(ascii: "/")
      else { return nil }
      return Self.text(rest[(close + 1)...].prefix { $0 != UInt8(ascii: "<") })
    }
    guard Self.isSpace(mark), rest.first == UInt8(ascii: "=") else { return nil }
    let quoted = rest.dropFirst().drop(while: Self.isSpace)
    guard let quote = quoted.first, Self.isQuote(quote) else { return nil }
    return Self.text(quoted.dropFirst().prefix { $0 != quote })
  }

  private static func text(_ bytes: Data) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}

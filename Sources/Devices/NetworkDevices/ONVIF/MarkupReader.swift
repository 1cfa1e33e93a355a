internal import Foundation

/// Reads XML as machines of a network send it, which may be anything.
///
/// Bytes, depth, elements and names are bounded; a document type, from which entities come, is refused; text that is no UTF-8 is
/// repaired, so that a camera whose name is written otherwise is found. What comes behind the document is left unread.
///
/// Source: Extensible Markup Language 1.0, fifth edition.
package struct MarkupReader {
  /// The most bytes of a document that is read: recorders tell of sixty streams and more at once, each in some kilobytes.
  package static let mostBytes = 1 << 20
  /// How deep elements may lie in each other.
  package static let mostDepth = 32
  private static let mostElements = 1 << 15
  private static let mostAttributes = 64
  private static let longestName = 128

  private struct Broken: Error {}

  private let bytes: [UInt8]
  private var place = 0
  private var count = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The outermost element of a document; `nil` for what is none, or beyond the bounds.
  package static func document(_ bytes: [UInt8]) -> MarkupElement? {
    guard bytes.count <= mostBytes else { return nil }
    var reader = MarkupReader(bytes)
    _ = reader.take("\u{FEFF}")
    do throws(Broken) {
      try reader.skipBetween()
      return try reader.element(depth: 0)
    } catch {
      return nil
    }
  }

  // MARK: Elements

  private mutating func element(depth: Int) throws(Broken) -> MarkupElement {
    guard depth < Self.mostDepth, count < Self.mostElements, take("<") else { throw Broken() }
    count += 1
    let name = try self.name()
    var element = MarkupElement(name: Self.local(name))
    guard !element.name.isEmpty else { throw Broken() }
    // Some declare every namespace that there is, which only the document's bytes bound.
    var attributes = 0
    while true {
      skipSpace()
      if take("/>") { return element }
      if take(">") {
        try readContent(of: &element, name, depth)
        return element
      }
      let (key, value) = try attribute()
      if key == "xmlns" || key.hasPrefix("xmlns:") { continue }
      attributes += 1
      guard attributes <= Self.mostAttributes else { throw Broken() }
      element.attributes[Self.local(key)] = value
    }
  }

  private mutating func readContent(
    of element: inout MarkupElement, _ name: String, _ depth: Int
  ) throws(Broken) {
    var text: [UInt8] = []
    while true {
      guard peek() == UInt8(ascii: "<") else {
        let start = place
        while let byte = peek(), byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") { place += 1 }
        text += place > start ? Array(bytes[start..<place]) : try character()
        continue
      }
      if take("</") {
        guard try self.name() == name else { throw Broken() }
        skipSpace()
        guard take(">") else { throw Broken() }
        element.text = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return
      }
      if take("<![CDATA[") {
        let start = place
        try skip(behind: "]]>")
        text += bytes[start..<place - 3]
      } else if take("<!--") {
        try skip(behind: "-->")
      } else if take("<?") {
        try skip(behind: "?>")
      } else {
        element.children.append(try self.element(depth: depth + 1))
      }
    }
  }

  private mutating func attribute() throws(Broken) -> (String, String) {
    let key = try name()
    skipSpace()
    guard take("=") else { throw Broken() }
    skipSpace()
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw Broken()
    }
    place += 1
    var value: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: "<") {
      if byte == quote {
        place += 1
        return (key, String(decoding: value, as: UTF8.self))
      }
      value += try character()
    }
    throw Broken()
  }

  // MARK: Parts

  /// The name that begins here, with its prefix.
  private mutating func name() throws(Broken) -> String {
    let end: (UInt8) -> Bool = { $0 <= 0x20 || "/>=<\"'&".utf8.contains($0) }
    let start = place
    while let byte = peek(), !end(byte) { place += 1 }
    guard place > start, place - start <= Self.longestName else { throw Broken() }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func local(_ name: String) -> String {
    String(name.split(separator: ":", omittingEmptySubsequences: false).last ?? "")
  }

  /// The bytes of the next character, which may be written as a reference.
  private mutating func character() throws(Broken) -> [UInt8] {
    guard let byte = peek() else { throw Broken() }
    place += 1
    guard byte == UInt8(ascii: "&") else { return [byte] }
    let rest = bytes[place...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw Broken() }
    let word = String(decoding: bytes[place..<end], as: UTF8.self)
    place = end + 1
    let number: UInt32?
    switch word {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    case _ where word.hasPrefix("#x"): number = UInt32(word.dropFirst(2), radix: 16)
    case _ where word.hasPrefix("#"): number = UInt32(word.dropFirst(1))
    default: throw Broken()
    }
    guard let scalar = number.flatMap({ Unicode.Scalar($0) }) else { throw Broken() }
    return Array(String(Character(scalar)).utf8)
  }

  /// Skips what stands before the outermost element.
  private mutating func skipBetween() throws(Broken) {
    while true {
      skipSpace()
      if take("<?") {
        try skip(behind: "?>")
      } else if take("<!--") {
        try skip(behind: "-->")
      } else {
        return
      }
    }
  }

  private mutating func skipSpace() {
    while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
  }

  private mutating func skip(behind end: String) throws(Broken) {
    while place < bytes.count {
      if take(end) { return }
      place += 1
    }
    throw Broken()
  }

  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }
}

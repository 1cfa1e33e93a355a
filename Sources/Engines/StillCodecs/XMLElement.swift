internal import Foundation

/// An element of an XML document: as much of XML as XMP packets use, without definitions of types.
struct XMLElement {
  /// A name with its namespace.
  struct Name {
    var namespace: String
    var prefix: String
    var local: String

    func `is`(_ namespace: String, _ local: String) -> Bool {
      self.namespace == namespace && self.local == local
    }
  }

  var name: Name
  var attributes: [(name: Name, value: String)] = []
  var children: [XMLElement] = []
  /// All text right inside of it.
  var text = ""

  /// The namespace of XML's own attributes.
  static let xml = "http://www.w3.org/XML/1998/namespace"

  /// The deepest nesting, the most elements and the most bytes that are read.
  private static let most = (depth: 32, elements: 20_000, bytes: 16 << 20)

  init(name: Name) {
    self.name = name
  }

  /// Reads a document; `nil` when it is none, or breaks off.
  init?(reading data: Data) {
    guard data.count <= Self.most.bytes else { return nil }
    var scanner = XMLScanner(data)
    var open: [(element: XMLElement, tag: String)] = []
    var scopes: [[String: String]] = [["xml": Self.xml, "": ""]]
    var count = 0
    while let token = scanner.next() {
      switch token {
      case .text(let text): if !open.isEmpty { open[open.count - 1].element.text += text }
      case .open(let tag, let attributes, let isClosed):
        count += 1
        guard open.count < Self.most.depth, count <= Self.most.elements else { return nil }
        var scope = scopes[scopes.count - 1]
        for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
          scope[String(name.dropFirst(6))] = value
        }
        guard let name = Self.name(tag, in: scope, isAttribute: false) else { return nil }
        var element = XMLElement(name: name)
        for (key, value) in attributes where key != "xmlns" && !key.hasPrefix("xmlns:") {
          guard let name = Self.name(key, in: scope, isAttribute: true) else { return nil }
          element.attributes.append((name, value))
        }
        open.append((element, tag))
        scopes.append(scope)
        if isClosed, let whole = Self.close(&open, &scopes) {
          self = whole
          return
        }
      case .close(let tag):
        guard open.last?.tag == tag else { return nil }
        if let whole = Self.close(&open, &scopes) {
          self = whole
          return
        }
      }
    }
    return nil
  }

  /// Ends the innermost element; returns it when it is the document's own.
  private static func close(
    _ open: inout [(element: XMLElement, tag: String)], _ scopes: inout [[String: String]]
  ) -> XMLElement? {
    let element = open.removeLast().element
    scopes.removeLast()
    if open.isEmpty { return element }
    open[open.count - 1].element.children.append(element)
    return nil
  }

  private static func name(_ tag: String, in scope: [String: String], isAttribute: Bool) -> Name? {
    let parts = tag.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      // Attributes without a prefix have no namespace.
      return Name(namespace: isAttribute ? "" : scope[""] ?? "", prefix: "", local: tag)
    }
    return scope[parts[0]].map { Name(namespace: $0, prefix: parts[0], local: parts[1]) }
  }

  /// The first element of that name: this one, or one in it.
  func first(_ namespace: String, _ local: String) -> XMLElement? {
    if name.is(namespace, local) { return self }
    for child in children {
      if let found = child.first(namespace, local) { return found }
    }
    return nil
  }
}

/// Takes an XML document apart into tags and text.
struct XMLScanner {
  enum Token {
    case open(String, [(String, String)], isClosed: Bool)
    case close(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var at = 0
  /// An element with more attributes was made to take memory.
  private static let mostAttributes = 4096

  init(_ data: Data) {
    bytes = Array(data)
  }

  /// The next tag or text; `nil` at the end, and where the document breaks.
  mutating func next() -> Token? {
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else {
        let start = at
        at = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return .text(Self.decoded(bytes[start..<at]))
      }
      if starts(with: "<!--") {
        guard skip(past: "-->") else { return nil }
      } else if starts(with: "<?") {
        guard skip(past: "?>") else { return nil }
      } else if starts(with: "<![CDATA[") {
        let start = at + 9
        guard skip(past: "]]>") else { return nil }
        return .text(String(decoding: bytes[start..<at - 3], as: UTF8.self))
      } else if starts(with: "<!") {
        // Definitions of types, which may make a short document very long.
        return nil
      } else {
        return tag()
      }
    }
    return nil
  }

  private func starts(with text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  private mutating func skip(past text: String) -> Bool {
    let end = Array(text.utf8)
    var place = at
    while place + end.count <= bytes.count {
      if bytes[place..<place + end.count].elementsEqual(end) {
        at = place + end.count
        return true
      }
      place += 1
    }
    return false
  }

  private mutating func tag() -> Token? {
    at += 1
    let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
    if isEnd { at += 1 }
    guard let name = word() else { return nil }
    var attributes: [(String, String)] = []
    while true {
      skipSpaces()
      guard at < bytes.count else { return nil }
      switch bytes[at] {
      case UInt8(ascii: ">"):
        at += 1
        return isEnd ? .close(name) : .open(name, attributes, isClosed: false)
      case UInt8(ascii: "/"):
        guard !isEnd, at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: ">") else { return nil }
        at += 2
        return .open(name, attributes, isClosed: true)
      default:
        guard !isEnd, attributes.count < Self.mostAttributes, let attribute = attribute() else { return nil }
        attributes.append(attribute)
      }
    }
  }

  private mutating func attribute() -> (String, String)? {
    guard let key = word() else { return nil }
    skipSpaces()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
    at += 1
    skipSpaces()
    guard at < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[at]) else { return nil }
    let quote = bytes[at]
    guard let end = bytes[(at + 1)...].firstIndex(of: quote) else { return nil }
    defer { at = end + 1 }
    return (key, Self.decoded(bytes[at + 1..<end]))
  }

  private mutating func skipSpaces() {
    while at < bytes.count, Self.spaces.contains(bytes[at]) { at += 1 }
  }

  private mutating func word() -> String? {
    let start = at
    while at < bytes.count, !Self.spaces.contains(bytes[at]), !Self.ends.contains(bytes[at]) { at += 1 }
    return at > start ? String(decoding: bytes[start..<at], as: UTF8.self) : nil
  }

  private static let spaces = Set(" \t\r\n".utf8)
  private static let ends = Set("<>/='\"".utf8)

  /// Text with its entities replaced; those that are not known stay as they are.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var result = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstIndex(of: ";") else {
        result += "&" + part
        continue
      }
      let name = part[..<end]
      let digits = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      if let character = known[String(name)] {
        result += character
      } else if name.hasPrefix("#"), let scalar = digits.flatMap(Unicode.Scalar.init) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "&" + name + ";"
      }
      result += part[part.index(after: end)...]
    }
    return result
  }
}

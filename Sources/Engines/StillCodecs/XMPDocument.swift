package import Foundation

/// A property that an XMP packet states (ISO 16684-1, 6.3).
package struct XMPProperty: Sendable, Hashable {
  /// The value of a property.
  package indirect enum Value: Sendable, Hashable {
    case text(String)
    case list(Order, [Value])
    case fields([XMPProperty])
  }

  /// The meaning of a list's order.
  package enum Order: String, Sendable, Hashable {
    case unordered = "Bag"
    case ordered = "Seq"
    /// One of them serves, the first best.
    case alternatives = "Alt"
  }

  package var namespace: String
  /// The short name of the namespace, for people.
  package var prefix: String
  package var name: String
  package var value: Value

  /// A property of a namespace.
  package init(namespace: String, prefix: String, name: String, value: Value) {
    self.namespace = namespace
    self.prefix = prefix
    self.name = name
    self.value = value
  }
}

/// An XMP packet: properties of a picture as RDF in XML (ISO 16684-1).
package struct XMPDocument: Sendable, Hashable {
  /// In the packet's order.
  package var properties: [XMPProperty]

  /// A packet of these properties.
  package init(_ properties: [XMPProperty] = []) {
    self.properties = properties
  }

  /// The value of a property; `nil` when the packet does not state it.
  package subscript(namespace: String, name: String) -> XMPProperty.Value? {
    properties.first { $0.namespace == namespace && $0.name == name }?.value
  }

  /// The value of a property that is plain text; `nil` for others.
  package func text(_ namespace: String, _ name: String) -> String? {
    if case .text(let text)? = self[namespace, name] { text } else { nil }
  }

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  // MARK: Reading

  /// Reads a packet; `nil` when it is no XML, or holds no RDF.
  package init?(reading data: Data) {
    guard let root = XMLElement(reading: Self.inUTF8(data)), let rdf = root.first(Self.rdf, "RDF") else {
      return nil
    }
    properties = rdf.children.filter { $0.name.is(Self.rdf, "Description") }.flatMap(Self.fields)
  }

  /// In files of pictures packets are UTF-8 by the standard; some editors write UTF-16.
  private static func inUTF8(_ data: Data) -> Data {
    let encoding: String.Encoding? =
      switch [UInt8](data.prefix(2)) {
      case [0xFE, 0xFF], [0xFF, 0xFE]: .utf16
      case [0, UInt8(ascii: "<")]: .utf16BigEndian
      case [UInt8(ascii: "<"), 0]: .utf16LittleEndian
      default: nil
      }
    return encoding.flatMap { String(data: data, encoding: $0) }.map { Data($0.utf8) } ?? data
  }

  /// What a description, or a property of fields, states: by attributes and by elements.
  ///
  /// XML's own attributes say in which language a text is.
  private static func fields(_ element: XMLElement) -> [XMPProperty] {
    let short = element.attributes.filter { ![rdf, XMLElement.xml].contains($0.name.namespace) }.map {
      name, value in
      XMPProperty(namespace: name.namespace, prefix: name.prefix, name: name.local, value: .text(value))
    }
    return short
      + element.children.filter { $0.name.namespace != rdf }.map { child in
        XMPProperty(
          namespace: child.name.namespace, prefix: child.name.prefix, name: child.name.local,
          value: value(child))
      }
  }

  private static func value(_ element: XMLElement) -> XMPProperty.Value {
    if element.attributes.contains(where: { $0.name.is(rdf, "parseType") && $0.value == "Resource" }) {
      return structure(element)
    }
    if let resource = element.attributes.first(where: { $0.name.is(rdf, "resource") }) {
      return .text(resource.value)
    }
    for child in element.children where child.name.namespace == rdf {
      if let order = XMPProperty.Order(rawValue: child.name.local) {
        return .list(order, child.children.filter { $0.name.is(rdf, "li") }.map(value))
      }
      if child.name.local == "Description" { return structure(child) }
    }
    if element.attributes.contains(where: { $0.name.is(rdf, "value") }) { return structure(element) }
    let own = fields(element)
    return own.isEmpty ? .text(element.text) : .fields(own)
  }

  /// Fields; or the value beside which all others are notes on it (ISO 16684-1, 7.8).
  private static func structure(_ element: XMLElement) -> XMPProperty.Value {
    if let own = element.children.first(where: { $0.name.is(rdf, "value") }) { return value(own) }
    if let own = element.attributes.first(where: { $0.name.is(rdf, "value") }) { return .text(own.value) }
    return .fields(fields(element))
  }

  // MARK: Writing

  /// The packet, without room to grow.
  package var data: Data {
    var names: [String: String] = [:]
    collect(properties, into: &names)
    var text = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
    text += "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n <rdf:RDF xmlns:rdf=\"\(Self.rdf)\">\n"
    text += "  <rdf:Description rdf:about=\"\""
    for (namespace, prefix) in names.sorted(by: { $0.value < $1.value }) {
      text += "\n    xmlns:\(prefix)=\"\(Self.escaped(namespace))\""
    }
    text += ">\n"
    for property in properties { Self.write(property, names, into: &text, indent: "   ") }
    text += "  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>"
    return Data(text.utf8)
  }

  /// Gives each namespace a prefix of its own.
  private func collect(_ properties: [XMPProperty], into names: inout [String: String]) {
    for property in properties {
      if names[property.namespace] == nil {
        let isFree =
          !property.prefix.isEmpty && !["rdf", "x", "xml"].contains(property.prefix)
          && !names.values.contains(property.prefix)
        names[property.namespace] = isFree ? property.prefix : "ns\(names.count + 1)"
      }
      collect(property.value, into: &names)
    }
  }

  private func collect(_ value: XMPProperty.Value, into names: inout [String: String]) {
    switch value {
    case .text: break
    case .list(_, let values): for value in values { collect(value, into: &names) }
    case .fields(let fields): collect(fields, into: &names)
    }
  }

  private static func write(
    _ property: XMPProperty, _ names: [String: String], into text: inout String, indent: String
  ) {
    write(
      property.value, as: "\(names[property.namespace] ?? property.prefix):\(property.name)", names, &text,
      indent)
  }

  private static func write(
    _ value: XMPProperty.Value, as name: String, _ names: [String: String], _ text: inout String,
    _ indent: String
  ) {
    switch value {
    case .text(let content): text += "\(indent)<\(name)>\(escaped(content))</\(name)>\n"
    case .list(let order, let values):
      text += "\(indent)<\(name)>\n\(indent) <rdf:\(order.rawValue)>\n"
      for value in values { write(value, as: "rdf:li", names, &text, indent + "  ") }
      text += "\(indent) </rdf:\(order.rawValue)>\n\(indent)</\(name)>\n"
    case .fields(let fields):
      text += "\(indent)<\(name) rdf:parseType=\"Resource\">\n"
      for field in fields { write(field, names, into: &text, indent: indent + " ") }
      text += "\(indent)</\(name)>\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}

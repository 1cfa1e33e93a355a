internal import Foundation

/// `SCHEME:NAME:value;NAME:value;;` with backslashes before `\`, `;`, `,`, `:` and `"` that belong to a value.
struct SemicolonFields {
  private var fields: [(name: String, value: String)] = []

  init?(_ text: String, scheme: String) {
    guard text.prefix(scheme.count + 1).uppercased() == scheme + ":" else { return nil }
    var name: String?
    var word = ""
    var isEscaped = false
    for character in text.dropFirst(scheme.count + 1) {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ":", name == nil {
        name = word.uppercased()
        word = ""
      } else if character == ";" {
        if let name { fields.append((name, word)) }
        name = nil
        word = ""
      } else {
        word.append(character)
      }
    }
    if let name { fields.append((name, word)) }
  }

  subscript(_ name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
}

/// The lines between `BEGIN:OBJECT` and `END:OBJECT`, folded lines joined: `NAME;PARAMETER=…:value`.
///
/// Source: RFC 6350 (vCard), section 3; RFC 5545 (iCalendar), section 3.1.
struct ContentLines {
  private var lines: [(name: String, value: String)] = []

  init?(_ text: String, object: String) {
    let plain = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    let unfolded = plain.replacingOccurrences(of: "\n ", with: "").replacingOccurrences(of: "\n\t", with: "")
    var isInside = false
    for line in unfolded.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let head = line[..<colon].split(separator: ";").first.map { $0.uppercased() } ?? ""
      let value = String(line[line.index(after: colon)...])
      // A group may stand before the name: `item1.TEL`.
      let name = head.split(separator: ".").last.map(String.init) ?? head
      if name == "BEGIN", value.trimmingCharacters(in: .whitespaces).uppercased() == object {
        isInside = true
        continue
      }
      guard isInside else { continue }
      if name == "END" { break }
      lines.append((name, value))
    }
    guard isInside else { return nil }
  }

  subscript(_ name: String) -> String? { all(name).first }

  func all(_ name: String) -> [String] {
    lines.filter { $0.name == name && !$0.value.isEmpty }.map {
      name == "N" || name == "ADR" || name == "ORG" ? $0.value : Self.unescape($0.value)
    }
  }

  /// The parts of a value that semicolons divide.
  static func parts(_ value: String) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in value {
      if !isEscaped, character == ";" {
        parts.append("")
      } else if !isEscaped, character == "\\" {
        isEscaped = true
        parts[parts.count - 1].append(character)
        continue
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = false
    }
    return parts.map(unescape)
  }

  private static func unescape(_ value: String) -> String {
    var result = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        result.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}

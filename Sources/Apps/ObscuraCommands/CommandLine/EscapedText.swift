/// Text from outside, made safe for a terminal: one line, no control codes, nothing that turns the direction around.
package enum EscapedText {
  /// `text` with everything that is not plainly visible written as `\n`, `\t`, `\\` or `\u{…}`.
  package static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isPlain(scalar): result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }

  /// `text` with everything that is not plainly visible as ``escape(_:)`` writes it, but for backslashes, which stay.
  package static func oneLine(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(isPlain)
      ? text
      : text.split(separator: "\\", omittingEmptySubsequences: false).map { escape(String($0)) }.joined(
        separator: "\\")
  }

  /// JSON text with everything that is not plainly visible written as JSON writes it: `\u202e`.
  ///
  /// JSON itself demands that only of the first 32 codes.
  package static func inJSON(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(isPlain) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == " " { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      // Emoji are joined by an invisible character that changes nothing else.
      return scalar.value == 0x200D
    default: return true
    }
  }
}

internal import Foundation

/// A token of a kernel's source.
enum KernelToken: Equatable, Sendable {
  case name(String)
  /// A number, and whether it is written without a point.
  case number(Float, isWhole: Bool)
  case sign(String)
  case end
}

/// A mistake in a kernel's source: its line, and one sentence.
struct KernelError: Error, CustomStringConvertible {
  let line: Int
  let reason: String

  var description: String { "line \(line): \(reason)" }
}

/// The tokens of a source without its comments, each with its line.
struct KernelTokens: Sendable {
  private(set) var tokens: [(token: KernelToken, line: Int)] = []

  /// Longer ones first, because the first match is taken.
  private static let signs = [
    "++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "<", ">", "=",
    "!",
    "?", ":", ",", ";", ".", "(", ")", "[", "]", "{", "}",
  ]

  init(_ source: String) throws(KernelError) {
    var rest = Substring(source)
    var line = 1
    while let first = rest.first {
      if first.isWhitespace {
        if first.isNewline { line += 1 }
        rest.removeFirst()
      } else if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.range(of: "*/") else {
          throw KernelError(line: line, reason: "a comment does not end.")
        }
        line += rest[..<end.lowerBound].count(where: \.isNewline)
        rest = rest[end.upperBound...]
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        tokens.append((.name(String(word)), line))
        rest = rest.dropFirst(word.count)
      } else if first.isNumber || first == "." && rest.dropFirst().first?.isNumber == true {
        tokens.append((try Self.number(&rest, line), line))
      } else if let sign = Self.signs.first(where: { rest.hasPrefix($0) }) {
        tokens.append((.sign(sign), line))
        rest = rest.dropFirst(sign.count)
      } else {
        throw KernelError(line: line, reason: "the kernel language has no '\(first)'.")
      }
    }
    tokens.append((.end, line))
  }

  private static func number(_ rest: inout Substring, _ line: Int) throws(KernelError) -> KernelToken {
    var text = rest.prefix { $0.isNumber || $0 == "." }
    var after = rest.dropFirst(text.count)
    if let mark = after.first, mark == "e" || mark == "E" {
      let signed = after.dropFirst().prefix { $0 == "+" || $0 == "-" }
      let digits = after.dropFirst(1 + signed.count).prefix(while: \.isNumber)
      text = rest.prefix(text.count + 1 + signed.count + digits.count)
      after = rest.dropFirst(text.count)
    }
    guard let value = Float(String(text)) else {
      throw KernelError(line: line, reason: "'\(text)' is no number.")
    }
    let isWhole = !text.contains { $0 == "." || $0 == "e" || $0 == "E" }
    rest = after.first == "f" || after.first == "F" ? after.dropFirst() : after
    return .number(value, isWhole: isWhole)
  }
}

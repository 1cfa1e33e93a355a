internal import Foundation

/// Takes the words of a predicate's format apart.
struct PredicateTokens {
  enum Token: Hashable {
    case word(String)
    /// An operator or a bracket.
    case sign(String)
    case value(PredicateValue)
    /// A key that an argument of `%K` named.
    case key(String)
  }

  private static let signs = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!", "(", ")", "{", "}", ",", "&",
    "|",
    "[", "]",
  ]

  /// The tokens.
  ///
  /// - Parameter arguments: What stands for `%@`, `%d`, `%K` and so on, in order.
  /// - Throws: ``PredicateFormatError``.
  static func tokens(of format: String, _ arguments: [Any]) throws(PredicateFormatError) -> [Token] {
    var rest = Substring(format)
    var arguments = arguments[...]
    var tokens: [Token] = []
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "'" || first == "\"" {
        tokens.append(.value(.text(try quoted(&rest, by: first))))
      } else if first == "%" {
        tokens.append(try argument(&rest, &arguments))
      } else if first.isNumber || (first == "-" && rest.dropFirst().first?.isNumber == true) {
        tokens.append(.value(try number(&rest)))
      } else if let sign = signs.first(where: { rest.hasPrefix($0) }) {
        rest.removeFirst(sign.count)
        tokens.append(.sign(sign))
      } else if first.isLetter || "_@#$".contains(first) {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "_.@#$".contains($0) }
        rest.removeFirst(word.count)
        tokens.append(.word(String(word)))
      } else {
        throw PredicateFormatError(format, "'\(first)' has no meaning")
      }
    }
    guard arguments.isEmpty else {
      throw PredicateFormatError(format, "it has more arguments than places for them")
    }
    return tokens
  }

  private static func quoted(
    _ rest: inout Substring, by quote: Character
  ) throws(PredicateFormatError) -> String {
    let whole = String(rest)
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == quote { return text }
      text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
    }
    throw PredicateFormatError(whole, "a quotation mark is missing")
  }

  private static func number(_ rest: inout Substring) throws(PredicateFormatError) -> PredicateValue {
    let text = rest.prefix { $0.isNumber || ".eE-+xX".contains($0) || $0.isHexDigit }
    rest.removeFirst(text.count)
    if let whole = Int64(text) { return .integer(whole) }
    if text.lowercased().hasPrefix("0x"), let whole = Int64(text.dropFirst(2), radix: 16) {
      return .integer(whole)
    }
    guard let number = Double(text) else { throw PredicateFormatError(String(text), "it is no number") }
    return .real(number)
  }

  private static func argument(
    _ rest: inout Substring, _ arguments: inout ArraySlice<Any>
  ) throws(PredicateFormatError) -> Token {
    let whole = String(rest)
    rest.removeFirst()
    // The length of a C number does not matter to boxed arguments.
    while let next = rest.first, "lhqzjt".contains(next) { rest.removeFirst() }
    guard let kind = rest.popFirst(), "@dDiuUxXoKfgGeEcsSCpaAF".contains(kind) else {
      throw PredicateFormatError(whole, "the % has no known letter behind it")
    }
    guard let argument = arguments.popFirst() else {
      throw PredicateFormatError(whole, "it has fewer arguments than places for them")
    }
    if kind == "K" {
      guard let key = PredicateValue(argument)?.text else {
        throw PredicateFormatError(whole, "the argument for %K is no text")
      }
      return .key(key)
    }
    guard let value = PredicateValue(argument) else {
      throw PredicateFormatError(whole, "\(type(of: argument)) is no value that can be compared")
    }
    return .value(value)
  }
}

/// The reason why a predicate's format has no meaning.
struct PredicateFormatError: Error, CustomStringConvertible {
  let format: String
  let reason: String

  init(_ format: String, _ reason: String) {
    self.format = format
    self.reason = reason
  }

  var description: String { "The predicate format \"\(format)\" cannot be read: \(reason)." }
}

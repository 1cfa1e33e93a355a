internal import Foundation

/// Reads a predicate's format: comparisons of keys and values, joined by AND, OR and NOT.
struct PredicateParser {
  private let format: String
  private var tokens: ArraySlice<PredicateTokens.Token>
  private var depth = 0

  /// Reads a format.
  ///
  /// - Throws: ``PredicateFormatError``.
  static func tree(_ format: String, _ arguments: [Any]) throws(PredicateFormatError) -> PredicateTree {
    var parser = PredicateParser(
      format: format, tokens: try PredicateTokens.tokens(of: format, arguments)[...])
    let tree = try parser.disjunction()
    guard parser.tokens.isEmpty else { throw parser.error("something stands behind its end") }
    return tree
  }

  private init(format: String, tokens: ArraySlice<PredicateTokens.Token>) {
    self.format = format
    self.tokens = tokens
  }

  private func error(_ reason: String) -> PredicateFormatError { PredicateFormatError(format, reason) }

  private mutating func takes(_ words: String...) -> Bool {
    switch tokens.first {
    case .sign(let sign) where words.contains(sign): break
    case .word(let word) where words.contains(word.uppercased()): break
    default: return false
    }
    tokens.removeFirst()
    return true
  }

  private mutating func disjunction() throws(PredicateFormatError) -> PredicateTree {
    // A format of brackets alone must not exhaust the stack.
    guard depth < 200 else { throw error("it is nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    var parts = [try conjunction()]
    while takes("||", "OR") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateFormatError) -> PredicateTree {
    var parts = [try negation()]
    while takes("&&", "AND") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateFormatError) -> PredicateTree {
    guard depth < 200 else { throw error("it is nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    if takes("!", "NOT") { return .not(try negation()) }
    if takes("TRUEPREDICATE") { return .constant(true) }
    if takes("FALSEPREDICATE") { return .constant(false) }
    if tokens.first == .sign("(") {
      // A bracket begins either a predicate or an operand such as (a & 4).
      let start = tokens
      tokens.removeFirst()
      if let tree = try? disjunction(), takes(")"), !isOperatorNext { return tree }
      tokens = start
    }
    return try comparison()
  }

  private var isOperatorNext: Bool {
    switch tokens.first {
    case .sign(let sign): ["==", "=", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "&", "|"].contains(sign)
    case .word(let word): PredicateComparison.Relation(rawValue: word.uppercased()) != nil
    default: false
    }
  }

  private mutating func comparison() throws(PredicateFormatError) -> PredicateTree {
    // Both say of a property with one value what the plain comparison says.
    let isAny = takes("ANY", "SOME")
    let isNone = !isAny && takes("NONE")
    let left = try operand()
    var comparison = PredicateComparison(try relation())
    if takes("[") {
      guard case .word(let letters)? = tokens.popFirst(), takes("]") else {
        throw error("a bracket is missing")
      }
      comparison.ignoresCase = letters.lowercased().contains("c")
      comparison.ignoresAccents = letters.lowercased().contains("d")
    }
    let tree = PredicateTree.comparison(left, comparison, try operand())
    return isNone ? .not(tree) : tree
  }

  private mutating func relation() throws(PredicateFormatError) -> PredicateComparison.Relation {
    if takes("=", "==") { return .equal }
    if takes("!=", "<>") { return .notEqual }
    if takes("<=", "=<") { return .lessOrEqual }
    if takes(">=", "=>") { return .greaterOrEqual }
    switch tokens.first {
    case .sign(let sign):
      guard let relation = PredicateComparison.Relation(rawValue: sign) else { break }
      tokens.removeFirst()
      return relation
    case .word(let word):
      guard let relation = PredicateComparison.Relation(rawValue: word.uppercased()) else { break }
      tokens.removeFirst()
      return relation
    default: break
    }
    throw error("a comparison is missing")
  }

  private mutating func operand() throws(PredicateFormatError) -> PredicateOperand {
    var left = try simpleOperand()
    while true {
      if takes("&") {
        left = .bitAnd(left, try simpleOperand())
      } else if takes("|") {
        left = .bitOr(left, try simpleOperand())
      } else {
        return left
      }
    }
  }

  private mutating func simpleOperand() throws(PredicateFormatError) -> PredicateOperand {
    if takes("(") {
      guard depth < 200 else { throw error("it is nested too deeply") }
      depth += 1
      defer { depth -= 1 }
      let inner = try operand()
      guard takes(")") else { throw error("a bracket is missing") }
      return inner
    }
    if takes("{") { return .value(.list(try list())) }
    if takes("NIL", "NULL") { return .value(.null) }
    if takes("TRUE", "YES") { return .value(.integer(1)) }
    if takes("FALSE", "NO") { return .value(.integer(0)) }
    switch tokens.popFirst() {
    case .value(let value): return .value(value)
    case .key(let key): return .key(key)
    case .word(let word): return .key(word.hasPrefix("SELF.") ? String(word.dropFirst(5)) : word)
    default: throw error("a key or a value is missing")
    }
  }

  private mutating func list() throws(PredicateFormatError) -> [PredicateValue] {
    var values: [PredicateValue] = []
    if takes("}") { return values }
    repeat {
      guard case .value(let value) = try simpleOperand() else { throw error("a list holds values only") }
      values.append(value)
    } while takes(",")
    guard takes("}") else { throw error("a bracket is missing") }
    return values
  }
}

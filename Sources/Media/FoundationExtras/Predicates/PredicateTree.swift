/// A parsed predicate: a tree of comparisons, joined by and, or and not.
package indirect enum PredicateTree: Sendable, Hashable {
  /// Always so, or never.
  case constant(Bool)
  /// All of them.
  case all([PredicateTree])
  /// At least one of them.
  case any([PredicateTree])
  /// The opposite.
  case not(PredicateTree)
  /// A comparison of two operands.
  case comparison(PredicateOperand, PredicateComparison, PredicateOperand)

  /// Whether it holds for what has these values; a key without a value is null.
  package func holds(for value: (String) -> PredicateValue) -> Bool {
    switch self {
    case .constant(let holds): holds
    case .all(let parts): parts.allSatisfy { $0.holds(for: value) }
    case .any(let parts): parts.contains { $0.holds(for: value) }
    case .not(let part): !part.holds(for: value)
    case .comparison(let left, let comparison, let right):
      comparison.holds(left.value(value), right.value(value))
    }
  }

  /// The keys that it asks for.
  package var keys: Set<String> {
    switch self {
    case .constant: []
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.keys) }
    case .not(let part): part.keys
    case .comparison(let left, _, let right): left.keys.union(right.keys)
    }
  }
}

/// An operand of a comparison.
package indirect enum PredicateOperand: Sendable, Hashable {
  /// A property.
  case key(String)
  /// A value.
  case value(PredicateValue)
  /// The bits that both have.
  case bitAnd(PredicateOperand, PredicateOperand)
  /// The bits that either has.
  case bitOr(PredicateOperand, PredicateOperand)

  var keys: Set<String> {
    switch self {
    case .key(let key): [key]
    case .value: []
    case .bitAnd(let left, let right), .bitOr(let left, let right): left.keys.union(right.keys)
    }
  }

  func value(_ values: (String) -> PredicateValue) -> PredicateValue {
    switch self {
    case .key(let key): return values(key)
    case .value(let value): return value
    case .bitAnd(let left, let right):
      guard let bits = Self.bits(left, right, values) else { return .null }
      return .integer(bits.0 & bits.1)
    case .bitOr(let left, let right):
      guard let bits = Self.bits(left, right, values) else { return .null }
      return .integer(bits.0 | bits.1)
    }
  }

  private static func bits(
    _ left: PredicateOperand, _ right: PredicateOperand, _ values: (String) -> PredicateValue
  ) -> (Int64, Int64)? {
    guard case .integer(let left) = left.value(values), case .integer(let right) = right.value(values) else {
      return nil
    }
    return (left, right)
  }
}

/// The comparison of two operands: an operator with its options.
package struct PredicateComparison: Sendable, Hashable {
  /// The operator of a comparison.
  package enum Relation: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case among = "IN"
    case between = "BETWEEN"
  }

  /// The operator.
  package var relation: Relation
  /// Whether small and capital letters are the same.
  package var ignoresCase = false
  /// Whether letters with and without accents are the same.
  package var ignoresAccents = false

  /// A comparison by a relation.
  package init(_ relation: Relation) {
    self.relation = relation
  }
}

internal import Foundation
internal import FoundationExtras

/// Puts predicates on assets into SQL.
struct PredicateSQL {
  private(set) var values: [SQLValue] = []

  /// The columns of keys that hold numbers and times.
  static let columns = [
    "creationDate": "created", "modificationDate": "modified", "addedDate": "added",
    "mediaType": "media_type",
    "mediaSubtypes": "media_subtypes", "mediaSubtype": "media_subtypes", "duration": "duration",
    "pixelWidth": "width", "pixelHeight": "height", "isFavorite": "is_favorite", "favorite": "is_favorite",
    "isHidden": "is_hidden", "hidden": "is_hidden", "representsBurst": "is_burst_key",
    "burstIdentifier": "burst",
  ]
  /// Keys whose values are the object itself or its name.
  static let identities: Set = ["localIdentifier", "SELF", "self", "uuid"]

  /// The condition; `nil` when SQL cannot say it as the predicate means it.
  static func condition(_ tree: PredicateTree) -> (sql: String, values: [SQLValue])? {
    var builder = PredicateSQL()
    return builder.sql(tree).map { ($0, builder.values) }
  }

  private mutating func sql(_ tree: PredicateTree) -> String? {
    switch tree {
    case .constant(let holds): return holds ? "1" : "0"
    case .all(let parts): return joined(parts, by: " AND ", empty: "1")
    case .any(let parts): return joined(parts, by: " OR ", empty: "0")
    // What is unknown is not so, and its opposite is so.
    case .not(let part): return sql(part).map { "NOT coalesce(\($0), 0)" }
    case .comparison(let left, let comparison, let right): return sql(left, comparison, right)
    }
  }

  private mutating func joined(_ parts: [PredicateTree], by word: String, empty: String) -> String? {
    var texts: [String] = []
    for part in parts {
      guard let text = sql(part) else { return nil }
      texts.append(text)
    }
    return texts.isEmpty ? empty : "(\(texts.joined(separator: word)))"
  }

  private mutating func sql(
    _ left: PredicateOperand, _ comparison: PredicateComparison, _ right: PredicateOperand
  ) -> String? {
    if case .key(let key) = left, Self.identities.contains(key) { return identity(comparison, right) }
    if comparison.ignoresCase || comparison.ignoresAccents { return nil }
    switch comparison.relation {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let signs: [PredicateComparison.Relation: String] = [
        .equal: "IS", .notEqual: "IS NOT", .less: "<", .lessOrEqual: "<=", .greater: ">",
        .greaterOrEqual: ">=",
      ]
      guard let sign = signs[comparison.relation], let first = operand(left), let second = operand(right)
      else {
        return nil
      }
      return "(\(first) \(sign) \(second))"
    case .among:
      guard case .value(.list(let list)) = right, list.count < 500, let first = operand(left) else {
        return nil
      }
      guard let inner = self.list(list) else { return nil }
      return "(\(first) IN (\(inner)))"
    case .between:
      guard case .value(.list(let list)) = right, list.count == 2, let first = operand(left),
        let low = operand(.value(list[0])), let high = operand(.value(list[1]))
      else { return nil }
      return "(\(first) BETWEEN \(low) AND \(high))"
    default:
      return nil
    }
  }

  private mutating func list(_ list: [PredicateValue]) -> String? {
    var texts: [String] = []
    for value in list {
      guard let text = operand(.value(value)) else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: ",")
  }

  /// A comparison of the object's own name, which the catalogue keeps as bytes.
  private mutating func identity(_ comparison: PredicateComparison, _ right: PredicateOperand) -> String? {
    guard !comparison.ignoresAccents, case .value(let value) = right else { return nil }
    let identifiers: [PredicateValue]
    switch (comparison.relation, value) {
    case (.equal, .text), (.notEqual, .text): identifiers = [value]
    case (.among, .list(let list)) where list.count < 500: identifiers = list
    default: return nil
    }
    let known = identifiers.compactMap { value in value.text.flatMap { LocalIdentifier.uuid($0) } }
    values += known.map { SQLValue($0) }
    let places = Array(repeating: "?", count: known.count).joined(separator: ",")
    return "(uuid \(comparison.relation == .notEqual ? "NOT " : "")IN (\(places)))"
  }

  private mutating func operand(_ operand: PredicateOperand) -> String? {
    switch operand {
    case .key(let key): return Self.columns[key]
    case .bitAnd(let left, let right):
      guard let first = self.operand(left), let second = self.operand(right) else { return nil }
      return "(\(first) & \(second))"
    case .bitOr(let left, let right):
      guard let first = self.operand(left), let second = self.operand(right) else { return nil }
      return "(\(first) | \(second))"
    case .value(let value):
      switch value {
      case .null: values.append(.null)
      case .integer(let number): values.append(.integer(number))
      case .real(let number): values.append(.real(number))
      case .text(let text): values.append(.text(text))
      case .date(let date): values.append(SQLValue(date))
      case .list: return nil
      }
      return "?"
    }
  }
}

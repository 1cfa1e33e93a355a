internal import Foundation

extension PredicateComparison {
  /// Whether the relation is so of two values, for sorting.
  package func orders(_ left: PredicateValue, _ right: PredicateValue) -> Bool { holds(left, right) }

  /// Whether the relation is so of two values; with nothing compared, only equality can be.
  func holds(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    switch relation {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .less: return order(left, right) == .orderedAscending
    case .greater: return order(left, right) == .orderedDescending
    case .lessOrEqual: return order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterOrEqual: return order(left, right).map { $0 != .orderedAscending } ?? false
    case .among:
      if case .list(let list) = right { return list.contains { areEqual(left, $0) } }
      guard let part = folded(left), let whole = folded(right) else { return false }
      return whole.contains(part)
    case .between:
      guard case .list(let bounds) = right, bounds.count == 2 else { return false }
      return [.orderedDescending, .orderedSame].contains(order(left, bounds[0]))
        && [.orderedAscending, .orderedSame].contains(order(left, bounds[1]))
    case .contains:
      if case .list(let list) = left { return list.contains { areEqual($0, right) } }
      return compareText(left, right) { $0.contains($1) }
    case .beginsWith: return compareText(left, right) { $0.hasPrefix($1) }
    case .endsWith: return compareText(left, right) { $0.hasSuffix($1) }
    case .like: return compareText(left, right) { Self.matches($0, Self.expression(ofWildcards: $1)) }
    case .matches: return compareText(left, right) { Self.matches($0, $1) }
    }
  }

  private func areEqual(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    if left == .null || right == .null { return left == right }
    return order(left, right) == .orderedSame || left == right
  }

  private func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
    if let left = folded(left), let right = folded(right) {
      return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }
    guard let left = left.number, let right = right.number else { return nil }
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private func folded(_ value: PredicateValue) -> String? {
    guard let text = value.text else { return nil }
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresAccents { options.insert(.diacriticInsensitive) }
    return options.isEmpty ? text : text.folding(options: options, locale: nil)
  }

  private func compareText(
    _ left: PredicateValue, _ right: PredicateValue, _ compare: (String, String) -> Bool
  ) -> Bool {
    guard let left = folded(left), let right = folded(right) else { return false }
    return compare(left, right)
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// The regular expression of a text in which `*` is any text and `?` any character.
  private static func expression(ofWildcards text: String) -> String {
    text.map { character in
      switch character {
      case "*": "(?s:.*)"
      case "?": "(?s:.)"
      default: NSRegularExpression.escapedPattern(for: String(character))
      }
    }.joined()
  }
}

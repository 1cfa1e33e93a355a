package import Foundation

/// A value that predicates compare.
package enum PredicateValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number or a truth value.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// Text.
  case text(String)
  /// A moment.
  case date(Date)
  /// Several values.
  case list([PredicateValue])

  /// The value of what a client passed; `nil` for what predicates cannot compare.
  package init?(_ value: Any) {
    switch value {
    case let value as PredicateValue: self = value
    case is NSNull: self = .null
    case let value as String: self = .text(value)
    case let value as NSString: self = .text(value._bridgeToSwift())
    case let value as Date: self = .date(value)
    case let value as NSDate: self = .date(value._bridgeToSwift())
    case let value as Bool: self = .integer(value ? 1 : 0)
    case let value as any BinaryInteger: self = .integer(Int64(clamping: value))
    case let value as Double: self = .real(value)
    case let value as Float: self = .real(Double(value))
    case let value as CGFloat: self = .real(Double(value))
    case let value as NSNumber:
      let number = value.doubleValue
      self = number == number.rounded() && abs(number) < 0x1p62 ? .integer(value.int64Value) : .real(number)
    case let value as [Any]: self = .list(value.compactMap { PredicateValue($0) })
    case let value as NSArray: self = .list(value.compactMap { PredicateValue($0) })
    case let value as any Sequence: self = .list(Self.values(value))
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return nil }
      guard let some = mirror.children.first else {
        self = .null
        return
      }
      self.init(some.value)
    }
  }

  private static func values(_ sequence: some Sequence) -> [PredicateValue] {
    sequence.compactMap { PredicateValue($0) }
  }

  /// The value as a number; a moment's is its seconds since 2001.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .date(let value): value.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  /// The value as text.
  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

internal import Foundation

/// Reads the numbers that clients put into untyped dictionaries.
///
/// The same width arrives as `Int`, `UInt32`, `NSNumber`, `Double`, or wrapped in an optional, and a plain `as? Int`
/// on Linux refuses most of them.
package enum LooseNumber {
  /// The whole number in `value`, or `nil` when it is absent, no number, not whole, or out of range.
  package static func integer(_ value: Any?) -> Int? {
    guard let value = flattened(value) else { return nil }
    if let number = value as? any BinaryInteger { return Int(exactly: number) }
    if let number = value as? any BinaryFloatingPoint { return Int(exactly: number) }
    guard let number = value as? NSNumber else { return nil }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return Int(exactly: number.doubleValue)
    case UInt8(ascii: "Q"): return Int(exactly: number.uint64Value)
    default: return number.intValue
    }
  }

  /// The four-character code in `value`, or `nil` as for ``integer(_:)``.
  package static func code(_ value: Any?) -> OSType? {
    integer(value).flatMap { OSType(exactly: $0) }
  }

  /// The number in `value` as floating point, or `nil` when it is absent or no number.
  package static func double(_ value: Any?) -> Double? {
    guard let value = flattened(value) else { return nil }
    if let number = value as? any BinaryFloatingPoint { return Double(number) }
    if let number = value as? any BinaryInteger { return Double(number) }
    return (value as? NSNumber)?.doubleValue
  }

  /// The truth in `value`: a `Bool`, or a number that is not 0; `nil` when it is neither.
  package static func truth(_ value: Any?) -> Bool? {
    guard let value = flattened(value) else { return nil }
    if let truth = value as? Bool { return truth }
    return double(value).map { $0 != 0 }
  }

  /// `kCFBooleanTrue` without `!` arrives as an optional inside `Any`.
  private static func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return flattened(mirror.children.first?.value)
  }
}

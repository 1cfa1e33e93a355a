public import Foundation

extension CGFloat {
  /// The number's value, rounded to what a `CGFloat` holds.
  ///
  /// Foundation of Linux has this for the other floating-point types alone. Apple: `CGFloat.init(truncating:)`.
  public init(truncating number: NSNumber) {
    self = CGFloat(number.doubleValue)
  }

  /// The number's value; `nil` when a `CGFloat` does not hold it exactly.
  ///
  /// Apple: `CGFloat.init(exactly:)`.
  public init?(exactly number: NSNumber) {
    guard let value = Double(exactly: number) else { return nil }
    self = CGFloat(value)
  }
}

internal import Linux

/// A number that tells intervals of the same name apart.
///
/// Apple: `OSSignpostID`.
public struct OSSignpostID: Hashable, Comparable, Sendable {
  private static let last = Locked(UInt64(1) << 32)

  /// The number.
  public let rawValue: UInt64

  /// The identifier of this number.
  public init(_ value: UInt64) {
    rawValue = value
  }

  /// An identifier unlike all others.
  public init(log: OSLog) {
    rawValue = Self.last.withLock { last in
      last += 1
      return last
    }
  }

  /// The identifier of an object, the same whenever it is asked for.
  public init(log: OSLog, object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// Of intervals of which there is one at a time.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// Of no interval.
  public static let null = OSSignpostID(0)
  /// Of no interval; a mistake.
  public static let invalid = OSSignpostID(.max)

  /// Whether the left number is smaller.
  public static func < (lhs: OSSignpostID, rhs: OSSignpostID) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

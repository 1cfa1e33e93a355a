public import Foundation

/// A moment by the wall clock, as run loops and operation queues count time.
///
/// Apple: `RunLoop.SchedulerTimeType` and `OperationQueue.SchedulerTimeType`, which here are names of this type.
public struct WallClockTime: Strideable, Hashable, Codable, Sendable {
  /// The moment.
  public var date: Date

  /// This moment.
  public init(_ date: Date) {
    self.date = date
  }

  /// How far the other is after this one.
  public func distance(to other: WallClockTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The moment so much later.
  public func advanced(by n: Stride) -> WallClockTime {
    WallClockTime(date + n.timeInterval)
  }

  /// An interval in seconds.
  public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Hashable, Codable,
    SchedulerTimeIntervalConvertible, Sendable
  {
    /// Seconds.
    public var magnitude: TimeInterval

    /// So many seconds.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval
    }

    /// So many seconds.
    public init(integerLiteral value: TimeInterval) {
      magnitude = value
    }

    /// So many seconds.
    public init(floatLiteral value: TimeInterval) {
      magnitude = value
    }

    /// So many seconds, if that can be counted.
    public init?<T>(exactly source: T) where T: BinaryInteger {
      guard let value = TimeInterval(exactly: source) else { return nil }
      magnitude = value
    }

    /// Seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// Whether the left is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
    /// The product of both numbers of seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
    /// Multiplies.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }
    /// Adds.
    public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }
    /// Takes away.
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }

    /// So many seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(Double(s)) }
    /// So many seconds.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }
    /// So many thousandths of a second.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(Double(ms) / 1e3) }
    /// So many millionths of a second.
    public static func microseconds(_ us: Int) -> Stride { Stride(Double(us) / 1e6) }
    /// So many billionths of a second.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(Double(ns) / 1e9) }
  }
}

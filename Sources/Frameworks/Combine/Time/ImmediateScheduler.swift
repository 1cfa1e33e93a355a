/// A scheduler that runs actions at once, on the caller's thread; its clock stands.
///
/// Apple: `ImmediateScheduler`.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// It has no options.
  public typealias SchedulerOptions = Never

  /// The scheduler.
  public static let shared = ImmediateScheduler()

  /// The one moment of the clock, and those that are computed from it.
  public struct SchedulerTimeType: Strideable, Sendable {
    private let offset: Int

    fileprivate init(offset: Int) {
      self.offset = offset
    }

    /// How far the other is after this one.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(other.offset - offset)
    }

    /// The moment so much later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(offset: offset + n.magnitude)
    }

    /// An interval, of no particular unit.
    public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable,
      SchedulerTimeIntervalConvertible, Sendable
    {
      /// The number.
      public var magnitude: Int

      /// An interval of this number.
      public init(_ value: Int) {
        magnitude = value
      }

      /// An interval of this number.
      public init(integerLiteral value: Int) {
        magnitude = value
      }

      /// An interval of this number, rounded towards zero.
      public init(floatLiteral value: Double) {
        magnitude = Int(value)
      }

      /// An interval of this number, if it fits.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// Whether the left is shorter.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
      /// The sum.
      public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
      /// The difference.
      public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
      /// The product.
      public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
      /// Multiplies.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }
      /// Adds.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }
      /// Takes away.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }

      /// None: the clock stands.
      public static func seconds(_ s: Int) -> Stride { 0 }
      /// None: the clock stands.
      public static func seconds(_ s: Double) -> Stride { 0 }
      /// None: the clock stands.
      public static func milliseconds(_ ms: Int) -> Stride { 0 }
      /// None: the clock stands.
      public static func microseconds(_ us: Int) -> Stride { 0 }
      /// None: the clock stands.
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }
    }
  }

  /// The one moment.
  public var now: SchedulerTimeType { SchedulerTimeType(offset: 0) }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action at once.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs the action at once.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs the action at once, a single time.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

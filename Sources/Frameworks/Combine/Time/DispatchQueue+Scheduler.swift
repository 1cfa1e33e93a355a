public import Dispatch

extension DispatchQueue: Scheduler {
  /// A moment on the queue's clock.
  ///
  /// Apple: `DispatchQueue.SchedulerTimeType`.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The moment, as Dispatch counts it.
    public var dispatchTime: DispatchTime

    /// This moment.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// How far the other is after this one.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (mine, theirs) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      let length = Int(clamping: mine > theirs ? mine - theirs : theirs - mine)
      return .nanoseconds(mine > theirs ? -length : length)
    }

    /// The moment so much later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }

    /// An interval, to the billionth of a second.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Hashable, Codable, Sendable
    {
      /// Billionths of a second.
      public var magnitude: Int

      private init(nanoseconds: Int) {
        magnitude = nanoseconds
      }

      /// The same interval; for ever is as long as can be counted.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        default: self.init(nanoseconds: .max)
        }
      }

      /// So many seconds.
      public init(integerLiteral value: Int) {
        self = .seconds(value)
      }

      /// So many seconds.
      public init(floatLiteral value: Double) {
        self = .seconds(value)
      }

      /// So many billionths of a second, if that fits.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let count = Int(exactly: source) else { return nil }
        magnitude = count
      }

      /// The interval as Dispatch counts it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Whether the left is shorter.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
      /// The product of both numbers of billionths.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: lhs.magnitude * rhs.magnitude)
      }
      /// The sum.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: lhs.magnitude + rhs.magnitude)
      }
      /// The difference.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: lhs.magnitude - rhs.magnitude)
      }
      /// Multiplies.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
      /// Adds.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
      /// Takes away.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// So many seconds.
      public static func seconds(_ s: Double) -> Stride { Stride(nanoseconds: Int((s * 1e9).rounded())) }
      /// So many seconds.
      public static func seconds(_ s: Int) -> Stride { units(s, of: 1_000_000_000) }
      /// So many thousandths of a second.
      public static func milliseconds(_ ms: Int) -> Stride { units(ms, of: 1_000_000) }
      /// So many millionths of a second.
      public static func microseconds(_ us: Int) -> Stride { units(us, of: 1000) }
      /// So many billionths of a second.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

      private static func units(_ count: Int, of nanoseconds: Int) -> Stride {
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: nanoseconds)
        return Stride(nanoseconds: isTooLarge ? (count < 0 ? .min : .max) : product)
      }
    }
  }

  /// Wishes about how a queue runs an action.
  ///
  /// Apple: `DispatchQueue.SchedulerOptions`.
  public struct SchedulerOptions {
    /// The quality of service of the action.
    public var qos: DispatchQoS
    /// The flags of the action.
    public var flags: DispatchWorkItemFlags
    /// The group that the action belongs to.
    public var group: DispatchGroup?

    /// These options.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action on the queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = HandedAction(action)
    async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      action.run()
    }
  }

  /// Runs the action on the queue at a moment.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let (action, group) = (HandedAction(action), options?.group)
    group?.enter()
    asyncAfter(
      deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []
    ) {
      action.run()
      group?.leave()
    }
  }

  /// Runs the action on the queue at a moment and then again and again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let (action, timer) = (HandedAction(action), DispatchSource.makeTimerSource(queue: self))
    timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { action.run() }
    timer.schedule(
      deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
    timer.activate()
    return AnyCancellable { timer.cancel() }
  }
}

import Combine

/// A scheduler whose clock a test moves.
final class VirtualScheduler: Scheduler {
  typealias SchedulerTimeType = Moment
  typealias SchedulerOptions = Never

  /// A moment in thousandths of a second.
  struct Moment: Strideable {
    var milliseconds: Int

    func distance(to other: Self) -> Interval { Interval(milliseconds: other.milliseconds - milliseconds) }
    func advanced(by n: Interval) -> Self { Self(milliseconds: milliseconds + n.milliseconds) }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var milliseconds: Int

    init(milliseconds: Int) { self.milliseconds = milliseconds }
    init(integerLiteral value: Int) { milliseconds = value * 1000 }
    init?<T: BinaryInteger>(exactly source: T) { milliseconds = Int(source) }

    var magnitude: Int { abs(milliseconds) }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }
    static func + (lhs: Self, rhs: Self) -> Self { Self(milliseconds: lhs.milliseconds + rhs.milliseconds) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(milliseconds: lhs.milliseconds - rhs.milliseconds) }
    static func * (lhs: Self, rhs: Self) -> Self { Self(milliseconds: lhs.milliseconds * rhs.milliseconds) }
    static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    static func seconds(_ s: Int) -> Self { Self(milliseconds: s * 1000) }
    static func seconds(_ s: Double) -> Self { Self(milliseconds: Int(s * 1000)) }
    static func milliseconds(_ ms: Int) -> Self { Self(milliseconds: ms) }
    static func microseconds(_ us: Int) -> Self { Self(milliseconds: us / 1000) }
    static func nanoseconds(_ ns: Int) -> Self { Self(milliseconds: ns / 1_000_000) }
  }

  private struct Entry {
    let number: Int
    var time: Int
    let interval: Int?
    let action: () -> Void
  }

  private var entries: [Entry] = []
  private var count = 0
  private(set) var now = Moment(milliseconds: 0)

  var minimumTolerance: Interval { 0 }

  /// How many actions wait.
  var waiting: Int { entries.count }

  /// Moves the clock, and runs what is due on the way.
  func advance(byMilliseconds length: Int = 0) {
    let end = now.milliseconds + length
    while let next = entries.filter({ $0.time <= end }).min(by: {
      ($0.time, $0.number) < ($1.time, $1.number)
    }) {
      now.milliseconds = max(now.milliseconds, next.time)
      entries.removeAll { $0.number == next.number }
      if let interval = next.interval {
        entries.append(
          Entry(number: next.number, time: next.time + interval, interval: interval, action: next.action))
      }
      next.action()
    }
    now.milliseconds = end
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(at: now.milliseconds, every: nil, action)
  }

  func schedule(
    after date: Moment, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) {
    add(at: date.milliseconds, every: nil, action)
  }

  func schedule(
    after date: Moment, interval: Interval, tolerance: Interval, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = add(at: date.milliseconds, every: interval.milliseconds, action)
    return AnyCancellable { self.entries.removeAll { $0.number == number } }
  }

  @discardableResult
  private func add(at time: Int, every interval: Int?, _ action: @escaping () -> Void) -> Int {
    count += 1
    entries.append(Entry(number: count, time: time, interval: interval, action: action))
    return count
  }
}

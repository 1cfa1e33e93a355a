import Combine
import Dispatch
import Foundation
import Linux
import Testing

@Suite("Schedulers")
struct SchedulerTests {
  private let scheduler = VirtualScheduler()
  private let subject = PassthroughSubject<Int, Fault>()

  @Test func `values and the end are received on a scheduler, and nothing after a cancellation`() {
    let listener = subject.receive(on: scheduler).heard()
    subject.send(1)
    #expect(listener.values.isEmpty)
    scheduler.advance()
    #expect(listener.values == [1])
    subject.send(2)
    subject.send(completion: .failure(.first))
    #expect(listener.completions.isEmpty)
    scheduler.advance()
    #expect(listener.values == [1, 2] && listener.error == .first)
    let other = subject.receive(on: scheduler).heard()
    other.subscription?.cancel()
    scheduler.advance()
    #expect(other.completions.isEmpty)
  }

  @Test func `what is asked for elsewhere reaches the publisher`() {
    let listener = (1...9).publisher.receive(on: scheduler).heard(asking: .max(1)) {
      $0 < 3 ? .max(1) : .none
    }
    scheduler.advance()
    #expect(listener.values == [1, 2, 3])
  }

  @Test func `values and the end come later, an error at once`() {
    let listener = subject.delay(for: .milliseconds(10), scheduler: scheduler).heard()
    subject.send(1)
    scheduler.advance(byMilliseconds: 9)
    #expect(listener.values.isEmpty)
    scheduler.advance(byMilliseconds: 1)
    #expect(listener.values == [1])
    subject.send(completion: .failure(.first))
    scheduler.advance()
    #expect(listener.error == .first)
  }

  @Test func `a value is published when none comes for a time, and is lost when the end comes before`() {
    let listener = subject.debounce(for: .milliseconds(10), scheduler: scheduler).heard()
    subject.send(1)
    scheduler.advance(byMilliseconds: 9)
    subject.send(2)
    scheduler.advance(byMilliseconds: 9)
    #expect(listener.values.isEmpty)
    scheduler.advance(byMilliseconds: 1)
    #expect(listener.values == [2])
    #expect(scheduler.waiting == 0)
    subject.send(3)
    subject.send(completion: .finished)
    scheduler.advance(byMilliseconds: 100)
    #expect(listener.values == [2] && listener.isFinished)
    #expect(scheduler.waiting == 0)
  }

  @Test func `a cancelled debounce publishes nothing and leaves no timer`() {
    let listener = subject.debounce(for: .milliseconds(10), scheduler: scheduler).heard()
    subject.send(1)
    listener.subscription?.cancel()
    scheduler.advance(byMilliseconds: 100)
    #expect(listener.values.isEmpty)
    #expect(scheduler.waiting == 0)
  }

  @Test func `of each interval the first or the newest value is published`() {
    let newest = subject.throttle(for: .milliseconds(10), scheduler: scheduler, latest: true).heard()
    let first = subject.throttle(for: .milliseconds(10), scheduler: scheduler, latest: false).heard()
    for value in 1...6 {
      subject.send(value)
      scheduler.advance(byMilliseconds: 4)
    }
    #expect(newest.values == [1, 3, 5])
    #expect(first.values == [1, 2, 4])
    subject.send(completion: .finished)
    scheduler.advance(byMilliseconds: 10)
    #expect(newest.isFinished && first.isFinished)
    #expect(newest.values.last == 6)
  }

  @Test func `without a value for a time a publisher ends, or fails as asked`() {
    let (ended, failed) = (
      subject.timeout(.milliseconds(10), scheduler: scheduler).heard(),
      subject.timeout(.milliseconds(10), scheduler: scheduler, customError: { .second }).heard()
    )
    scheduler.advance(byMilliseconds: 9)
    subject.send(1)
    scheduler.advance(byMilliseconds: 9)
    #expect(ended.completions.isEmpty)
    scheduler.advance(byMilliseconds: 1)
    #expect(ended.values == [1] && ended.isFinished)
    #expect(failed.values == [1] && failed.error == .second)
  }

  @Test func `a publisher is subscribed to on a scheduler`() {
    let listener = [1, 2].publisher.subscribe(on: scheduler).heard()
    #expect(listener.values.isEmpty)
    scheduler.advance()
    #expect(listener.values == [1, 2] && listener.isFinished)
  }

  @Test func `the immediate scheduler runs actions at once`() {
    let listener = [1].publisher.receive(on: ImmediateScheduler.shared)
      .delay(for: .seconds(9), scheduler: ImmediateScheduler.shared).heard()
    #expect(listener.values == [1] && listener.isFinished)
  }

  @Test func `a dispatch queue receives in order, on the queue`() async {
    let (key, queue) = (DispatchSpecificKey<Int>(), DispatchQueue(label: "values"))
    queue.setSpecific(key: key, value: 7)
    let values = await (1...100).publisher.receive(on: queue)
      .map { [$0, DispatchQueue.getSpecific(key: key) ?? 0] }.collect().values.first { _ in true }
    #expect(values == (1...100).map { [$0, 7] })
  }

  @Test func `the main queue and the main run loop receive on the main queue`() async {
    let places = await Just(1).receive(on: DispatchQueue.main).map { _ in MainQueueMark.isCurrent }
      .append(Just(2).receive(on: RunLoop.main).map { _ in MainQueueMark.isCurrent })
      .append(
        Just(3).delay(for: .milliseconds(1), scheduler: RunLoop.main).map { _ in MainQueueMark.isCurrent }
      )
      .collect().values.first { _ in true }
    #expect(places == [true, true, true])
  }

  @Test func `a run loop of another thread receives in it`() async {
    let values = await inRunLoop { loop, values in
      [1, 2].publisher.receive(on: loop).append([3].publisher.delay(for: .milliseconds(1), scheduler: loop))
        .map { RunLoop.current === loop ? $0 : 0 }.sink { values.append($0) }
    } until: {
      $0.count == 3
    }
    #expect(values == [1, 2, 3])
  }

  @Test func `an operation queue receives in its operations`() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let values = await [1, 2].publisher.receive(on: queue).map {
      [$0, OperationQueue.current === queue ? 1 : 0]
    }
    .delay(for: .milliseconds(1), scheduler: queue).collect().values.first { _ in true }
    #expect(values == [[1, 1], [2, 1]])
  }

  @Test func `times of queues and loops are counted in units`() {
    typealias Step = DispatchQueue.SchedulerTimeType.Stride
    #expect(Step.seconds(2).magnitude == 2_000_000_000)
    #expect(Step.seconds(0.5) == .milliseconds(500))
    #expect((0.25 as Step) == .microseconds(250_000))
    #expect((3 as Step) == .seconds(3))
    let now = DispatchQueue.main.now
    #expect(now.distance(to: now.advanced(by: .nanoseconds(7))) == .nanoseconds(7))
    #expect(now.advanced(by: .nanoseconds(7)).distance(to: now) == .nanoseconds(-7))
    #expect(RunLoop.SchedulerTimeType.Stride.milliseconds(1500).timeInterval == 1.5)
    let date = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 5))
    #expect(date.advanced(by: 2.5).date == Date(timeIntervalSinceReferenceDate: 7.5))
  }

  @Test func `values that several threads send come one after the other, and all`() {
    let (subject, seen) = (PassthroughSubject<Int, Never>(), Tally())
    let kept = subject.sink { seen.add($0) }
    let handed = Handed(subject: subject)
    DispatchQueue.concurrentPerform(iterations: 8) { lane in
      for value in 0..<1000 { handed.subject.send(lane * 1000 + value) }
    }
    #expect(seen.values.sorted() == Array(0..<8000))
    kept.cancel()
  }

  @Test func `after values of several threads all know the newest one`() {
    for _ in 0..<50 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let (direct, joined) = (Tally(), Tally())
      let kept = [
        subject.sink { direct.add($0) },
        subject.combineLatest(Just(1)).sink { joined.add($0.0) },
      ]
      let handed = HandedValue(subject: subject)
      DispatchQueue.concurrentPerform(iterations: 4) { lane in
        for value in 0..<50 { handed.subject.send(lane * 50 + value + 1) }
      }
      #expect(direct.values.last == subject.value)
      #expect(joined.values.last == subject.value)
      withExtendedLifetime(kept) {}
    }
  }
}

/// Touched by one call at a time, as Combine promises.
private final class Tally: @unchecked Sendable {  // Safe if calls come one by one.
  private(set) var values: [Int] = []

  func add(_ value: Int) {
    values.append(value)
  }
}

private struct Handed: @unchecked Sendable {  // Safe because a subject is thread-safe.
  let subject: PassthroughSubject<Int, Never>
}

private struct HandedValue: @unchecked Sendable {  // Safe because a subject is thread-safe.
  let subject: CurrentValueSubject<Int, Never>
}

private enum MainQueueMark {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static let isSet: Bool = {
    _ = key
    return true
  }()

  static var isCurrent: Bool { isSet && DispatchQueue.getSpecific(key: key) == true }
}

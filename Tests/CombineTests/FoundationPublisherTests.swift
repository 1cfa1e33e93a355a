import Combine
import Foundation
import FoundationExtras
import Linux
import Testing

private final class Machine: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: Locked.
  let observerTable = ObserverTable()
  private let running = Locked(false)

  var isRunning: Bool {
    get {
      observerTable.access(\Machine.isRunning)
      return running.withLock { $0 }
    }
    set {
      observerTable.changing(\Machine.isRunning, of: self) { running.withLock { $0 = newValue } }
    }
  }
}

@Suite("Publishers of Foundation")
struct FoundationPublisherTests {
  @Test func `an observed property publishes the present value first, then each new one`() {
    let machine = Machine()
    machine.isRunning = true
    let listener = machine.publisher(for: \.isRunning).heard()
    machine.isRunning = false
    machine.isRunning = true
    #expect(listener.values == [true, false, true])
    listener.subscription?.cancel()
    machine.isRunning = false
    #expect(listener.values.count == 3)
    #expect(machine.observerTable.count == 0)
  }

  @Test func `without the initial option only new values come, and with prior also those before`() {
    let machine = Machine()
    let new = machine.publisher(for: \.isRunning, options: [.new]).heard()
    let both = machine.publisher(for: \.isRunning, options: [.new, .prior]).heard()
    machine.isRunning = true
    #expect(new.values == [true])
    #expect(both.values == [false, true])
  }

  @Test func `a late asker gets the newest value of an observed property`() {
    let machine = Machine()
    let listener = machine.publisher(for: \.isRunning).heard(asking: .none)
    machine.isRunning = true
    listener.subscription?.request(.max(1))
    #expect(listener.values == [true])
  }

  @Test func `notifications are published as they are posted, by name and sender`() {
    let (center, name) = (NotificationCenter(), Notification.Name("test"))
    let (one, other) = (NSObject(), NSObject())
    let all = center.publisher(for: name).heard()
    let ones = center.publisher(for: name, object: one).heard()
    center.post(name: name, object: one, userInfo: ["number": 1])
    center.post(name: name, object: other)
    center.post(name: Notification.Name("else"), object: one)
    #expect(all.values.count == 2)
    #expect(ones.values.map { $0.userInfo?["number"] as? Int } == [1])
    all.subscription?.cancel()
    center.post(name: name, object: one)
    #expect(all.values.count == 2 && ones.values.count == 2)
    #expect(center.publisher(for: name) == center.publisher(for: name))
  }

  @Test func `a timer publishes once it is connected, until the last subscriber cancels`() async {
    let publisher = Timer.publish(every: 0.001, on: .main, in: .common).autoconnect()
    var count = 0
    for await date in publisher.values {
      #expect(date.timeIntervalSinceNow < 1)
      count += 1
      if count == 3 { break }
    }
    #expect(count == 3)
    let timer = Timer.TimerPublisher(interval: 0.001, runLoop: .main, mode: .default)
    let first = await withCheckedContinuation { continuation in
      let once = OnlyOnce(continuation)
      let kept = timer.sink { once.resume($0) }
      once.keep(kept, timer.connect())
    }
    #expect(first.timeIntervalSinceNow < 1)
  }

  @Test func `a timer of another thread's run loop publishes in it`() async {
    let values = await inRunLoop { loop, values in
      Timer.publish(every: 0.001, on: loop, in: .default).autoconnect()
        .sink { _ in values.append(RunLoop.current === loop ? 1 : 0) }
    } until: {
      $0.count >= 2
    }
    #expect(values.prefix(2) == [1, 1])
  }

  @Test func `values are awaited one by one, and an error is thrown`() async throws {
    var values: [Int] = []
    for await value in [1, 2, 3].publisher.values { values.append(value) }
    #expect(values == [1, 2, 3])
    let failing = [1].publisher.setFailureType(to: Fault.self).append(Fail(error: .first))
    await #expect(throws: Fault.first) {
      for try await value in failing.values { #expect(value == 1) }
    }
  }

  @Test func `a cancelled task ends its subscription`() async {
    let (cancelled, asked) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let task = Task {
      let subject = PassthroughSubject<Int, Never>()
      let watched = subject.handleEvents(
        receiveCancel: { cancelled.continuation.yield() }, receiveRequest: { _ in asked.continuation.yield() }
      )
      for await _ in watched.values {}
    }
    for await _ in asked.stream { break }
    task.cancel()
    for await _ in cancelled.stream { break }
    await task.value
  }
}

/// Answers once, and ends the timer with that.
private final class OnlyOnce: @unchecked Sendable {  // Safe because its state is touched only under the lock.
  private let state: Locked<CheckedContinuation<Date, Never>?>
  private let kept = Locked<[any Cancellable]>([])

  init(_ continuation: CheckedContinuation<Date, Never>) {
    state = Locked(continuation)
  }

  func resume(_ date: Date) {
    let continuation = state.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume(returning: date)
    if continuation != nil {
      let last = kept.withLock { kept in
        defer { kept = [] }
        return kept
      }
      for cancellable in last { cancellable.cancel() }
    }
  }

  func keep(_ cancellables: any Cancellable...) {
    for cancellable in cancellables { kept.withLock { $0.append(cancellable) } }
  }
}

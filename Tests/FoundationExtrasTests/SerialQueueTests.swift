import Dispatch
import FoundationExtras
import Linux
import Testing

/// Counts on a queue, with a window between reading and writing that two jobs at once would show.
private actor Counter {
  private let queue: DispatchSerialQueue
  private(set) var count = 0
  private(set) var doubled = 0
  private var isCounting = false

  init(on queue: DispatchSerialQueue) {
    self.queue = queue
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func add() {
    dispatchPrecondition(condition: .onQueue(queue))
    if isCounting { doubled += 1 }
    isCounting = true
    for _ in 0..<50 { count += 1 }
    isCounting = false
  }

  /// Suspends the queue, and enqueues a job that counts; called on the queue.
  nonisolated func addLater() -> Task<Void, Never> {
    assumeIsolated { counter in
      counter.queue.suspend()
      return Task { counter.add() }
    }
  }

  /// Counts from a callback on the queue, as delegates of outputs do.
  nonisolated func addFromCallback() {
    queue.sync { assumeIsolated { $0.add() } }
  }
}

/// A clock's token; counts those that are alive.
private final class CountedToken: Sendable {
  private let count: Locked<Int>

  init(_ count: Locked<Int>) {
    self.count = count
    count.withLock { $0 += 1 }
  }

  deinit { count.withLock { $0 -= 1 } }
}

@Suite("DispatchSerialQueue")
struct SerialQueueTests {
  @Test func `an actor runs on its queue`() async {
    let counter = Counter(on: DispatchSerialQueue(label: "counter"))
    await counter.add()
    await counter.add()
    #expect(await counter.count == 100)
  }

  @Test func `a callback on the queue is inside the actor`() async {
    let counter = Counter(on: DispatchSerialQueue(label: "counter", qos: .userInitiated))
    counter.addFromCallback()
    #expect(await counter.count == 50)
  }

  @Test func `a callback on another queue is not`() async {
    await #expect(processExitsWith: .failure) {
      let counter = Counter(on: DispatchSerialQueue(label: "counter"))
      DispatchQueue(label: "elsewhere").sync { counter.assumeIsolated { _ in } }
    }
  }

  @Test func `a concurrent queue runs an actor's jobs one at a time`() async {
    let counter = Counter(on: DispatchQueue(label: "counter", attributes: .concurrent))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<500 { group.addTask { await counter.add() } }
    }
    #expect(await counter.count == 25_000)
    #expect(await counter.doubled == 0)
  }

  @Test func `a clock that is moved by hand waits for an actor's jobs`() async {
    await #expect(processExitsWith: .success) {
      let tokens = Locked(0)
      InFlight.setSource { CountedToken(tokens) }
      let queue = DispatchSerialQueue(label: "counter")
      let counter = Counter(on: queue)
      let later = queue.sync { counter.addLater() }
      #expect(tokens.withLock { $0 } == 1)
      queue.resume()
      await later.value
      queue.sync {}
      #expect(tokens.withLock { $0 } == 0)
      InFlight.setSource(nil)
      #expect(await counter.count == 50)
    }
  }

  @Test func `a global queue is refused as an executor`() async {
    await #expect(processExitsWith: .failure) {
      await Counter(on: .global()).add()
    }
  }
}

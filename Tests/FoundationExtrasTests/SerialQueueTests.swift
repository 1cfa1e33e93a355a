import Dispatch
import FoundationExtras
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

  /// Counts from a callback on the queue, as delegates of outputs do.
  nonisolated func addFromCallback() {
    queue.sync { assumeIsolated { $0.add() } }
  }
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

  @Test func `a global queue is refused as an executor`() async {
    await #expect(processExitsWith: .failure) {
      await Counter(on: .global()).add()
    }
  }
}

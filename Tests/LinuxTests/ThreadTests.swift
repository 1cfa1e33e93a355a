import Glibc
import Linux
import Testing
import Waiting

@Suite("ReaderThread")
struct ReaderThreadTests {
  @Test func `join returns once the body has`() throws {
    let done = Locked(false)
    let thread = try ReaderThread(name: "reader") { done.withLock { $0 = true } }
    #expect(thread.join())
    #expect(done.withLock { $0 })
    #expect(thread.join(), "joining again is harmless")
  }

  @Test func `join gives up at its deadline and succeeds later`() throws {
    let gate = Monitor(false)
    let thread = try ReaderThread(name: "reader") {
      _ = gate.wait(for: { $0 }, then: { _ in true })
    }
    let start = MonotonicInstant.now
    #expect(!thread.join(until: start.advanced(byNanoseconds: 20_000_000)))
    #expect(MonotonicInstant.now.nanoseconds - start.nanoseconds >= 20_000_000)
    gate.withLock { $0 = true }
    #expect(thread.join())
  }

  @Test func `a thread does not wait for itself`() throws {
    let thread = Monitor<ReaderThread?>(nil)
    let answers = Monitor<[Bool]>([])
    let made = try ReaderThread(name: "reader") {
      guard let thread = thread.wait(for: { $0 != nil }, then: { $0 }) ?? nil else { return }
      answers.withLock { $0 = [thread.isCurrent, thread.join()] }
    }
    thread.withLock { $0 = made }
    #expect(!made.isCurrent)
    #expect(made.join())
    #expect(answers.withLock { $0 } == [true, false])
    thread.withLock { $0 = nil }
  }

  @Test func `the name is what debuggers see`() throws {
    let name = Locked("")
    let thread = try ReaderThread(name: "camera-reader-with-a-long-name") {
      var buffer = [UInt8](repeating: 0, count: 32)
      let file = open("/proc/thread-self/comm", O_RDONLY)
      let count = read(file, &buffer, buffer.count)
      close(file)
      let text = String(decoding: buffer.prefix(max(0, count - 1)), as: UTF8.self)
      name.withLock { $0 = text }
    }
    thread.join()
    #expect(name.withLock { $0 } == "camera-reader-w")
  }

  @Test func `several threads may join at once`() throws {
    let gate = Monitor(false)
    let thread = try ReaderThread(name: "reader") { _ = gate.wait(for: { $0 }, then: { _ in true }) }
    let joined = Locked(0)
    let joiners = try (0..<4).map { index in
      try ReaderThread(name: "joiner \(index)") {
        if thread.join() { joined.withLock { $0 += 1 } }
      }
    }
    gate.withLock { $0 = true }
    for joiner in joiners { joiner.join() }
    #expect(joined.withLock { $0 } == 4)
  }
}

@Suite("WakeUp")
struct WakeUpTests {
  @Test func `a signal before the wait is not lost, and many count as one`() throws {
    let wakeUp = try WakeUp()
    for _ in 0..<200 { wakeUp.signal() }
    #expect(wakeUp.wait() == .signalled)
    wakeUp.clear()
    #expect(wakeUp.wait(until: .now) == .timedOut)
  }

  @Test func `a full pipe still counts as signalled`() throws {
    let wakeUp = try WakeUp()
    for _ in 0..<70_000 { wakeUp.signal() }
    wakeUp.clear()
    #expect(wakeUp.wait(until: .now) == .timedOut)
  }

  @Test func `a signal from another thread ends the wait`() throws {
    let wakeUp = try WakeUp()
    let thread = try ReaderThread(name: "signaller") {
      for _ in 0..<1000 { sched_yield() }
      wakeUp.signal()
    }
    #expect(wakeUp.wait(until: .now.advanced(byNanoseconds: 30_000_000_000)) == .signalled)
    thread.join()
  }

  @Test func `another descriptor that can be read is distinguished`() throws {
    let wakeUp = try WakeUp()
    let other = try WakeUp()
    other.signal()
    #expect(wakeUp.wait(for: other.descriptor) == .ready)
    wakeUp.signal()
    #expect(wakeUp.wait(for: other.descriptor) == .signalled)
  }

  @Test func `a broken descriptor is distinguished`() throws {
    let wakeUp = try WakeUp()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let reader = Descriptor(adopting: ends[0])
    close(ends[1])
    #expect(wakeUp.wait(for: reader) == .hungUp)
  }

  @Test func `the wait lasts until its deadline`() throws {
    let wakeUp = try WakeUp()
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 10_000_000)
    #expect(wakeUp.wait(until: deadline) == .timedOut)
    #expect(MonotonicInstant.now >= deadline)
  }
}

@Suite("PageMemory")
struct PageMemoryTests {
  @Test func `memory starts on a page, is zero, and holds at least what was asked for`() throws {
    let memory = try PageMemory(byteCount: 5000)
    #expect(memory.bytes.count == 8192)
    #expect(Int(bitPattern: memory.bytes.baseAddress) % 4096 == 0)
    #expect(memory.bytes.allSatisfy { $0 == 0 })
  }

  @Test func `more than there is fails with a sentence`() {
    for count in [Int.max, 1 << 60] {
      let error = #expect(throws: SystemError.self) { try PageMemory(byteCount: count) }
      #expect(error?.reason == .outOfMemory)
    }
  }
}

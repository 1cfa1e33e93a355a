import CaptureDevice
import Dispatch
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

/// Lets `async` code wait for a stream's next frame.
private final class NextFrame: Sendable {
  private let waiting = Locked<[CheckedContinuation<UInt32, Never>]>([])

  func receive(_ event: StreamEvent) {
    guard case .frame(let frame) = event else { return }
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: frame.sequence) }
  }

  func number() async -> UInt32 {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }
}

/// An app's actor, with work of its own between frames.
private actor Reader {
  private let next: NextFrame
  private var numbers: [UInt32] = []

  init(_ next: NextFrame) { self.next = next }

  func read(_ count: Int) async -> [UInt32] {
    for _ in 0..<count {
      let number = await next.number()
      for _ in 0..<3 { await Task.yield() }
      numbers.append(number)
    }
    return numbers
  }
}

/// An actor that moves the clock from its own queue.
private actor Mover {
  private let queue = DispatchSerialQueue(label: "mover")
  private let clock: SimulatedClock

  init(_ clock: SimulatedClock) { self.clock = clock }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func move() {
    clock.advance(by: .seconds(1))
    clock.settle()
  }
}

@Suite("SimulatedClock: code that awaits")
struct AwaitingTests {
  private let stage: Stage
  private let stream: SimulatedStream
  private let next = NextFrame()

  init() throws {
    stage = try Stage()
    stream = try stage.open(buffers: 2)
    try stream.start(next.receive)
  }

  @Test func `no frame passes while an actor, or a task beside it, has something to do`() async {
    for round in 0..<5 {
      let (reader, other) = (Reader(next), Reader(next))
      let all = await stage.clock.advancing {
        async let mine = reader.read(6)
        async let others = other.read(6)
        return await [mine, others]
      }
      let expected = (0..<6).map { UInt32(6 * round + $0) }
      #expect(all == [expected, expected])
    }
    stream.stop()
  }

  @MainActor @Test func `the main actor takes part`() async {
    var numbers: [UInt32] = []
    await stage.clock.advancing {
      for _ in 0..<6 { numbers.append(await next.number()) }
    }
    #expect(numbers == Array(0..<6))
    stream.stop()
  }

  @Test func `the clock stands when nothing waits for it, and when the code has returned`() async throws {
    let before = stage.clock.now
    let sum = await stage.clock.advancing { (1...1000).reduce(0, +) }
    #expect(sum == 500_500 && stage.clock.now == before)
    _ = await stage.clock.advancing { await next.number() }
    let after = stage.clock.now
    for _ in 0..<100 { await Task.yield() }
    #expect(stage.clock.now == after)
    stream.stop()
  }

  @Test func `what the code throws comes out`() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await stage.clock.advancing { () async throws -> Void in
        _ = await next.number()
        throw Refusal()
      }
    }
    stream.stop()
  }

  @Test func `an actor on a queue of its own may move the clock`() async {
    await #expect(processExitsWith: .success) {
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: Scene(devices: []), clock: clock)
      let before = clock.now
      await Mover(clock).move()
      #expect(clock.now == before.advanced(byNanoseconds: 1_000_000_000))
    }
  }

  @Test func `code that waits for what never comes is a mistake, and not for ever`() async {
    await #expect(processExitsWith: .failure) {
      let stage = try Stage()
      let stream = try stage.open(buffers: 2)
      try stream.start { _ in }
      await stage.clock.advancing(atMost: .seconds(1)) { _ = await NextFrame().number() }
      stream.stop()
    }
  }
}

internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The action of a control, called on a queue when people have moved it.
final class ControlAction<Value: Sendable>: Sendable {
  private struct Target {
    let queue: DispatchQueue
    let run: @Sendable (Value) -> Void
  }

  private let target = Locked<Target?>(nil)

  /// Calls `run` on a serial queue of its own that targets `queue`, from now on.
  func set(on queue: DispatchQueue, _ run: @escaping (Value) -> Void) {
    nonisolated(unsafe) let run = run  // Safe because it runs on one serial queue only.
    let serial = DispatchQueue(label: "obscura.control", target: queue)
    target.withLock { $0 = Target(queue: serial, run: { run($0) }) }
  }

  func callAsFunction(_ value: Value) {
    guard let target = target.withLock({ $0 }) else { return }
    target.queue.carry { target.run(value) }
  }
}

internal import Dispatch
internal import Linux

/// Takes the turns of one generation of a ``DeliveryLine`` away from the client's queue, on a thread of its own.
///
/// Lives until the line forgets it at the end of the generation. Thread-safe.
final class DeliveryCaller: Sendable {
  private let line: DeliveryLine
  private let queue: DispatchQueue
  private let generation: Int
  nonisolated(unsafe) private let calls: DispatchWorkItem
  private let signal = Signal()

  init(line: DeliveryLine, client: FrameDelivery.Client, generation: Int) {
    self.line = line
    queue = client.queue
    self.generation = generation
    // Made once: a closure for each call would be copied to the heap each time.
    calls = DispatchWorkItem { line.call(client, generation) }
  }

  /// Takes the turn that is due, if none has yet, and tells the client in it.
  func work() {
    if line.takeTurn(generation) { queue.sync(execute: calls) }
  }

  /// Wakes the thread of its own.
  func wake() { signal.send() }

  /// Sleeps until somebody wakes the thread of its own, which works.
  func wait() { signal.wait() }
}

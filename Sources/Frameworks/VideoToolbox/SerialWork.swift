internal import Dispatch

/// The serial queue of a session, on which its codec works; safe to use from its own callbacks.
final class SerialWork: Sendable {
  private let queue: DispatchQueue
  private let key = DispatchSpecificKey<ObjectIdentifier>()
  /// How many jobs may wait.
  private let room: DispatchSemaphore

  init(_ label: String, room: Int) {
    queue = DispatchQueue(label: label)
    self.room = DispatchSemaphore(value: room)
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// Whether this is called from a job.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self) }

  /// Runs a job behind all others; waits while too many wait, unless a job asks.
  func enqueue(_ job: @escaping @Sendable () -> Void) {
    let waits = !isCurrent
    if waits { room.wait() }
    let room = room
    queue.async {
      if waits { room.signal() }
      job()
    }
  }

  /// Runs a job behind all others and waits for it; at once when a job asks.
  func perform<Value>(_ job: () -> Value) -> Value {
    isCurrent ? job() : queue.sync(execute: job)
  }
}

internal import CVideo4Linux
internal import Glibc

/// Wakes a thread that sleeps in `poll`.
///
/// C: `eventfd`.
package final class WakeSignal: Sendable {
  /// Readable while the signal is given.
  package let descriptor: Int32

  /// A signal that is not given; `nil` when the process has no descriptor left.
  package init?() {
    descriptor = cam_v4l2_eventfd()
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Gives the signal; any thread, never blocks.
  package func signal() {
    var one: UInt64 = 1
    write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes the signal back.
  package func reset() {
    var count: UInt64 = 0
    read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

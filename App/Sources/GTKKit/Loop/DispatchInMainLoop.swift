import CGTK
import Dispatch
import Glibc

/// Lets GTK's main loop run what is sent to libdispatch's main queue, and with it the main actor.
///
/// libdispatch makes a descriptor readable when its main queue has work; GLib watches it beside its own and lets the queue run.
/// Nothing polls. Call once, on the main thread, before the loop runs.
@MainActor
package func runMainQueueInMainLoop() {
  _ = g_unix_fd_add(
    _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
    { number, _, _ in
      // The descriptor stays readable, and the loop would turn for ever, until its count is taken; that comes first, so that
      // what is sent while the queue runs wakes the loop again.
      var count: UInt64 = 0
      while read(number, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
      _dispatch_main_queue_callback_4CF(nil)
      return 1
    }, nil)
}

/// Calls `body` on the main thread when GTK has nothing else to do, as often as it answers `true`.
@MainActor
package func whenIdle(_ body: @escaping @MainActor () -> Bool) {
  let box = Unmanaged.passRetained(Repeated(body)).toOpaque()
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, Repeated.call, box, Repeated.release)
}

/// Calls `body` on the main thread every so many milliseconds, as often as it answers `true`.
@MainActor
package func every(milliseconds: Int, _ body: @escaping @MainActor () -> Bool) {
  let box = Unmanaged.passRetained(Repeated(body)).toOpaque()
  g_timeout_add_full(G_PRIORITY_DEFAULT, guint(milliseconds), Repeated.call, box, Repeated.release)
}

@MainActor
private final class Repeated {
  let body: @MainActor () -> Bool

  init(_ body: @escaping @MainActor () -> Bool) {
    self.body = body
  }

  static nonisolated let call: GSourceFunc = { data in
    // Safe because GLib calls on the thread of its loop, the main one.
    nonisolated(unsafe) let data = data
    return MainActor.assumeIsolated {
      guard let data else { return 0 }
      return Unmanaged<Repeated>.fromOpaque(data).takeUnretainedValue().body() ? 1 : 0
    }
  }

  static nonisolated let release: GDestroyNotify = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
  }
}

import CGTK

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

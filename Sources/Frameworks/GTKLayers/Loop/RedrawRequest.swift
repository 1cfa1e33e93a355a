#if GTKLayers
  internal import CGTK4
  internal import Linux

  /// Asks GTK's main loop for one turn of a widget's host, however often it is asked from whatever thread.
  final class RedrawRequest: Sendable {
    private struct State {
      var isDue = false
      var isEnded = false
    }

    private let state = Locked(State())
    private let turn: @MainActor @Sendable () -> Void

    /// - Parameter turn: Runs on the main thread, in GTK's loop.
    init(_ turn: @escaping @MainActor @Sendable () -> Void) {
      self.turn = turn
    }

    /// Has the turn run soon, unless one is due already.
    func request() {
      let starts = state.withLock { state in
        defer { state.isDue = true }
        return !state.isDue && !state.isEnded
      }
      guard starts else { return }
      g_idle_add_full(
        G_PRIORITY_DEFAULT,
        { data in
          // Safe because GLib calls on the thread of its loop, the main one.
          nonisolated(unsafe) let data = data
          MainActor.assumeIsolated {
            if let data { Unmanaged<RedrawRequest>.fromOpaque(data).takeUnretainedValue().run() }
          }
          return 0
        }, Unmanaged.passRetained(self).toOpaque(),
        { data in if let data { Unmanaged<RedrawRequest>.fromOpaque(data).release() } })
    }

    /// No turn runs after this; on the main thread.
    func end() {
      state.withLock { $0.isEnded = true }
    }

    @MainActor
    private func run() {
      let runs = state.withLock { state in
        state.isDue = false
        return !state.isEnded
      }
      if runs { turn() }
    }
  }
#endif

internal import Linux

/// Pixels that are made when they are first read, on the thread that reads them.
///
/// What is not read costs nothing. Made once; other readers wait for it. Thread-safe.
package final class LatePixels: Sendable {
  private enum State {
    case awaited(@Sendable () -> Void)
    case underWay
    case made
  }

  private let state: Monitor<State>

  /// - Parameter make: Writes the pixels; it must not read the picture that they are for.
  package init(_ make: @escaping @Sendable () -> Void) {
    state = Monitor(.awaited(make))
  }

  /// Makes the pixels, or waits until another thread has.
  package func make() {
    let make: (@Sendable () -> Void)? = state.withLock { state in
      guard case .awaited(let make) = state else { return nil }
      state = .underWay
      return make
    }
    if let make {
      make()
      state.withLock { $0 = .made }
    } else {
      _ = state.wait(for: { if case .made = $0 { true } else { false } }, then: { _ in })
    }
  }
}

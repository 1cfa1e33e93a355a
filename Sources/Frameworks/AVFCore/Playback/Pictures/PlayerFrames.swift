internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The frames of a player layer, for the host that draws it: always the picture on show, never a queue.
///
/// Thread-safe.
public final class PlayerFrames: Sendable {
  private struct State {
    var newest: PlayerFrame?
    var isSignalling = false
  }

  private let queue = DispatchQueue(label: "obscura.player-frames", qos: .userInteractive)
  private let state = Locked(State())
  private let handler = Hook<Void>()
  private let changed = Hook<Bool>()

  init() {}

  /// The picture on show; `nil` before the first one, and without an item.
  public func takeNewest() -> PlayerFrame? { state.withLock { $0.newest } }

  /// Calls `handler` after another picture is on show, on a serial queue of the layer's own; `nil` ends it.
  ///
  /// Pictures that come while the handler runs are reported together, by one more call. Do no more in it than to ask for a
  /// redraw on the thread that draws.
  public func setFrameHandler(_ handler: (@Sendable () -> Void)?) {
    guard let handler else { return self.handler.set(nil) }
    self.handler.set { _ in handler() }
  }

  /// Has `report` called on the main queue when there is a picture, or none any more.
  func observe(_ report: (@Sendable (Bool) -> Void)?) { changed.set(report) }

  func show(_ frame: PlayerFrame?) {
    let (old, starts) = state.withLock { state -> (PlayerFrame?, Bool) in
      let old = state.newest
      state.newest = frame
      defer { state.isSignalling = true }
      return (old, !state.isSignalling)
    }
    if starts { queue.async { [self] in signal() } }
    let isReady = frame != nil
    if (old != nil) != isReady { DispatchQueue.main.async { [self] in changed.call(isReady) } }
  }

  private func signal() {
    state.withLock { $0.isSignalling = false }
    handler.call()
  }
}

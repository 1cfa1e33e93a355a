internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The queue of a player's notifications for clients, delivered in order and on the main queue.
///
/// Thread-safe. On the main thread it happens before the call that caused it returns, except inside another notification.
final class PlayerEffects: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isDraining = false
  }

  private let state = Locked(State())

  func add(_ effects: [@Sendable () -> Void]) {
    guard !effects.isEmpty else { return }
    state.withLock { $0.waiting += effects }
    if MainQueue.isCurrent { drain() } else { DispatchQueue.main.async { self.drain() } }
  }

  private func drain() {
    guard
      state.withLock({ state in
        defer { state.isDraining = true }
        return !state.isDraining
      })
    else { return }
    while let effect = next() { effect() }
  }

  private func next() -> (@Sendable () -> Void)? {
    let effect: Effect? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isDraining = false
        return nil
      }
      return Effect(call: state.waiting.removeFirst())
    }
    return effect?.call
  }

  private struct Effect {
    let call: @Sendable () -> Void
  }
}

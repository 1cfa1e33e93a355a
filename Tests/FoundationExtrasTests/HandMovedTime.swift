import FoundationExtras
import Linux

/// A world's time that a test moves by hand.
final class HandMovedTime: Sendable {
  private struct State {
    var now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    var planned: [Int: (moment: MonotonicInstant, action: @Sendable () -> Void)] = [:]
    var count = 0
  }

  private final class Planned: Sendable {
    let forget: @Sendable () -> Void
    init(forget: @escaping @Sendable () -> Void) { self.forget = forget }
    deinit { forget() }
  }

  private let state = Locked(State())
  let time: WorldTime

  init() {
    time = WorldTime(
      WorldTime.Source(now: { [state] in state.withLock { $0.now } }) { [state] moment, action in
        let number = state.withLock { state in
          state.count += 1
          state.planned[state.count] = (moment, action)
          return state.count
        }
        return Planned {
          let old = state.withLock { $0.planned.removeValue(forKey: number) }
          withExtendedLifetime(old) {}
        }
      })
  }

  /// How much is planned.
  var plannedCount: Int { state.withLock { $0.planned.count } }

  /// Moves on, and calls what falls due, in the order of time.
  func advance(seconds: Double) {
    let end = state.withLock { $0.now.advanced(bySeconds: seconds) }
    while true {
      let due = state.withLock { state -> (@Sendable () -> Void)? in
        guard let next = state.planned.min(by: { $0.value.moment < $1.value.moment }),
          next.value.moment <= end
        else {
          state.now = end
          return nil
        }
        state.now = next.value.moment
        return state.planned.removeValue(forKey: next.key)?.action
      }
      guard let due else { return }
      due()
    }
  }
}

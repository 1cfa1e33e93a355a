import Foundation
import Linux
import Photos
import Waiting

/// Processors whose load a test decides, for the finishing of photos in the background.
final class FakeProcessors: Sendable {
  private struct State {
    var times = ProcessorTimes(busy: 0, resting: 0)
    var isBusy: Bool
    var questions = 0
  }

  private let state: Monitor<State>
  private let looks = Changes()

  init(isBusy: Bool) {
    state = Monitor(State(isBusy: isBusy))
  }

  /// Lets photos of the library that is opened next be finished in the background, without pauses.
  func govern(longestWaitSeconds: Double) {
    var conditions = FinishingConditions()
    conditions.pauseSeconds = 0.001
    conditions.longestWaitSeconds = longestWaitSeconds
    conditions.processorTimes = { self.look() }
    DeferredFinishing.conditions = conditions
    DeferredFinishing.isAutomatic = true
  }

  /// The usual conditions again.
  static func leave() {
    DeferredFinishing.conditions = FinishingConditions()
    DeferredFinishing.isAutomatic = false
  }

  /// They have nothing to do from now on.
  func rest() { state.withLock { $0.isBusy = false } }

  /// Waits until photos were looked for so many times more.
  func wait(looks: Int) -> Bool {
    // Each look asks before its pause and behind it.
    let wanted = state.withLock { $0.questions } + 2 * looks
    return state.wait(
      until: .now.advanced(bySeconds: 30), for: { $0.questions >= wanted }, then: { _ in true }) ?? false
  }

  /// Waits until a condition holds, asking when photos are looked for: at first, and after each that was finished.
  func wait(until isTrue: () throws -> Bool) rethrows -> Bool { try looks.wait(until: isTrue) }

  private func look() -> ProcessorTimes {
    defer { looks.note() }
    return state.withLock { state in
      state.questions += 1
      if state.isBusy { state.times.busy += 100 } else { state.times.resting += 100 }
      return state.times
    }
  }
}

import CGTK
import Glibc

/// Measures how long the main loop is away from its sources: what is longer than a frame, the user sees.
///
/// GLib asks the kernel for news through a function that can be replaced; from one call's end to the next one's beginning the
/// loop works, or waits for something that it should not wait for.
@MainActor
package enum LoopWatch {
  /// One turn of the loop.
  package struct Turn: Sendable {
    /// Seconds by the clock, also those in which other programs had the processor.
    package var seconds: Double
    /// Seconds in which this thread had the processor.
    package var ownSeconds: Double
    /// Whether the thread gave the processor away by itself, because it waited for something.
    package var hasWaited: Bool
  }

  private typealias Note = @MainActor (Turn) -> Void
  nonisolated(unsafe) private static var note: Note?  // Safe because the main thread alone uses it.
  nonisolated(unsafe) private static var began = 0.0  // Safe for the same reason.
  nonisolated(unsafe) private static var beganOwn = 0.0  // Safe for the same reason.
  nonisolated(unsafe) private static var waits = 0  // Safe for the same reason.

  /// Calls `note` after each turn from now on; `nil` ends that.
  package static func begin(_ note: (@MainActor (Turn) -> Void)?) {
    self.note = note
    began = 0
    guard note != nil else { return g_main_context_set_poll_func(nil, nil) }
    g_main_context_set_poll_func(nil) { descriptors, count, timeout in
      LoopWatch.end()
      let news = g_poll(descriptors, count, timeout)
      LoopWatch.start()
      return news
    }
  }

  private nonisolated static func start() {
    began = seconds(CLOCK_MONOTONIC)
    beganOwn = seconds(CLOCK_THREAD_CPUTIME_ID)
    waits = voluntarySwitches()
  }

  private nonisolated static func end() {
    // Threads that wait for GLib's answers of other loops call the same function: theirs are other contexts, without it.
    guard began > 0 else { return }
    let turn = Turn(
      seconds: seconds(CLOCK_MONOTONIC) - began, ownSeconds: seconds(CLOCK_THREAD_CPUTIME_ID) - beganOwn,
      hasWaited: voluntarySwitches() > waits)
    MainActor.assumeIsolated { note?(turn) }
  }

  private nonisolated static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private nonisolated static func voluntarySwitches() -> Int {
    var usage = rusage()
    // This thread's alone; the constant of that name is hidden by the C library's headers.
    getrusage(.init(1), &usage)
    return usage.ru_nvcsw
  }
}

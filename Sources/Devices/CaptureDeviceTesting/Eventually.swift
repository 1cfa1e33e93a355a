internal import Foundation
internal import Linux

/// Waits until something is true that another thread brings about, and checks every millisecond; false when it is not by then.
///
/// For what has no callback to wait for. The limit is far beyond what an idle machine takes, so it says that something never
/// happens, not that it is slow. Blocks the calling thread.
package func eventually(withinSeconds seconds: Int64 = 30, _ isTrue: () -> Bool) -> Bool {
  let limit = MonotonicInstant.now.advanced(byNanoseconds: seconds * 1_000_000_000)
  while MonotonicInstant.now < limit {
    if isTrue() { return true }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return isTrue()
}

extension MonotonicInstant {
  /// Whether it is less than ten seconds ago.
  ///
  /// For what must return within a second though something hangs: code that waits for that does not return at all, and ten
  /// seconds leave a busy machine its time.
  package var isRecent: Bool { MonotonicInstant.now < advanced(byNanoseconds: 10_000_000_000) }
}

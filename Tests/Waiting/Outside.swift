internal import Foundation
internal import Linux

/// Asks again and again whether something holds that the kernel or another program brings about without a word; false when it does not
/// within half a minute.
///
/// Only for what no event tells of: `/proc`, or what another process has come to. `scripts/checks/imports` lists the files that
/// may. Blocks the calling thread.
///
/// - Parameter reason: Why there is no event to wait for.
package func outside(_ reason: StaticString, _ isTrue: () throws -> Bool) rethrows -> Bool {
  let limit = MonotonicInstant.limitOfWaits
  while MonotonicInstant.now < limit {
    if try isTrue() { return true }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return try isTrue()
}

/// Lets the machine's time pass.
///
/// Only for tests whose subject is that time: a process that is killed at a random moment, a recording in real time.
/// `scripts/checks/imports` lists the files that may. Blocks the calling thread.
///
/// - Parameter reason: Why the test must let time pass.
package func pause(seconds: Double, because reason: StaticString) {
  Thread.sleep(forTimeInterval: seconds)
}

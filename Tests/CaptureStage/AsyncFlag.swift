package import Foundation
import Linux

/// Waits for one notification of an object, or of any.
package final class AsyncFlag: Sendable {
  private let isSet = Monitor(false)
  private let token: Locked<(any NSObjectProtocol)?>

  package init(_ name: Notification.Name, _ object: AnyObject?) {
    token = Locked(nil)
    let observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [isSet] _ in
      isSet.withLock { $0 = true }
    }
    token.withLock { $0 = observer }
  }

  deinit {
    if let token = token.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
  }

  package func wait() -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return isSet.wait(until: deadline) {
      $0
    } then: { _ in
      true
    } ?? false
  }
}

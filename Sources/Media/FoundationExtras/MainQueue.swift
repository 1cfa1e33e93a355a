internal import Dispatch
internal import Foundation

/// Detects code that runs on the main queue already, or on a queue that targets it.
///
/// On Linux the main queue need not be the main thread's: a program whose `main` is asynchronous serves it from any thread, as
/// `dispatch_main()` does.
package enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main queue or on the main thread.
  package static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread
  }
}

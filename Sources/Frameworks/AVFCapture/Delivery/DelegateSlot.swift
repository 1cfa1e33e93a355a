internal import Dispatch
internal import Linux

/// The place of an output's delegate, which is another ``Recipient`` whenever it is set; thread-safe.
final class DelegateSlot<Delegate>: Sendable {
  private let recipient = Locked<Recipient<Delegate>?>(nil)

  /// The delegate; `nil` when there is none, or it is gone.
  var delegate: Delegate? { recipient.withLock { $0 }?.delegate }
  /// The queue that was given with it.
  var queue: DispatchQueue? { recipient.withLock { $0 }?.queue }

  /// Sets the delegate; `nil`, and a programming mistake without effect, for one without a queue.
  ///
  /// - Parameter read: Reads a weak reference to the delegate.
  func set(
    _ delegate: Delegate?, on queue: DispatchQueue?, weakly read: @escaping () -> Delegate?
  ) -> Recipient<Delegate>? {
    guard let new = Recipient(delegate, on: queue, weakly: read) else { return nil }
    // The old one goes after the lock is left.
    let old = recipient.withLock { recipient in
      defer { recipient = new }
      return recipient
    }
    return withExtendedLifetime(old) { new }
  }
}

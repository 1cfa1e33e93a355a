internal import Dispatch
internal import Linux

/// A delegate that takes what is captured from now on, and nothing of what was captured before.
///
/// A synchronizer begins with frames that all of its outputs have.
protocol FreshDelegate: AnyObject {}

/// The place of an output's delegate, which is another ``Recipient`` whenever it changes; thread-safe.
final class DelegateSlot<Delegate>: Sendable {
  private let recipient = Locked<Recipient<Delegate>?>(nil)
  /// One change at a time, so that the delegate and the client that serves it are always the same.
  private let changes = Locked(())

  /// The delegate; `nil` when there is none, or it is gone.
  var delegate: Delegate? { recipient.withLock { $0 }?.delegate }
  /// The queue that was given with it.
  var queue: DispatchQueue? { recipient.withLock { $0 }?.queue }

  /// Sets the delegate; a programming mistake without effect for one without a queue.
  ///
  /// What is set already changes nothing: views set their delegates anew at each update, and what is on its way to the delegate shall reach
  /// it.
  ///
  /// - Parameters:
  ///   - read: Reads a weak reference to the delegate.
  ///   - serve: Leads what comes from now on to the new recipient; called under a lock, so that it calls nothing of a client's.
  func set(
    _ delegate: Delegate?, on queue: DispatchQueue?, weakly read: @escaping () -> Delegate?,
    serve: (Recipient<Delegate>) -> Void
  ) {
    guard let new = Recipient(delegate, on: queue, weakly: read) else { return }
    // What was there goes after the locks are left: it may be the last reference to a client's object.
    var former: (recipient: Recipient<Delegate>?, delegate: Delegate?)
    changes.withLock { _ in
      former.recipient = recipient.withLock { $0 }
      former.delegate = former.recipient?.delegate
      if let old = former.recipient, old.serves(former.delegate, like: delegate, on: queue) { return }
      recipient.withLock { $0 = new }
      serve(new)
    }
    withExtendedLifetime(former) {}
  }
}

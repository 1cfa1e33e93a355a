package import Dispatch
internal import Linux

/// Work that was begun and goes on on another queue: what a clock that is moved by hand waits for.
///
/// Such a clock runs each event under a *hold*, an object whose end it waits for before the next. Queues hand the hold of what
/// enqueues to what is enqueued (``Dispatch/DispatchQueue/carry(_:)``), so that a notification that follows from a frame has been posted when
/// the clock's move returns. Work that begins under no hold, because a client called, gets one of the clock on which the program's devices
/// live (``setSource(_:)``). Where that is the machine's own there are no holds, and carrying costs two reads. Thread-safe.
package enum InFlight {
  /// Keeps a clock that is moved by hand from going on, as long as it lives.
  package final class Hold: Sendable {
    private let token: Locked<(any AnyObject & Sendable)?>

    /// A hold that keeps a clock's token.
    package init(_ token: any AnyObject & Sendable) { self.token = Locked(token) }

    fileprivate func letGo() {
      let former = token.withLock { $0.take() }
      withExtendedLifetime(former) {}
    }
  }

  private struct Source {
    var token: (@Sendable () -> (any AnyObject & Sendable)?)?
  }

  private static let slot = ThreadSlot<Hold>()
  private static let source = Locked(Source())

  /// Says where work that begins under no hold gets one; `nil` where no clock is moved by hand.
  package static func setSource(_ token: (@Sendable () -> (any AnyObject & Sendable)?)?) {
    let former = source.withLock { source in
      defer { source.token = token }
      return source
    }
    withExtendedLifetime(former) {}
  }

  /// The hold of what runs on this thread, or a new one; `nil` where no clock is moved by hand.
  package static func hold() -> Hold? {
    if let present = slot.object { return present }
    let source = source.withLock { $0 }
    return source.token?().map(Hold.init)
  }

  /// Releases the hold of the work on this thread, which is about to move the clock: the clock must not wait for its caller.
  package static func letGo() { slot.object?.letGo() }

  /// The same work, under the hold of what calls now, on whichever queue it runs; a clock that is moved by hand waits until it was run for
  /// the first time, or let go of.
  package static func carried(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    carried(hold(), body)
  }

  /// The same, under a hold that is there already.
  package static func carried(
    _ hold: Hold?, _ body: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    guard let hold else { return body }
    // What keeps the closure must not keep the clock.
    let kept = Locked<Hold?>(hold)
    return { run(under: kept.withLock { $0.take() }, body) }
  }

  /// Runs `body` under `hold`, which what it enqueues inherits.
  package static func run<Result, Failure: Error>(
    under hold: Hold?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let hold else { return try body() }
    return try slot.with(hold, body)
  }
}

extension DispatchQueue {
  /// Runs `body` on the queue, under the hold of what calls: a clock that is moved by hand waits for it.
  ///
  /// Not for work that itself waits for the clock to move, such as for the next frame.
  package func carry(_ body: @escaping @Sendable () -> Void) {
    async(execute: InFlight.carried(body))
  }

  /// Runs `body` on the queue under the token of a sample that it is about, so that what it enqueues belongs to the sample's event too.
  ///
  /// - Parameter token: The sample's; `nil` where no clock is moved by hand, and then this is a plain `async`.
  package func carry(holding token: (any AnyObject & Sendable)?, _ body: @escaping @Sendable () -> Void) {
    guard let token else { return async(execute: body) }
    async { InFlight.run(under: InFlight.Hold(token), body) }
  }
}

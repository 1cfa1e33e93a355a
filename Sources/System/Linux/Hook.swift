/// A function that some thread sets and any thread calls.
///
/// Not a ``Locked`` function: a function that is reached in place through a generic type is wrapped at each access, and the
/// wrapping is stored, so that it would be called one step deeper, and hold more memory, each time.
///
/// Copies share the function. Thread-safe; one allocation.
public struct Hook<Argument>: Sendable {
  private struct Kept {
    var function: (@Sendable (Argument) -> Void)?
  }

  private let kept = Locked(Kept())

  /// A hook that does nothing.
  public init() {}

  /// Replaces the function; `nil` removes it.
  public func set(_ function: (@Sendable (Argument) -> Void)?) {
    // The old one goes after the lock is left: with it may go what it captured.
    let old = kept.withLock { kept in
      defer { kept.function = function }
      return Kept(function: kept.function)
    }
    withExtendedLifetime(old) {}
  }

  /// Calls the function, under no lock.
  public func call(_ argument: Argument) {
    HeldLocks.assertNone(in: "Hook.call(_:)")
    let function = kept.withLock { $0.function }
    function?(argument)
  }
}

extension Hook where Argument == Void {
  /// Calls the function, under no lock.
  public func call() { call(()) }
}

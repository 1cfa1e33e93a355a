internal import Linux

/// A cancellable that ends its activity when it goes away.
///
/// Keep it as long as values shall come. Thread-safe. Apple: `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  private let lock = Lock()
  private var action: (() -> Void)?

  /// Calls the closure when it is cancelled or goes away, once.
  public init(_ cancel: @escaping () -> Void) {
    action = cancel
  }

  /// Cancels another one when it is cancelled or goes away.
  public init<C>(_ canceller: C) where C: Cancellable {
    action = { canceller.cancel() }
  }

  deinit {
    action?()
  }

  /// Ends the activity; again does nothing.
  public func cancel() {
    let action = lock.withLock {
      let action = self.action
      self.action = nil
      return action
    }
    action?()
  }

  /// Keeps it in a collection.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// An activity that can be ended.
///
/// Apple: `Cancellable`.
public protocol Cancellable {
  /// Ends it; again does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps it in a collection of cancellables; it ends when it is removed there.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps it in a set of cancellables; it ends when it is removed there.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

internal import Dispatch
internal import FoundationExtras

/// The delegate that gets what an output delivers, kept weakly, and its queue.
///
/// An output makes a new one whenever its delegate changes, so that calls under way still know for which delegate they were.
final class Recipient<Delegate>: @unchecked Sendable {  // Safe: a closure that reads a weak reference.
  /// Where the delegate is called.
  let queue: DispatchQueue?
  private let read: () -> Delegate?

  /// Checks a delegate with its queue; `nil`, and a programming mistake, for a delegate without one.
  ///
  /// - Parameter read: Reads a weak reference to the delegate.
  init?(_ delegate: Delegate?, on queue: DispatchQueue?, weakly read: @escaping () -> Delegate?) {
    guard delegate == nil || queue != nil else {
      ProgrammingMistake.report(
        rule: "A delegate needs a queue to be called on; pass a serial DispatchQueue.")
      return nil
    }
    self.queue = queue
    self.read = read
  }

  /// The delegate; `nil` when there is none, or it is gone.
  var delegate: Delegate? { read() }

  /// Whether it is the same to set this delegate with this queue again.
  func serves(_ delegate: Delegate?, on queue: DispatchQueue?) -> Bool {
    serves(self.delegate, like: delegate, on: queue)
  }

  /// As above, where its own delegate was read already.
  func serves(_ own: Delegate?, like delegate: Delegate?, on queue: DispatchQueue?) -> Bool {
    self.queue === queue
      && own.map { ObjectIdentifier($0 as AnyObject) } == delegate.map { ObjectIdentifier($0 as AnyObject) }
  }

  /// The client that `make` makes for the delegate's queue; `nil` without a delegate.
  func client<Client>(_ make: (DispatchQueue) -> Client) -> Client? {
    delegate == nil ? nil : queue.map(make)
  }
}

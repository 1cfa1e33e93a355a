/// A publisher of one value.
///
/// Apple: `Just`.
public struct Just<Output>: Publisher {
  /// It never fails.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// A publisher of this value.
  public init(_ output: Output) {
    self.output = output
  }

  /// Hands the subscriber its subscription.
  public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Never {
    let outlet = Outlet(subscriber, keeping: .all)
    outlet.send(output)
    outlet.finish()
    subscriber.receive(subscription: outlet)
  }
}

extension Just: Equatable where Output: Equatable {}

/// The connection of a subscriber to a publisher.
///
/// Apple: `Subscription`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for values, in addition to those that were asked for before.
  func request(_ demand: Subscribers.Demand)
}

/// Subscriptions that are ready to use.
///
/// Apple: `Subscriptions`.
public enum Subscriptions {
  /// A subscription of which nothing comes.
  public static var empty: any Subscription { EmptySubscription() }
}

private final class EmptySubscription: Subscription, CustomStringConvertible {
  var description: String { "Empty" }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

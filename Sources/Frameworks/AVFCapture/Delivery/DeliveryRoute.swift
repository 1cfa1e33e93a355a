internal import Linux

/// The way of samples to a client.
package protocol DeliveryRoute: AnyObject, Sendable {
  /// Whether samples that came this way may no longer reach the client.
  var isEnded: Bool { get }
}

/// Whether media still flows, shared by everything that must know it.
///
/// The session ends it before a commit or a stop returns. Thread-safe; calls no client.
package final class RouteLifetime: Sendable {
  private let ended = Locked(false)

  /// A route that media flows on.
  package init() {}

  /// Whether ``end()`` was called.
  package var isEnded: Bool { ended.withLock { $0 } }

  /// Lets no sample that is under way reach the client.
  package func end() { ended.withLock { $0 = true } }
}

internal import Linux

/// The way of samples to a client.
package protocol DeliveryRoute: AnyObject, Sendable {
  /// Whether samples that came this way may no longer reach the client.
  var isEnded: Bool { get }

  /// Notes that a sample was handed to the client, or that no client wants any; only the first counts.
  ///
  /// - Parameter token: The sample's ``CapturedFrame/inFlight``, held until what waits for the first sample has been notified.
  func noteDelivered(holding token: (any AnyObject & Sendable)?)
}

extension DeliveryRoute {
  /// For routes whose first sample nothing waits for.
  package func noteDelivered(holding token: (any AnyObject & Sendable)?) {}
}

/// The lifetime of a route, shared by everything that must know of its end.
///
/// The session ends it before a commit or a stop returns. Thread-safe; calls no client.
package final class RouteLifetime: Sendable {
  package typealias FirstSample = @Sendable (_ token: (any AnyObject & Sendable)?) -> Void

  private struct State {
    var isEnded = false
    var hasDelivered = false
    var first: FirstSample?
  }

  private let state = Locked(State())

  /// A route that media flows on.
  package init() {}

  /// Whether ``end()`` was called.
  package var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Lets no sample that is under way reach the client.
  package func end() {
    // What waits for a first sample goes after the lock is left.
    let first = state.withLock { state in
      state.isEnded = true
      return state.first.take()
    }
    withExtendedLifetime(first) {}
  }

  /// Whether a sample was handed to the client, or no client wanted it.
  package var hasDelivered: Bool { state.withLock { $0.hasDelivered } }

  /// Calls `body` once, when the first sample has been handed over; not at all when that has been, or the route ends before.
  ///
  /// On the thread that did it, which must not be blocked.
  package func notifyOfFirst(_ body: @escaping FirstSample) {
    let old = state.withLock { state -> FirstSample? in
      defer { if !state.hasDelivered, !state.isEnded { state.first = body } }
      return state.first
    }
    withExtendedLifetime(old) {}
  }

  /// As ``DeliveryRoute/noteDelivered(holding:)``.
  package func noteDelivered(holding token: (any AnyObject & Sendable)?) {
    let first = state.withLock { state -> FirstSample? in
      if state.hasDelivered { return nil }
      state.hasDelivered = true
      return state.first.take()
    }
    first?(token)
  }
}

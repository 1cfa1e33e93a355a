import EventPublishing
import Linux

/// A broker that does what a test says, in place of the library's functions.
final class ScriptedBroker: Sendable {
  struct Message: Sendable, Hashable {
    var topic: String
    var text: String
    var isKept: Bool
  }

  /// The messages that it acknowledges by itself.
  enum Manners: Sendable {
    case everything, keptOnly, nothing
  }

  private struct State {
    var refusal: String?
    var manners: Manners
    var received: [Message] = []
    /// Connections so far; the newest is open while `isOpen`.
    var connection = 0
    var isOpen = false
    var lastNumber: Int32 = 0
    /// Numbers of events of the open connection that were not acknowledged.
    var unacknowledged: [Int32] = []
    var reports: [BrokerReport] = []
    var isWoken = false
    var farewells = 0
  }

  private let state: Monitor<State>

  init(_ manners: Manners = .everything, refusal: String? = nil) {
    state = Monitor(State(refusal: refusal, manners: manners))
  }

  /// The longest that a test waits for what should come at once.
  static var limit: MonotonicInstant { .now.advanced(byNanoseconds: 50_000_000_000) }

  // MARK: What a test says and sees

  var received: [Message] { state.withLock { $0.received } }

  /// The events, without what it keeps.
  var events: [String] { received.filter { !$0.isKept }.map(\.text) }

  var farewells: Int { state.withLock { $0.farewells } }

  /// Why connections are refused from now on; `nil` takes them.
  func refuse(_ reason: String?) { state.withLock { $0.refusal = reason } }

  func setManners(_ manners: Manners) { state.withLock { $0.manners = manners } }

  /// Blocks until so many events have come; whether they have.
  func hasEvents(_ count: Int) -> Bool {
    state.wait(until: Self.limit, for: { $0.received.count { !$0.isKept } >= count }, then: { _ in true })
      ?? false
  }

  /// Acknowledges the oldest events that it was sent on this connection.
  func acknowledge(_ count: Int) {
    state.withLock { state in
      state.reports += state.unacknowledged.prefix(count).map { .acknowledged($0) }
      state.unacknowledged.removeFirst(min(count, state.unacknowledged.count))
    }
  }

  /// Breaks the connection.
  func cut() { state.withLock { $0.isOpen = false } }

  func makeLink() -> any BrokerLink { Link(broker: self) }

  // MARK: The connection

  private final class Link: BrokerLink {
    let broker: ScriptedBroker
    init(broker: ScriptedBroker) { self.broker = broker }

    func connect() throws(PublishingError) {
      let refusal = broker.state.withLock { state in
        if state.refusal == nil {
          state.connection += 1
          state.isOpen = true
          (state.unacknowledged, state.reports) = ([], [.welcome])
        }
        return state.refusal
      }
      if let refusal { throw PublishingError(refusal) }
    }

    func publish(_ payload: [UInt8], to topic: String, isKept: Bool) throws(PublishingError) -> Int32 {
      let number: Int32? = broker.state.withLock { state in
        guard state.isOpen else { return nil }
        state.lastNumber += 1
        let text = String(decoding: payload, as: UTF8.self)
        state.received.append(Message(topic: topic, text: text, isKept: isKept))
        switch state.manners {
        // The acknowledgement is there before the number is known.
        case .everything: state.reports.append(.acknowledged(state.lastNumber))
        case .keptOnly where isKept: state.reports.append(.acknowledged(state.lastNumber))
        case .keptOnly, .nothing: state.unacknowledged.append(state.lastNumber)
        }
        return state.lastNumber
      }
      guard let number else { throw PublishingError("the connection is lost") }
      return number
    }

    func step(until moment: MonotonicInstant) throws(PublishingError) -> [BrokerReport] {
      let reports: [BrokerReport]?? = broker.state.wait(
        until: moment, for: { !$0.reports.isEmpty || $0.isWoken || !$0.isOpen },
        then: { state in
          defer { (state.reports, state.isWoken) = ([], false) }
          return state.isOpen ? state.reports : nil
        })
      guard case .some(.none) = reports else { return (reports ?? []) ?? [] }
      throw PublishingError("the connection is lost")
    }

    func disconnect() { broker.state.withLock { $0.farewells += 1 } }

    func wake() { broker.state.withLock { $0.isWoken = true } }
  }
}

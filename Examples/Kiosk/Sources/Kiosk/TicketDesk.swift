/// The tickets of an event: each lets its owner in once.
public struct TicketDesk: Sendable {
  /// The answer to a ticket.
  public enum Answer: String, Sendable, Hashable {
    case welcome = "Welcome!"
    case used = "This ticket was used already."
    case unknown = "This is no ticket of today."
  }

  private var open: Set<String>
  private var used: Set<String> = []

  /// A desk for the tickets of a list.
  public init(tickets: some Sequence<String>) {
    open = Set(tickets)
  }

  /// The number of guests who have come.
  public var guestCount: Int { used.count }

  /// Takes a ticket.
  public mutating func take(_ ticket: String) -> Answer {
    if open.remove(ticket) != nil {
      used.insert(ticket)
      return .welcome
    }
    return used.contains(ticket) ? .used : .unknown
  }
}

/// The events that wait for a broker, and which of them it was sent: a value without threads or files.
struct EventQueue {
  /// How many are sent and not acknowledged, at most.
  static let window = 16

  private(set) var events: [StoredEvent]
  private let capacity: Int
  /// The numbers by which the broker will acknowledge events.
  private var underWay: [Int32: UInt64] = [:]
  private var lastNumber: UInt64
  private var sentThrough: UInt64 = 0
  /// How many events were dropped for want of room.
  private(set) var droppedCount = 0

  /// A queue that begins with what is left of earlier runs.
  init(_ events: [StoredEvent], capacity: Int) {
    self.events = events
    self.capacity = max(1, capacity)
    lastNumber = events.last?.number ?? 0
  }

  /// Takes an event; what had to be dropped for it are the oldest ones.
  mutating func add(_ subject: String, _ payload: [UInt8]) -> (event: StoredEvent, dropped: [UInt64]) {
    lastNumber += 1
    let event = StoredEvent(number: lastNumber, subject: subject, payload: payload)
    events.append(event)
    return (event, trim())
  }

  /// Drops the oldest ones beyond the capacity.
  mutating func trim() -> [UInt64] {
    let dropped = events.prefix(max(0, events.count - capacity)).map(\.number)
    events.removeFirst(dropped.count)
    droppedCount += dropped.count
    return dropped
  }

  /// The next event to send; `nil` where there is none, or enough are under way.
  func next() -> StoredEvent? {
    guard underWay.count < Self.window else { return nil }
    return events.first { $0.number > sentThrough }
  }

  /// Notes that an event was sent, and the number of its acknowledgement.
  mutating func noteSent(_ event: StoredEvent, as number: Int32) {
    underWay[number] = event.number
    sentThrough = event.number
  }

  /// Takes an acknowledged event out; `nil` where the number is that of something else, or the event was dropped meanwhile.
  mutating func acknowledge(_ number: Int32) -> UInt64? {
    guard let event = underWay.removeValue(forKey: number),
      let index = events.firstIndex(where: { $0.number == event })
    else { return nil }
    events.remove(at: index)
    return event
  }

  /// Begins anew with the oldest one: the connection is another, and with it the numbers.
  mutating func restart() {
    underWay = [:]
    sentThrough = 0
  }
}

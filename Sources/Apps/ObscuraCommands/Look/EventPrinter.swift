internal import EventPublishing

/// Writes events of a camera the way that was asked for, and gives each a name.
final class EventPrinter {
  private let terminal: Terminal
  private let isJSON: Bool
  private let isOnce: Bool
  private let publisher: EventPublisher?
  private let names = EventNames()
  /// How many findings were printed.
  private(set) var count = 0

  /// - Parameter publisher: Gets each event of a camera, too.
  init(_ terminal: Terminal, isJSON: Bool, isOnce: Bool, publisher: EventPublisher? = nil) {
    self.terminal = terminal
    self.isJSON = isJSON
    self.isOnce = isOnce
    self.publisher = publisher
  }

  /// Whether all that was asked for is printed.
  var isDone: Bool { isOnce && count > 0 }

  /// Prints a finding that is no event of a camera, unless it is one too many.
  /// - Throws: ``CommandError`` when it cannot be written.
  func print(_ answer: any LookAnswer) throws {
    guard !isDone else { return }
    count += 1
    try write(answer)
  }

  /// Publishes and prints events of a camera, each with a name of its own, up to the last finding that was asked for.
  ///
  /// All are published before the first is printed: a reader of the answers who goes away takes no event along.
  /// - Throws: As ``print(_:)``.
  func print(events: [any LookAnswer]) throws {
    var named: [any LookAnswer] = []
    for event in events where !isDone {
      if event.isFinding { count += 1 }
      named.append(try publish(event))
    }
    for event in named { try write(event) }
  }

  /// Publishes an event, which gets a name of its own, and prints nothing.
  /// - Throws: ``CommandError`` where it cannot be told.
  @discardableResult
  func publish(_ event: any LookAnswer) throws -> any LookAnswer {
    var event = event
    event.id = names.next()
    if let publisher { publisher.publish(event.subject, Array(try Terminal.line(json: event).utf8)) }
    return event
  }

  private func write(_ answer: some LookAnswer) throws {
    if isJSON { try terminal.answer(json: answer) } else { try terminal.answer(answer.line) }
  }
}

/// Names that no other event has, of this run or another: by a repeated name a receiver sees that it has an event twice.
final class EventNames {
  private let prefix = run()
  private var count = 0

  /// A word that no other run has.
  static func run() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// The next one; names of a run go up by their last part.
  func next() -> String {
    count += 1
    return "\(prefix)-\(count)"
  }
}

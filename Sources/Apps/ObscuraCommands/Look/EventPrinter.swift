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

  /// Prints an event, unless it is one finding too many.
  /// - Throws: ``CommandError`` when it cannot be written.
  func print(_ answer: any LookAnswer) throws {
    if answer.isFinding {
      guard !isDone else { return }
      count += 1
    }
    try write(answer)
  }

  /// Prints an event of a camera, with a name of its own.
  /// - Throws: As ``print(_:)``.
  func print(event: any LookAnswer) throws {
    var event = event
    event.id = names.next()
    try print(event)
  }

  private func write(_ answer: some LookAnswer) throws {
    // First, so that a reader of the answers who goes away takes no event along.
    if let publisher { publisher.publish(answer.subject, Array(try Terminal.line(json: answer).utf8)) }
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

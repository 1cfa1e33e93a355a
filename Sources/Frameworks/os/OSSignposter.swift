internal import Linux

/// Marks intervals and moments of a program's work.
///
/// The end of an interval is a line of the level debug with its length. Apple: `OSSignposter`.
///
/// - Note: Unlike on Apple's platforms, where Instruments shows signposts, they are lines of the log, written when `OBSCURA_LOG=debug`.
public struct OSSignposter: Sendable {
  private let place: OSLog

  /// A signposter that writes nothing.
  public static let disabled = OSSignposter(logHandle: .disabled)

  /// A signposter of a program that names no subsystem.
  public init() {
    place = .default
  }

  /// A signposter of a category of a subsystem.
  public init(subsystem: String, category: String) {
    place = OSLog(subsystem: subsystem, category: category)
  }

  /// A signposter of a category that tools know.
  public init(subsystem: String, category: OSLog.Category) {
    place = OSLog(subsystem: subsystem, category: category)
  }

  /// A signposter beside a logger.
  public init(logger: Logger) {
    place = logger.log
  }

  /// A signposter that writes to this place.
  public init(logHandle: OSLog) {
    place = logHandle
  }

  /// Whether anything is written.
  public var isEnabled: Bool { place.signpostsEnabled }

  /// An identifier unlike all others.
  public func makeSignpostID() -> OSSignpostID {
    OSSignpostID(log: place)
  }

  /// The identifier of an object.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(log: place, object: object)
  }

  /// Begins an interval, whose state ends it.
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState(id: id)
  }

  /// Begins an interval, whose state ends it, with a message.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
  ) -> OSSignpostIntervalState {
    place.write(.debug) { "signpost \(name) begins: " + message.text(for: $0) }
    return OSSignpostIntervalState(id: id)
  }

  /// Ends an interval.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    end(name, state) { _ in "" }
  }

  /// Ends an interval with a message.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {
    end(name, state) { ": " + message.text(for: $0) }
  }

  /// Marks a moment.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {
    place.write(.debug) { _ in "signpost \(name)" }
  }

  /// Marks a moment with a message.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage) {
    place.write(.debug) { "signpost \(name): " + message.text(for: $0) }
  }

  /// Marks the interval in which the closure runs.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id)
    defer { endInterval(name, state) }
    return try task()
  }

  /// Marks the interval in which the closure runs, with a message.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage, around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id, message)
    defer { endInterval(name, state) }
    return try task()
  }

  private func end(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: (LogWriter) -> String) {
    guard let length = state.end() else { return }
    place.write(.debug) { "signpost \(name) took \(length / 1000) µs" + message($0) }
  }
}

/// An interval that has begun.
///
/// Apple: `OSSignpostIntervalState`.
public final class OSSignpostIntervalState: Sendable {
  let id: OSSignpostID
  private let begin = MonotonicInstant.now
  private let isOpen = Locked(true)

  init(id: OSSignpostID) {
    self.id = id
  }

  /// The billionths of a second since the beginning, the first time that it ends.
  func end() -> Int64? {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    return isFirst ? MonotonicInstant.now.nanoseconds - begin.nanoseconds : nil
  }
}

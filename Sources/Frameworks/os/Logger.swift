/// Writes messages of one subsystem and category.
///
/// Apple: `Logger`.
public struct Logger: Sendable {
  private let place: OSLog

  /// A logger of a program that names no subsystem.
  public init() {
    place = .default
  }

  /// A logger of a category of a subsystem, which is named like a domain in reverse.
  public init(subsystem: String, category: String) {
    place = OSLog(subsystem: subsystem, category: category)
  }

  /// A logger that writes to this place.
  public init(_ logObj: OSLog) {
    place = logObj
  }

  var log: OSLog { place }

  /// Writes a message.
  public func log(_ message: OSLogMessage) {
    log(level: .default, message)
  }

  /// Writes a message of this level.
  public func log(level: OSLogType, _ message: OSLogMessage) {
    place.write(level) { message.text(for: $0) }
  }

  /// Writes a message for debugging.
  public func trace(_ message: OSLogMessage) {
    log(level: .debug, message)
  }

  /// Writes a message for debugging.
  public func debug(_ message: OSLogMessage) {
    log(level: .debug, message)
  }

  /// Writes what helps, and is not needed.
  public func info(_ message: OSLogMessage) {
    log(level: .info, message)
  }

  /// Writes a message.
  public func notice(_ message: OSLogMessage) {
    log(level: .default, message)
  }

  /// Writes an error.
  public func warning(_ message: OSLogMessage) {
    log(level: .error, message)
  }

  /// Writes an error.
  public func error(_ message: OSLogMessage) {
    log(level: .error, message)
  }

  /// Writes a fault.
  public func critical(_ message: OSLogMessage) {
    log(level: .fault, message)
  }

  /// Writes a fault.
  public func fault(_ message: OSLogMessage) {
    log(level: .fault, message)
  }
}

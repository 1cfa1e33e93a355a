/// A place for messages: a subsystem and a category of it.
///
/// Lines go to the standard error stream. Apple: `OSLog`.
///
/// - Note: Unlike on Apple's platforms there is no store that is searched later: messages below the level of `OBSCURA_LOG` (`debug`, `info`,
///   `default`, `error`, `fault` or `off`; without it `default`) are never made.
public final class OSLog: Sendable {
  /// The categories that tools know.
  ///
  /// Apple: `OSLog.Category`.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// The category of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Moments that matter when a program is looked at in time.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// Moments of which few are wanted.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// Moments at which the stack is of interest.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  /// The place of a program that names none.
  public static let `default` = OSLog(name: nil)
  /// A place for nothing.
  public static let disabled = OSLog(name: nil, isDisabled: true)

  let name: String?
  private let isDisabled: Bool

  private init(name: String?, isDisabled: Bool = false) {
    self.name = name
    self.isDisabled = isDisabled
  }

  /// A category of a subsystem, which is named like a domain in reverse.
  public convenience init(subsystem: String, category: String) {
    self.init(name: "\(subsystem):\(category)")
  }

  /// A category of a subsystem that tools know.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  /// Whether messages of this level are written.
  public func isEnabled(type: OSLogType) -> Bool {
    !isDisabled && LogWriter.current.writes(type)
  }

  /// Writes a message that is made when its level is written.
  func write(_ type: OSLogType, _ text: (LogWriter) -> String) {
    let writer = LogWriter.current
    guard !isDisabled, writer.writes(type) else { return }
    writer.log(type, name, text(writer))
  }

  /// Whether signposts are written, which is when messages for debugging are.
  public var signpostsEnabled: Bool {
    isEnabled(type: .debug)
  }
}

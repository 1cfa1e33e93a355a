/// How important a message is.
///
/// Apple: `OSLogType`.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8

  /// The level of this number.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The level of this number.
  public init(_ rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// What is always worth a line.
  public static let `default` = OSLogType(0x00)
  /// What helps, and is not needed.
  public static let info = OSLogType(0x01)
  /// What helps while a program is being written.
  public static let debug = OSLogType(0x02)
  /// An error of the program.
  public static let error = OSLogType(0x10)
  /// A fault that involves others, or a mistake in the program.
  public static let fault = OSLogType(0x11)
}

extension OSLogType {
  /// The word in a line, systemd's number, and the place in the order of importance.
  var traits: (word: String, priority: Int, rank: Int) {
    switch self {
    case .debug: ("debug", 7, 0)
    case .info: ("info", 6, 1)
    case .error: ("error", 3, 3)
    case .fault: ("fault", 2, 4)
    default: ("notice", 5, 2)
    }
  }
}

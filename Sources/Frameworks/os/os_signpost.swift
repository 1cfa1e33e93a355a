internal import Foundation

/// The kind of a signpost.
///
/// Apple: `OSSignpostType`.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
  /// Apple's number.
  public let rawValue: UInt8

  /// The kind of this number.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A moment.
  public static let event = OSSignpostType(rawValue: 0)
  /// The beginning of an interval.
  public static let begin = OSSignpostType(rawValue: 1)
  /// The end of an interval.
  public static let end = OSSignpostType(rawValue: 2)

  var word: String {
    switch self {
    case .begin: " begins"
    case .end: " ends"
    default: ""
    }
  }
}

/// Marks a moment, or the beginning or end of an interval.
///
/// Apple: `os_signpost(_:dso:log:name:signpostID:)`.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {
  log.write(.debug) { _ in "signpost \(name)\(type.word)" }
}

/// Marks a moment, or the beginning or end of an interval, with a message of a format and its arguments.
///
/// Apple: `os_signpost(_:dso:log:name:signpostID:_:_:)`.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {
  log.write(.debug) { "signpost \(name)\(type.word): " + MessageFormat("\(format)").text(arguments, $0) }
}

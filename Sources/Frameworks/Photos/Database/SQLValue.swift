internal import Foundation

/// A value that goes into a statement.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes(Data)

  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// The number of an enumeration's case.
  init(_ value: some RawRepresentable<Int>) { self = .integer(Int64(value.rawValue)) }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  init(_ value: UUID) { self = .bytes(withUnsafeBytes(of: value.uuid) { Data($0) }) }
  init(_ value: Data?) { self = value.map { .bytes($0) } ?? .null }
  init(_ value: Date?) { self = value.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null }
}

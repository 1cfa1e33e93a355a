/// A reason why text cannot be read, as one sentence.
package struct TextReadingError: Error, Hashable, CustomStringConvertible {
  /// What it is about.
  package enum Code: Sendable, Hashable {
    /// The machine lacks the library, or the data of a language.
    case notInstalled
    /// The reading was ended by its watch.
    case cancelled
    /// The library failed.
    case failed
  }

  /// What it is about.
  package let code: Code
  package let description: String
}

extension [CChar] {
  /// What the library wrote into it, up to the zero.
  var reason: String { String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

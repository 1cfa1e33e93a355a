internal import Linux

/// The log of the library, for the person who runs it: one line each on standard error.
package enum Log {
  /// Writes `sentence` as one line.
  ///
  /// Thread-safe.
  package static func note(_ sentence: String) {
    StandardStreams.complain("obscura: \(sentence)\n")
  }
}

package import Linux

/// An error of writing or reading a movie.
package struct MovieFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reasons that callers distinguish.
  package enum Reason: Sendable, Hashable {
    /// The kernel refused; ``MovieFileError/system`` says why.
    case system
    /// The file is no movie, or is damaged.
    case damaged
    /// The media does not fit the file or what came before.
    case unsuitable
    /// Another program removed, moved or changed the file while it was written.
    case displaced
  }

  /// The reason that callers distinguish.
  package let reason: Reason
  /// One sentence: what failed and why.
  package let description: String
  /// The kernel's refusal.
  package let system: SystemError?

  /// An error with a sentence.
  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
    system = nil
  }

  /// The kernel's refusal.
  package init(_ system: SystemError) {
    reason = .system
    description = system.description
    self.system = system
  }
}

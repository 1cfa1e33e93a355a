internal import Linux

/// Reports what rendering could not do, for its interface has no errors.
enum RenderLog {
  /// Writes one sentence to standard error.
  static func report(_ sentence: String) {
    StandardStreams.complain("obscura: \(sentence)\n")
  }
}

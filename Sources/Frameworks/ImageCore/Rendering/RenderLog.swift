internal import Linux

/// Where rendering, which has no errors in its interface, says what it could not do.
enum RenderLog {
  /// Writes one sentence to standard error.
  static func report(_ sentence: String) {
    StandardStreams.complain("obscura: \(sentence)\n")
  }
}

/// The login that a broker asks for beside its address, and the certificates by which it proves who it is.
package struct BrokerLogin: Sendable, Hashable {
  package var user: String?
  package var password: String?
  /// The file of the certificates by which the broker's own is checked; `nil` for those of the machine.
  package var certificates: String?

  /// A login as anyone.
  package init() {}

  /// Reads lines of a file: `user=NAME`, `password=WORD` and `ca=FILE`, each once at most; lines that begin with `#` are for people.
  ///
  /// - Throws: ``PublishingError`` with the second half of a sentence, for any other line.
  package init(text: String) throws(PublishingError) {
    var values: [Substring: String] = [:]
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard !line.allSatisfy(\.isWhitespace), !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The line is not quoted: it may be the password.
      guard parts.count == 2, ["user", "password", "ca"].contains(parts[0]), !parts[1].isEmpty,
        values.updateValue(String(parts[1]), forKey: parts[0]) == nil
      else {
        throw PublishingError(
          "line \(number + 1) is none of user=NAME, password=WORD and ca=FILE, or comes twice; mend it.")
      }
    }
    (user, password, certificates) = (values["user"], values["password"], values["ca"])
  }
}

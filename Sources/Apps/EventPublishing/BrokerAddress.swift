internal import Foundation

/// The place where events go: a broker, and the topic below which they stand there.
package struct BrokerAddress: Sendable, Hashable {
  package var host: String
  package var port: Int
  /// Without slashes at its ends: `home/door`.
  package var topic: String
  package var user: String?
  /// Whether the connection is encrypted and the broker's certificate checked.
  package var isEncrypted: Bool

  /// The longest topic; the words below it fit into what brokers take.
  private static let longestTopic = 1000

  /// Reads `mqtt://[user@]host[:port]/topic`, or `mqtts://…`.
  ///
  /// - Throws: ``PublishingError`` where it is none, or holds a password.
  package init(_ text: String) throws(PublishingError) {
    let shape = "write it like mqtt://server/home/door"
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["mqtt", "mqtts"].contains(scheme)
    else { throw PublishingError("it is no address of a broker; \(shape).") }
    guard parts.password == nil else {
      throw PublishingError(
        "it holds a password, which every user of the machine could read in the list of processes; write it into a file of mode 600, and name that with --login."
      )
    }
    guard let host = parts.host, !host.isEmpty else { throw PublishingError("it names no host; \(shape).") }
    guard parts.query == nil, parts.fragment == nil else {
      throw PublishingError("it holds more than a topic behind the host; \(shape).")
    }
    isEncrypted = scheme == "mqtts"
    port = parts.port ?? (isEncrypted ? 8883 : 1883)
    guard (1...65535).contains(port) else {
      throw PublishingError("its port is not a number from 1 to 65535; \(shape).")
    }
    // An address of version 6 stands between brackets.
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    topic = parts.path.hasPrefix("/") ? String(parts.path.dropFirst()) : parts.path
    while topic.hasSuffix("/") { topic.removeLast() }
    guard !topic.isEmpty else { throw PublishingError("it names no topic; \(shape).") }
    guard !topic.unicodeScalars.contains(where: { "+#".unicodeScalars.contains($0) || $0.value < 32 }),
      !topic.hasPrefix("$"), topic.utf8.count <= Self.longestTopic
    else {
      throw PublishingError(
        "its topic has +, #, $ at the beginning, or more than \(Self.longestTopic) bytes; name a plain one.")
    }
  }

  /// The broker for people.
  package var shown: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The topic of a word below ours.
  package func topic(of word: String) -> String { "\(topic)/\(word)" }

  /// The name of the folder in which events for it wait.
  package var folderName: String {
    let text = "\(isEncrypted ? "mqtts" : "mqtt")://\(user.map { "\($0)@" } ?? "")\(shown)/\(topic)"
    let allowed = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
    let plain = String(String.UnicodeScalarView(topic.unicodeScalars.map { allowed.contains($0) ? $0 : "_" }))
    // FNV-1a, which is the same in every process.
    let number = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(plain.prefix(60))-\(String(number, radix: 36))"
  }
}

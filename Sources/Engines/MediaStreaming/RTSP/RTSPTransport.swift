/// A camera's answer to the question how a stream is sent.
///
/// Source: RFC 2326, section 12.39.
package struct RTSPTransport: Sendable {
  /// Whether it is sent by the connection; else by UDP.
  package let isInterleaved: Bool
  /// The channels of media and reports on the connection; `nil` where it does not say.
  package let channels: (media: UInt8, reports: UInt8)?
  /// The camera's ports; `nil` where it does not say.
  package let ports: (media: UInt16, reports: UInt16)?
  /// The machine that sends, where it is another.
  package let source: String?

  /// Reads the field; `nil` for what is none.
  package init?(_ text: String) {
    let parts = text.split(separator: ",").first?.split(separator: ";") ?? []
    guard let first = parts.first, first.uppercased().hasPrefix("RTP/") else { return nil }
    func value(_ name: String) -> String? {
      parts.first { $0.lowercased().hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
    func pair<Number: FixedWidthInteger>(_ text: String?) -> (Number, Number)? {
      let numbers = (text ?? "").split(separator: "-").map { Number($0.filter { $0 != " " }) }
      guard let one = numbers.first ?? nil else { return nil }
      return (one, (numbers.count > 1 ? numbers[1] : nil) ?? one &+ 1)
    }
    isInterleaved = first.uppercased().hasSuffix("/TCP")
    channels = isInterleaved ? pair(value("interleaved")).map { (media: $0.0, reports: $0.1) } : nil
    ports = pair(value("server_port")).map { (media: $0.0, reports: $0.1) }
    source = value("source")
  }
}

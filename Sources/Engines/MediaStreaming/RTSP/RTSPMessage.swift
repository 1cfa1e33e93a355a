internal import Foundation

/// A request or an answer by RTSP.
///
/// Source: RFC 2326, sections 4 to 7; RFC 7826 differs in nothing that is read here.
package struct RTSPMessage: Sendable {
  /// The first line.
  package enum Start: Sendable, Hashable {
    case request(method: String, address: String)
    case answer(status: Int)
  }

  /// The most bytes of a head, its first line among them.
  package static let mostHead = 1 << 14
  /// The most bytes of a body: of the description of streams.
  package static let mostBody = 1 << 16

  /// The first line.
  package var start: Start
  /// The lines of the head: names in small letters, and values.
  package var fields: [(name: String, value: String)]
  /// What follows the head.
  package var body: [UInt8] = []

  package init(_ start: Start, fields: [(name: String, value: String)] = []) {
    self.start = start
    self.fields = fields
  }

  /// Reads a head; `nil` for what is none.
  ///
  /// - Parameter head: Its lines, each with its end.
  package init?(head: some Collection<UInt8>) {
    var lines: [String] = []
    for line in String(decoding: head, as: UTF8.self).split(
      omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    {
      // A value may go on in the next line.
      if line.first == " " || line.first == "\t", let last = lines.indices.last, last > 0 {
        lines[last] += " " + line.trimmingCharacters(in: .whitespaces)
      } else {
        lines.append(String(line))
      }
    }
    guard let first = lines.first, let start = Self.start(first) else { return nil }
    self.start = start
    fields = lines.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (
        parts[0].trimmingCharacters(in: .whitespaces).lowercased(),
        parts[1].trimmingCharacters(in: .whitespaces)
      )
    }
  }

  private static func start(_ line: String) -> Start? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2 else { return nil }
    if words[0].hasPrefix("RTSP/") {
      guard words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else { return nil }
      return .answer(status: status)
    }
    guard words.count == 3, words[2].hasPrefix("RTSP/"),
      words[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
    else { return nil }
    return .request(method: words[0].uppercased(), address: String(words[1]))
  }

  /// The status of an answer; `nil` of a request.
  package var status: Int? {
    if case .answer(let status) = start { status } else { nil }
  }

  /// The first value of a field.
  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// All values of a field.
  package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map { $0.value } }

  /// The number that an answer shares with its request; `nil` for none.
  package var number: Int? { self["cseq"].flatMap { Int($0) } }

  /// How many bytes follow the head; `nil` for more than are read.
  package var length: Int? {
    guard let text = self["content-length"] else { return 0 }
    guard let length = Int(text), length >= 0, length <= Self.mostBody else { return nil }
    return length
  }

  /// The message as it is sent.
  package var bytes: [UInt8] {
    var lines: [String]
    switch start {
    case .request(let method, let address): lines = ["\(method) \(address) RTSP/1.0"]
    case .answer(let status): lines = ["RTSP/1.0 \(status) \(status == 200 ? "OK" : "Not Implemented")"]
    }
    lines += fields.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}

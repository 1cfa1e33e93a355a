internal import Foundation
package import MediaStreaming

/// An answer by HTTP: its status, its head and its body, all of bounded size.
///
/// Source: RFC 9112.
package struct HTTPAnswer: Sendable {
  /// The most bytes of a head.
  package static let mostHead = 1 << 14

  /// The status: 200, 401.
  package let status: Int
  /// The lines of the head: names in small letters, and values.
  package let fields: [(name: String, value: String)]
  /// The body, without what divided it.
  package let body: [UInt8]

  /// Reads an answer to its end.
  ///
  /// - Throws: ``NetworkProblem``: that of the source, or `other` for what is no answer, too large or cut.
  package init(_ source: some AnswerSource) throws(NetworkProblem) {
    var reader = HTTPReader(source)
    var line = try reader.line()
    var said = Self.status(line)
    var fields = try reader.fields()
    // What comes before the answer proper.
    if let early = said, early / 100 == 1 {
      line = try reader.line()
      said = Self.status(line)
      fields = try reader.fields()
    }
    guard let status = said else { throw NetworkProblem(.other, "it does not answer by HTTP") }
    self.status = status
    self.fields = fields
    let coding = fields.first { $0.name == "transfer-encoding" }?.value.lowercased()
    let length = fields.first { $0.name == "content-length" }?.value
    if let coding, coding.contains("chunked") {
      body = try reader.chunks()
    } else if let length {
      guard let count = Int(length), count >= 0, count <= MarkupReader.mostBytes else {
        throw NetworkProblem(.other, "its answer is too large")
      }
      body = try reader.bytes(count)
    } else {
      body = try reader.rest()
    }
  }

  private static func status(_ line: String) -> Int? {
    let words = line.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else { return nil }
    return Int(words[1])
  }

  /// The values of a field.
  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map { $0.value } }
}

/// Takes an answer's bytes apart as they come.
private struct HTTPReader<Source: AnswerSource> {
  private var source: Source
  private var waiting: [UInt8] = []
  private var headBytes = 0

  init(_ source: Source) {
    self.source = source
  }

  private static var cut: NetworkProblem { NetworkProblem(.ended, "its answer is cut") }
  private static var tooLarge: NetworkProblem { NetworkProblem(.other, "its answer is too large") }

  /// The next line, without its end.
  mutating func line() throws(NetworkProblem) -> String {
    while true {
      if let end = waiting.firstIndex(of: 0x0A) {
        let line = waiting[..<end]
        headBytes += line.count + 1
        guard headBytes <= HTTPAnswer.mostHead else { throw Self.tooLarge }
        let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        waiting.removeFirst(end + 1)
        return text
      }
      guard headBytes + waiting.count <= HTTPAnswer.mostHead else { throw Self.tooLarge }
      let more = try source.next()
      guard !more.isEmpty else { throw Self.cut }
      waiting += more
    }
  }

  /// The lines up to an empty one.
  mutating func fields() throws(NetworkProblem) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    while true {
      let line = try self.line()
      if line.isEmpty { return fields }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      fields.append((parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)))
    }
  }

  /// So many bytes.
  mutating func bytes(_ count: Int) throws(NetworkProblem) -> [UInt8] {
    while waiting.count < count {
      let more = try source.next()
      guard !more.isEmpty else { throw Self.cut }
      waiting += more
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  /// What comes until the camera hangs up.
  mutating func rest() throws(NetworkProblem) -> [UInt8] {
    while true {
      guard waiting.count <= MarkupReader.mostBytes else { throw Self.tooLarge }
      let more = try source.next()
      if more.isEmpty { return waiting }
      waiting += more
    }
  }

  /// A body in pieces, each behind its size.
  mutating func chunks() throws(NetworkProblem) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      headBytes = 0
      let size = try self.line().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard let count = Int(size, radix: 16), count >= 0 else {
        throw NetworkProblem(.other, "it does not answer by HTTP")
      }
      guard count <= MarkupReader.mostBytes - body.count else { throw Self.tooLarge }
      if count == 0 { return body }
      body += try self.bytes(count)
      _ = try self.line()
    }
  }
}

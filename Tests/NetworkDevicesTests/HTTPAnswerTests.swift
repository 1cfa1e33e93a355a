import MediaStreaming
import NetworkDevices
import Testing

@Suite("Answers by HTTP")
struct HTTPAnswerTests {
  /// Bytes that come in pieces, again and again where that is wanted.
  private struct Pieces: AnswerSource {
    var waiting: [String]
    var isEndless = false

    mutating func next() throws(NetworkProblem) -> [UInt8] {
      guard let first = waiting.first else { return [] }
      if !isEndless || waiting.count > 1 { waiting.removeFirst() }
      return Array(first.utf8)
    }
  }

  private func text(_ pieces: String..., isEndless: Bool = false) throws -> String {
    let answer = try HTTPAnswer(Pieces(waiting: pieces.filter { !$0.isEmpty }, isEndless: isEndless))
    return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
  }

  @Test func `a body ends with its length, its last piece, or the connection`() throws {
    #expect(try text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef") == "200 abc")
    #expect(try text("HTTP/1.1 20", "0 OK\r\ncontent-LENGTH:3\r", "\n\r\na", "b", "c") == "200 abc")
    #expect(
      try text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\na\r", "\n2\r\nbc\r\n0\r\n\r\n")
        == "200 abc")
    #expect(try text("HTTP/1.0 401 No\nX\n\nab", "c") == "401 abc")
    #expect(try text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc") == "200 abc")
  }

  @Test(arguments: [
    ["", "ended"], ["HTTP/1.1 200 OK\r\n", "ended"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", "ended"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabc", "ended"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "other"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", "other"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "other"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "other"],
    ["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "other"], ["RTSP/1.0 200 OK\r\n\r\n", "other"],
    ["HTTP/1.1 OK\r\n\r\n", "other"],
  ])
  func `what is cut, too large or no answer is said`(answer: [String]) {
    let problem = #expect(throws: NetworkProblem.self) { try text(answer[0]) }
    #expect(problem.map { "\($0.kind)" } == answer[1])
  }

  @Test func `an answer without an end is left`() {
    let line = String(repeating: "a", count: 1000)
    for start in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
      let problem = #expect(throws: NetworkProblem.self) { try text(start, line, isEndless: true) }
      #expect(problem?.description == "its answer is too large")
    }
    let problem = #expect(throws: NetworkProblem.self) {
      try text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3e8\r\n\(line)\r\n", isEndless: true)
    }
    #expect(problem?.description == "its answer is too large")
  }
}

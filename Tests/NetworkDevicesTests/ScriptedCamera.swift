import Foundation
import Glibc
import Linux
import NetworkStage

/// A camera of the network that answers each request by RTSP with the bytes of a script, and does nothing of its own accord.
final class ScriptedCamera: Sendable {
  /// A request: its method, its address, and its fields.
  struct Request: Sendable {
    let method: String
    let address: String
    let lines: [String]

    func value(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// An answer to it, as it is sent.
    func answer(_ status: Int = 200, _ fields: [String] = [], body: String = "") -> [UInt8] {
      let lines =
        ["RTSP/1.0 \(status) Answer", "CSeq: \(value("CSeq") ?? "0")"] + fields
        + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
      return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
  }

  private struct State {
    var requests: [Request] = []
    var sockets: [Int32] = []
    var listener: Int32
  }

  let port: UInt16
  private let state: Monitor<State>
  private let script: @Sendable (Request) -> [UInt8]

  /// A camera that listens.
  ///
  /// - Parameter script: The answer to a request, and what is sent behind it.
  init(_ script: @escaping @Sendable (Request) -> [UInt8]) throws {
    let (listener, port) = try LocalSocket.listening()
    self.port = port
    self.script = script
    state = Monitor(State(listener: listener))
    Thread.detachNewThread { [weak self] in
      while true {
        let number = Glibc.accept(listener, nil, nil)
        guard number >= 0, let self else {
          if number >= 0 { Glibc.close(number) }
          break
        }
        state.withLock { $0.sockets.append(number) }
        Thread.detachNewThread { [weak self] in
          while let lines = RTSPServer.request(from: number) {
            guard let self else { break }
            serve(lines, number)
          }
          self?.state.withLock { state in state.sockets.removeAll { $0 == number } }
          Glibc.close(number)
        }
      }
      Glibc.close(listener)
    }
  }

  deinit { close() }

  func close() {
    state.withLock { state in
      if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
      state.listener = -1
      for number in state.sockets { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }

  var address: String { "rtsp://127.0.0.1:\(port)/camera" }

  /// All that was asked, and answered: the first line's first word is the method.
  var requests: [Request] { state.withLock { $0.requests } }

  /// Waits until something was asked; whether it was.
  func wait(for condition: ([Request]) -> Bool) -> Bool {
    state.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { condition($0.requests) },
      then: { _ in true })
      ?? false
  }

  private func serve(_ lines: [String], _ number: Int32) {
    let words = lines[0].split(separator: " ")
    let request = Request(
      method: String(words.first ?? ""), address: words.count > 1 ? String(words[1]) : "",
      lines: Array(lines.dropFirst()))
    let answer = request.method.hasPrefix("RTSP/") ? [] : script(request)
    state.withLock { $0.requests.append(request) }
    var sent = 0
    while sent < answer.count {
      let count = answer[sent...].withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}

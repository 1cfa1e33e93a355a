internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaStreaming

/// Questions to one camera's services, with a login where it asks for one.
///
/// It begins without one; the login's proof goes to a camera only after it has asked. Redirects are not followed. Used by one thread.
struct ONVIFConversation {
  /// A camera that wants a login: none, or another.
  struct LoginRefusal: Error {}

  private enum Manner {
    case open, token
  }

  private let host: IPv4Place
  private let times: SearchTimes
  private let deadline: MonotonicInstant
  private let login: (user: String, password: String)?
  private var manner = Manner.open
  /// How far the camera's clock is ahead of ours, in seconds.
  var clockLead: Double = 0

  /// - Parameter login: The name and password for it; `nil` for none.
  init(
    _ host: IPv4Place, times: SearchTimes, deadline: MonotonicInstant,
    login: (user: String, password: String)?
  ) {
    self.host = host
    self.times = times
    self.deadline = deadline
    self.login = login
  }

  /// The body of the answer to a question.
  ///
  /// - Parameters:
  ///   - body: The question's body.
  ///   - service: Where the service is on the camera.
  /// - Throws: ``LoginRefusal``, ``NetworkProblem``.
  mutating func answer(to body: String, at service: (port: UInt16, path: String)) throws -> MarkupElement {
    if manner == .open {
      let first = try exchange(body, service)
      guard Self.wantsLogin(first) else { return try Self.content(first) }
      guard let login else { throw LoginRefusal() }
      if let digest = first.answer.values("www-authenticate").compactMap({ HTTPDigest($0) }).first {
        let field = digest.authorization(
          user: login.user, password: login.password, method: "POST", path: service.path,
          own: Self.random(8).map { String($0, radix: 16) }.joined())
        let second = try exchange(body, service, authorization: field)
        if !Self.wantsLogin(second) { return try Self.content(second) }
      }
    }
    guard let login else { throw LoginRefusal() }
    let token = UsernameToken(
      user: login.user, password: login.password, nonce: Self.random(16),
      date: WorldTime.machine.date.addingTimeInterval(clockLead))
    let last = try exchange(body, service, token: token)
    guard !Self.wantsLogin(last) else { throw LoginRefusal() }
    manner = .token
    return try Self.content(last)
  }

  // MARK: One question

  private typealias Exchange = (answer: HTTPAnswer, envelope: MarkupElement?)

  private func exchange(
    _ body: String, _ service: (port: UInt16, path: String), token: UsernameToken? = nil,
    authorization: String? = nil
  ) throws(NetworkProblem) -> Exchange {
    let message = Array(SOAPMessage.request(body, token: token).utf8)
    let lines = [
      "POST \(service.path) HTTP/1.1", "Host: \(host.host):\(service.port)", "User-Agent: Obscura",
      "Content-Type: application/soap+xml; charset=utf-8", "Content-Length: \(message.count)",
      "Connection: close",
    ]
    let head = (lines + (authorization.map { ["Authorization: \($0)"] } ?? [])).joined(separator: "\r\n")
    let place = IPv4Place(address: host.address, port: service.port)
    let end = min(deadline, times.deadline(times.request))
    let connection = try BoundedConnection(to: place, until: end, times.now)
    try connection.send(Array("\(head)\r\n\r\n".utf8) + message)
    let answer = try HTTPAnswer(connection)
    return (answer, MarkupReader.document(answer.body))
  }

  /// Whether the answer is that a login is wanted, by HTTP or by a fault.
  private static func wantsLogin(_ exchange: Exchange) -> Bool {
    if exchange.answer.status == 401 { return true }
    guard let fault = exchange.envelope?.child("Body", "Fault") else { return false }
    return fault.all("Value").contains {
      let word = $0.text.split(separator: ":").last.map(String.init) ?? ""
      return ["NotAuthorized", "FailedAuthentication", "SenderNotAuthorized"].contains(word)
    }
  }

  private static func content(_ exchange: Exchange) throws(NetworkProblem) -> MarkupElement {
    let status = exchange.answer.status
    if status / 100 == 3 {
      throw NetworkProblem(.other, "it sends its questions elsewhere (HTTP \(status)), which is not followed")
    }
    guard let body = exchange.envelope?.child("Body") else {
      let reason = status == 200 ? "it answers something else than ONVIF" : "it answers with HTTP \(status)"
      throw NetworkProblem(.other, reason)
    }
    guard let content = body.children.first, content.name != "Fault" else {
      throw NetworkProblem(.other, "it refuses to answer")
    }
    return content
  }

  private static func random(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }
}

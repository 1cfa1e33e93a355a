internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaStreaming

/// Questions to one camera's services, with a login where it asks for one.
///
/// It begins without one; the login is looked for, and its proof goes to a camera, only after it has asked. One that is refused is not
/// sent again: cameras lock accounts after some wrong passwords. Redirects are not followed. Used by one thread.
struct ONVIFConversation {
  /// A camera that wants a login: none, or another.
  struct LoginRefusal: Error {}

  private enum Manner {
    case open
    case digest(HTTPDigest, count: UInt32)
    case token
  }

  private let host: IPv4Place
  private let times: SearchTimes
  private let deadline: MonotonicInstant
  private let findLogin: () -> CameraLogins.Login
  private var manner = Manner.open
  /// Whether the camera takes what one question was answered with for a second.
  private var canRepeat = true
  private var isAccepted = false
  private var isRefused = false
  /// The name and password for the camera; `nil` until it wants them.
  private(set) var login: CameraLogins.Login?
  /// Whether it has answered at all.
  private(set) var hasAnswered = false
  /// How far the camera's clock is ahead of ours, in seconds.
  var clockLead: Double = 0

  /// - Parameter login: Looks for the name and password for it, once; may block.
  init(
    _ host: IPv4Place, times: SearchTimes, deadline: MonotonicInstant,
    login: @escaping () -> CameraLogins.Login
  ) {
    self.host = host
    self.times = times
    self.deadline = deadline
    findLogin = login
  }

  /// Whether its time is over.
  var isOver: Bool { times.now() >= deadline }

  /// The body of the answer to a question.
  ///
  /// - Parameters:
  ///   - body: The question's body.
  ///   - service: Where the service is on the camera.
  /// - Throws: ``LoginRefusal``, ``NetworkProblem``.
  mutating func answer(to body: String, at service: (port: UInt16, path: String)) throws -> MarkupElement {
    switch manner {
    case .open:
      let first = try exchange(body, service)
      guard Self.wantsLogin(first) else { return try Self.content(first) }
      return try prove(body, service, after: first)
    case .digest(let digest, let count):
      manner = .digest(digest, count: count + 1)
      let next = try exchange(body, service, authorization: field(digest, service, count + 1))
      guard Self.wantsLogin(next) else { return try Self.content(next) }
      // It wants another number each time.
      (canRepeat, manner) = (false, .open)
      return try prove(body, service, after: next)
    case .token:
      return try proveByToken(body, service)
    }
  }

  // MARK: The login

  private mutating func prove(
    _ body: String, _ service: (port: UInt16, path: String), after refusal: Exchange
  ) throws -> MarkupElement {
    let login = self.login ?? findLogin()
    self.login = login
    guard case .known = login, !isRefused else { throw LoginRefusal() }
    if let digest = refusal.answer.values("www-authenticate").compactMap({ HTTPDigest($0) }).first {
      let second = try exchange(body, service, authorization: field(digest, service, 1))
      if !Self.wantsLogin(second) {
        isAccepted = true
        if canRepeat { manner = .digest(digest, count: 1) }
        return try Self.content(second)
      }
    }
    return try proveByToken(body, service)
  }

  private mutating func proveByToken(
    _ body: String, _ service: (port: UInt16, path: String)
  ) throws -> MarkupElement {
    guard case .known(let user, let password) = login else { throw LoginRefusal() }
    let token = UsernameToken(
      user: user, password: password, nonce: Self.random(16),
      date: WorldTime.machine.date.addingTimeInterval(clockLead))
    let last = try exchange(body, service, token: token)
    guard !Self.wantsLogin(last) else {
      // A user that is known may not ask everything.
      isRefused = !isAccepted
      throw LoginRefusal()
    }
    (isAccepted, manner) = (true, .token)
    return try Self.content(last)
  }

  /// The proof by a digest; `nil` for no login.
  private func field(_ digest: HTTPDigest, _ service: (port: UInt16, path: String), _ count: UInt32)
    -> String?
  {
    guard case .known(let user, let password) = login else { return nil }
    return digest.authorization(
      user: user, password: password, method: "POST", path: service.path,
      own: Self.random(8).map { String($0, radix: 16) }.joined(), count: count)
  }

  // MARK: One question

  private typealias Exchange = (answer: HTTPAnswer, envelope: MarkupElement?)

  private mutating func exchange(
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
    hasAnswered = true
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

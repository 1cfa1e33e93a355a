internal import Foundation

/// The name and password for one camera, and how it wants them proven.
///
/// Nothing is sent before the camera has asked, and what it refused is not sent again: cameras lock accounts.
struct RTSPLogin {
  private enum Manner {
    case open
    case basic
    case digest(HTTPDigest, count: UInt32)
  }

  private let user: String?
  private let password: String?
  private var manner = Manner.open
  private var wasSent = false
  private var isAccepted = false

  init(user: String?, password: String?) {
    self.user = user
    self.password = password
  }

  /// The field `Authorization` of a request; `nil` while the camera has not asked.
  mutating func authorization(method: String, address: String) -> String? {
    guard let user, let password else { return nil }
    switch manner {
    case .open: return nil
    case .basic:
      wasSent = true
      return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    case .digest(let digest, let count):
      wasSent = true
      manner = .digest(digest, count: count &+ 1)
      return digest.authorization(
        user: user, password: password, method: method, path: address,
        own: String(UInt64.random(in: .min ... .max), radix: 16), count: count)
    }
  }

  /// Notes that a request was answered.
  mutating func accept() { isAccepted = isAccepted || wasSent }

  /// Notes what the camera asks for; whether the request is worth a second try.
  mutating func note(_ challenges: [String]) -> Bool {
    guard user != nil, password != nil else { return false }
    // A number of its that is old is no word about the password.
    let isStale = challenges.contains {
      $0.lowercased().filter { $0 != "\"" && $0 != " " }.contains("stale=true")
    }
    guard !wasSent || isAccepted || isStale else { return false }
    if let digest = challenges.compactMap({ HTTPDigest($0) }).first {
      manner = .digest(digest, count: 1)
    } else if challenges.contains(where: { $0.lowercased().hasPrefix("basic") }) {
      manner = .basic
    } else {
      return false
    }
    return true
  }
}

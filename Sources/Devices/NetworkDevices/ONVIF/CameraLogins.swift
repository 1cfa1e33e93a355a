internal import Foundation
internal import Linux

/// The names and passwords for cameras that a search may use: those of `cameras.json`, and of the keyring.
///
/// A camera gets those alone that are its own: of an address with its host, which may also be a name for it. The login of an address that
/// is read over TLS is for a machine that has proven who it is, which a search asks of none: it is not used. Names and the keyring are
/// asked only for a camera that wants a login. Thread-safe.
package struct CameraLogins: Sendable {
  /// The login for one camera.
  enum Login: Sendable {
    /// There is no password, with half a sentence where it could not be looked for.
    case missing(user: String?, reason: String?)
    /// The password may be in the keyring, which is locked.
    case locked(user: String)
    case known(user: String, password: String)
  }

  private let known: [NetworkAddress]
  private let user: String?
  private let keyring: Keyring
  private let names: NameSearch
  /// Why the keyring does not answer; one that does not is asked once.
  private let silence = Locked<String?>(nil)

  /// - Parameters:
  ///   - known: Addresses of cameras, with what their file says of them.
  ///   - user: The name at cameras that stand in no file; `nil` for none. Their passwords are the keyring's.
  ///   - nameLimit: How long names of machines are looked for at once, in nanoseconds.
  ///   - lookUp: The addresses of a machine's name, which may block; the system's when `nil`.
  package init(
    known: [NetworkAddress], user: String? = nil, keyring: Keyring = Keyring(),
    nameLimit: Int64 = 3_000_000_000, lookUp: (@Sendable (String) -> [String])? = nil
  ) {
    self.known = known.filter { $0.user != nil && !["rtsps", "https", "rtmps"].contains($0.scheme) }
    self.user = user
    self.keyring = keyring
    names = NameSearch(
      limit: nameLimit,
      lookUp ?? { IPv4Place.addresses(of: $0).map { IPv4Place(address: $0, port: 0).host } })
  }

  /// The login for the camera at an address.
  ///
  /// Blocks while names are looked for, up to their limit, and until the keyring answers.
  func login(at host: String) -> Login {
    // The addresses of version 6 have colons.
    let named = known.map(\.host).filter { IPv4Place($0, port: 0) == nil && !$0.contains(":") }
    let addresses = named.isEmpty ? [:] : names.addresses(of: named)
    let own = known.filter { $0.host == host || addresses[$0.host]?.contains(host) == true }
    for entry in own {
      if let user = entry.user, let password = entry.password {
        return .known(user: user, password: password)
      }
    }
    guard let entry = own.first, let user = entry.user else {
      return user.map { kept($0, host) } ?? .missing(user: nil, reason: nil)
    }
    let login = kept(user, entry.host)
    if case .missing(_, nil) = login, entry.host != host { return kept(user, host) }
    return login
  }

  private func kept(_ user: String, _ host: String) -> Login {
    if let reason = silence.withLock({ $0 }) { return .missing(user: user, reason: reason) }
    switch keyring.password(of: user, at: host) {
    case .password(let password): return .known(user: user, password: password)
    case .locked: return .locked(user: user)
    case .absent: return .missing(user: user, reason: nil)
    case .unavailable(let reason):
      silence.withLock { $0 = reason }
      return .missing(user: user, reason: reason)
    }
  }
}

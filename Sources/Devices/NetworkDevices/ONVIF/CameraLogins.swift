internal import Foundation

/// The names and passwords for cameras that a search may use: those of `cameras.json`, and of the keyring.
///
/// A camera gets those alone that are its own: of an address with its host, which may also be a name for it.
package struct CameraLogins: Sendable {
  /// The login for one camera.
  enum Login: Sendable {
    case missing
    /// The password may be in the keyring, which is locked.
    case locked(user: String)
    case known(user: String, password: String)
  }

  private let known: [NetworkAddress]
  private let user: String?
  private let keyring: Keyring

  /// - Parameters:
  ///   - known: Addresses of cameras, with what their file says of them.
  ///   - user: The name at cameras that stand in no file; `nil` for none. Their passwords are the keyring's.
  package init(known: [NetworkAddress], user: String? = nil, keyring: Keyring = Keyring()) {
    self.known = known
    self.user = user
    self.keyring = keyring
  }

  /// The login for the camera at an address.
  ///
  /// Blocks while names are looked for, and until the keyring answers.
  func login(at host: String) -> Login {
    let own = known.first { $0.user != nil && isSame($0.host, host) }
    if let own, let user = own.user {
      if let password = own.password { return .known(user: user, password: password) }
      let login = kept(user, own.host)
      if case .missing = login { return kept(user, host) }
      return login
    }
    return user.map { kept($0, host) } ?? .missing
  }

  private func kept(_ user: String, _ host: String) -> Login {
    switch keyring.password(of: user, at: host) {
    case .password(let password): .known(user: user, password: password)
    case .locked: .locked(user: user)
    case .absent, .unavailable: .missing
    }
  }

  private func isSame(_ name: String, _ host: String) -> Bool {
    if name == host { return true }
    guard IPv4Place(name, port: 0) == nil, let place = IPv4Place(host, port: 0) else { return false }
    return IPv4Place.addresses(of: name).contains(place.address)
  }
}

package import CaptureDevice

/// A look for the passwords of a file's cameras that the file itself does not hold.
package struct KeyringDiagnosis: Sendable {
  private let path: String
  private let keyring: Keyring

  /// - Parameter path: Of the file, as ``KnownCameras/path(_:)`` has it.
  package init(_ path: String, keyring: Keyring = Keyring()) {
    self.path = path
    self.keyring = keyring
  }

  /// One finding for each camera with a name and without a password; none where the file cannot be read, which listing says.
  ///
  /// Blocks until the keyring answers; a keyring that does not is asked once.
  package var findings: [BackendFinding] {
    guard let known = try? KnownCameras(path: path) else { return [] }
    var silence: Keyring.Answer?
    return known.cameras.compactMap { camera -> BackendFinding? in
      guard let user = camera.address.user, camera.address.password == nil else { return nil }
      let answer = silence ?? keyring.password(of: user, at: camera.address.host)
      if case .unavailable = answer { silence = answer }
      return Self.finding(camera.name ?? camera.address.host, answer)
    }
  }

  private static func finding(_ name: String, _ answer: Keyring.Answer) -> BackendFinding {
    switch answer {
    case .password: BackendFinding(.fine, "The password of \(name) is in the keyring.")
    case .locked:
      BackendFinding(
        .note, "The keyring, which may have the password of \(name), is locked; unlock it, or log in anew.")
    case .absent:
      BackendFinding(
        .note,
        "\(name) has a user and no password, neither in cameras.json nor in the keyring; if the camera wants one, put it there."
      )
    case .unavailable(let reason):
      BackendFinding(
        .note,
        "\(name) has a user and no password in cameras.json, and the keyring cannot be asked, because \(reason); if the camera wants one, put it into cameras.json."
      )
    }
  }
}

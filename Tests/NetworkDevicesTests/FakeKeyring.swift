import BusStage
import CFakeKeyring
import Foundation
import Linux
import NetworkDevices

/// A desktop's keyring on a bus of its own, with the password of one camera.
final class FakeKeyring: Sendable {
  enum State: Int {
    case open, locked
    /// It takes questions and answers none.
    case hung
    /// It locks itself after the search.
    case locking
  }

  private struct Absence: Error {}

  let bus: PrivateSessionBus
  private let keyring: Locked<OpaquePointer?>

  init(_ state: State, server: String, user: String = "me", password: String = "s3cret/wörd") throws {
    bus = try PrivateSessionBus()
    let keyring = fake_keyring_start(bus.address, server, user, password, Int32(state.rawValue))
    guard let keyring else { throw Absence() }
    self.keyring = Locked(keyring)
  }

  deinit {
    let keyring = keyring.withLock { $0 }
    if let keyring { fake_keyring_stop(keyring) }
  }
}

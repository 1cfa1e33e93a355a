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

  /// How often it was asked.
  var questions: Int { keyring.withLock { $0.map { Int(fake_keyring_questions($0)) } ?? 0 } }

  /// Waits until it was asked so often; whether it was.
  func wait(forQuestions count: Int, until deadline: MonotonicInstant) -> Bool {
    // It stays until this object goes, and has a lock of its own.
    guard let keyring = keyring.withLock({ $0 }) else { return false }
    return fake_keyring_wait(keyring, Int32(count), deadline.nanoseconds) != 0
  }

  /// How many dialogs a keyring would have opened that unlocks what is searched.
  var dialogs: Int { keyring.withLock { $0.map { Int(fake_keyring_dialogs($0)) } ?? 0 } }

  /// Keeps another password from then on.
  func setPassword(_ password: String) {
    keyring.withLock { keyring in
      if let keyring { fake_keyring_set_secret(keyring, password) }
    }
  }

  deinit {
    let keyring = keyring.withLock { $0 }
    if let keyring { fake_keyring_stop(keyring) }
  }
}

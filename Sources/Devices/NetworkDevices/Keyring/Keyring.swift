internal import CKeyring
internal import Glibc
internal import Linux

/// The desktop's keyring, in which a camera's password may be kept instead of in `cameras.json`.
///
/// An item is found by libsecret's attributes of a network's password, as
/// `secret-tool store --label=Door server door.local user me protocol rtsp` sets them. Nothing is unlocked, and only what is unlocked is
/// searched, since KeePassXC opens a dialog for a search of what is not. Each question is asked on a thread of its own, so that a keyring
/// that hangs holds its caller no longer than the limit. Thread-safe.
///
/// Source: freedesktop.org's Secret Service API.
package struct Keyring: Sendable {
  /// An answer of the keyring's; as text it does not show the password.
  package enum Answer: Sendable, Hashable, CustomStringConvertible {
    case password(String)
    /// It has no such item.
    case absent
    /// It has one, or may have one, that cannot be read before the user unlocks it.
    case locked
    /// It does not answer, with half a sentence that says why.
    case unavailable(String)

    /// Half a sentence about a camera that refuses.
    var hint: String {
      switch self {
      case .password: "the password that the keyring has is refused"
      case .absent: "neither cameras.json nor the keyring has its password"
      case .locked: "the keyring, which may have its password, is locked; unlock it"
      case .unavailable(let reason):
        "cameras.json has no password, and the keyring cannot be asked: \(reason)"
      }
    }

    package var description: String {
      switch self {
      case .password: "a password"
      case .absent: "no password"
      case .locked: "a locked password"
      case .unavailable(let reason): "no answer: \(reason)"
      }
    }
  }

  /// The longest password that is read, in bytes.
  private static let longest = 1024

  private let address: String?
  private let limit: Int64

  /// - Parameters:
  ///   - address: Of the bus; the user's when `nil`.
  ///   - limit: How long an answer is waited for, in nanoseconds.
  package init(address: String? = nil, limit: Int64 = 2_000_000_000) {
    self.address = address
    self.limit = limit
  }

  /// The password of a user of a camera.
  ///
  /// Blocks until the keyring answers, or for the limit.
  /// - Parameter host: The camera's, as its address names it; an IPv6 address may have its brackets.
  package func password(of user: String, at host: String) -> Answer {
    let answer = Monitor<Answer?>(nil)
    let server = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let (address, limit) = (self.address, self.limit)
    let thread = try? ReaderThread(name: "obscura-keyring") {
      let found = Self.ask(address, limit, server, user)
      answer.withLock { $0 = found }
    }
    guard thread != nil else { return .unavailable("there is no thread left for it") }
    let deadline = HangLimit(nanoseconds: limit).deadline
    let found = answer.wait(
      until: deadline, for: { $0 != nil }, then: { (found: inout Answer?) -> Answer? in found })
    return (found ?? nil) ?? .unavailable("it does not answer")
  }

  private static func ask(_ address: String?, _ limit: Int64, _ server: String, _ user: String) -> Answer {
    var text = [CChar](repeating: 0, count: longest + 1)
    let result = cam_keyring_read(address, UInt64(max(limit / 1000, 1)), server, user, &text, text.count)
    switch result {
    case Int32(cam_keyring_found):
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return .password(String(decoding: bytes, as: UTF8.self))
    case Int32(cam_keyring_absent): return .absent
    case Int32(cam_keyring_locked): return .locked
    case -ETIMEDOUT: return .unavailable("it does not answer")
    case -EHOSTUNREACH, -ENOENT, -ENOMEDIUM, -ECONNREFUSED:
      return .unavailable("this session has none")
    case -ELIBACC: return .unavailable("the package libsystemd0 is not installed")
    default: return .unavailable(String(cString: strerror(-result)))
    }
  }
}

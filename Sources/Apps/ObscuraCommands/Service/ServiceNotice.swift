internal import Glibc
internal import Linux

/// Tells the service manager that started this process that it works, and goes on to.
///
/// It is ready with the first frame, and alive for as long as frames come, or the camera is known to be away: then a new process would
/// do no better. Used by one thread. Source: sd_notify(3).
final class ServiceNotice {
  private let address: String
  private let intervalNanoseconds: Int64
  private var isReady = false
  private var next: Int64 = .min

  /// Where the manager names no time, so often a sign of life is sent.
  private static let standardInterval: Int64 = 10_000_000_000
  /// By so much a start is prolonged while the camera is away, in microseconds.
  private static let extensionMicroseconds: Int64 = 60_000_000

  /// The manager that `NOTIFY_SOCKET` and `WATCHDOG_USEC` of an environment name; `nil` without one.
  init?(_ environment: [String: String]) {
    guard let address = environment["NOTIFY_SOCKET"], address.hasPrefix("/") || address.hasPrefix("@") else {
      return nil
    }
    self.address = address
    // Twice as often as it must be would be enough.
    intervalNanoseconds =
      environment["WATCHDOG_USEC"].flatMap { Int64($0) }.map { max(1, $0) * 1000 / 4 }
      ?? Self.standardInterval
  }

  /// Frames have come.
  func framesCame(at moment: MonotonicInstant) {
    if !isReady {
      isReady = true
      next = moment.nanoseconds + intervalNanoseconds
      return send("READY=1\nSTATUS=Frames come.\nWATCHDOG=1")
    }
    sendWhenDue("STATUS=Frames come.\nWATCHDOG=1", moment)
  }

  /// The camera is away, and is waited for.
  func cameraIsAway(at moment: MonotonicInstant) {
    sendWhenDue(
      "STATUS=The camera is away.\n"
        + (isReady ? "WATCHDOG=1" : "EXTEND_TIMEOUT_USEC=\(Self.extensionMicroseconds)"), moment)
  }

  private func sendWhenDue(_ words: String, _ moment: MonotonicInstant) {
    guard moment.nanoseconds >= next else { return }
    next = moment.nanoseconds + intervalNanoseconds
    send(words)
  }

  /// A manager that does not listen, or not in time, is no failure of ours.
  private func send(_ words: String) {
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    // A name that begins with @ stands in no folder: its first byte is 0.
    let name = Array((address.hasPrefix("@") ? "\0" + address.dropFirst() : address).utf8)
    guard name.count < MemoryLayout.size(ofValue: target.sun_path) else { return }
    withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (address.hasPrefix("@") ? 0 : 1))
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let bytes = Array(words.utf8)
    withUnsafeBytes(of: target) { raw in
      guard let address = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
    }
  }
}

package import Foundation
import Glibc
import Linux

/// A PipeWire of the tests' own, in a folder of its own, without a session manager; ended when the object goes.
package final class PrivatePipeWire: Sendable {
  /// Whether this machine has the daemon.
  package static let isInstalled = access("/usr/bin/pipewire", X_OK) == 0

  /// The folder of its socket.
  package let folder: URL
  private let daemon = Locked<Process?>(nil)

  /// The variables that name it.
  package var environment: [String: String] { ["PIPEWIRE_RUNTIME_DIR": folder.path] }
  /// Its socket.
  package var socket: String { folder.appendingPathComponent("pipewire-0").path }

  /// A folder in which none runs yet.
  package init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pipewire-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // As on a desktop, but for the modules that ask its bus for rights.
    let configuration = """
      context.properties = {
        core.daemon = true core.name = pipewire-0 support.dbus = false link.max-buffers = 16 log.level = 0 mem.allow-mlock = false
      }
      context.spa-libs = { support.* = support/libspa-support }
      context.modules = [
        { name = libpipewire-module-protocol-native }
        { name = libpipewire-module-client-node }
        { name = libpipewire-module-access }
        { name = libpipewire-module-link-factory }
      ]
      """
    try configuration.write(
      to: folder.appendingPathComponent("pipewire.conf"), atomically: true, encoding: .utf8)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts it; it answers when this returns.
  package func start() throws {
    let news = Monitor(0)
    // Before the start, so that the socket's coming is seen.
    let watch = try FolderWatch([FolderWatch.Place(folder.path, prefix: "pipewire-0")]) {
      news.withLock { $0 += 1 }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/pipewire")
    process.arguments = ["-c", folder.appendingPathComponent("pipewire.conf").path]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    daemon.withLock { $0 = process }
    var seen = 0
    while !answers {
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      guard let count = news.wait(until: deadline, for: { $0 > seen }, then: { $0 }) else {
        throw CocoaError(.fileReadUnknown)
      }
      seen = count
    }
    withExtendedLifetime(watch) {}
  }

  /// Ends it at once, as a crash would; its socket's file stays.
  package func kill() {
    let process = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let process else { return }
    // Children of a test's thread ignore gentler signals, which such threads block.
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  private var answers: Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socket.utf8)) }
    let end = Descriptor(
      adopting: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(end.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}

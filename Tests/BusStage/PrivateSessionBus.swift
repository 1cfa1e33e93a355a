package import Foundation
import Glibc
import Linux

/// A bus of the tests' own, as a desktop's session has one; ended when the object goes.
package final class PrivateSessionBus: Sendable {
  /// Whether this machine has the daemon.
  package static let isInstalled = access("/usr/bin/dbus-daemon", X_OK) == 0

  /// Where it answers.
  package let address: String
  private let folder: URL
  private let daemon: Locked<Process>

  /// Starts it; it answers when this returns.
  package init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bus-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder.path)/socket</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    let file = folder.appendingPathComponent("bus.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    process.arguments = ["--config-file=\(file.path)", "--nofork", "--nopidfile", "--print-address=1"]
    // Without rights it says that it keeps to few files.
    process.standardError = FileHandle.nullDevice
    let said = Pipe()
    process.standardOutput = said
    try process.run()
    daemon = Locked(process)
    // It says its address when it listens.
    _ = said.fileHandleForReading.availableData
    address = "unix:path=\(folder.path)/socket"
  }

  deinit {
    let process = daemon.withLock { $0 }
    // Children of a test's thread ignore gentler signals, which such threads block.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A folder for a test's files, which goes with the bus.
  package var files: URL { folder }
}

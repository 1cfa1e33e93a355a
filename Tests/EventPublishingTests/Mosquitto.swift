import EventPublishing
import Foundation
import Glibc
import Testing

/// A real broker of the machine, on a free port of the loopback, with a receiver that misses nothing.
final class Mosquitto {
  /// Whether the machine has the broker, its programs for receivers and passwords, and the library.
  static let isInstalled =
    [program, receiver, "/usr/bin/mosquitto_passwd"].allSatisfy(FileManager.default.isExecutableFile(atPath:))
    && MosquittoLink.obstacle == nil

  private static let program = "/usr/sbin/mosquitto"
  private static let receiver = "/usr/bin/mosquitto_sub"

  let port: Int
  private let folder: String
  private var process: Process?
  /// What the receiver needs beside the port.
  var receiverWords: [String] = []

  /// A broker that is not started yet.
  ///
  /// - Parameter settings: Lines of its configuration, in place of letting everyone in.
  init(_ settings: (_ folder: String) throws -> [String] = { _ in ["allow_anonymous true"] }) throws {
    port = try Self.freePort()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Sessions outlive the broker, so that the receiver misses nothing.
    let lines =
      [
        "listener \(port) 127.0.0.1", "persistence true", "persistence_location \(folder)/",
        "autosave_interval 1",
        "autosave_on_changes true", "max_queued_messages 0",
      ] + (getuid() == 0 ? ["user root"] : []) + (try settings(folder))
    try lines.joined(separator: "\n").write(toFile: "\(folder)/conf", atomically: true, encoding: .utf8)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A port that was free a moment ago.
  private static func freePort() throws -> Int {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(number, base, length) == 0 && getsockname(number, base, &length) == 0
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Starts it, and blocks until it takes connections.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["-c", "\(folder)/conf", "-v"]
    let log = Pipe()
    process.standardError = log
    process.standardOutput = FileHandle.nullDevice
    try Self.run(process)
    self.process = process
    var text = ""
    while !text.contains(" running\n") {
      let data = log.fileHandleForReading.availableData
      try #require(!data.isEmpty, "The broker does not start: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    // What it says later is not read, and must not fill the pipe.
    log.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
  }

  /// Starts a program that hears signals: threads of a pool block them, and what they start inherits that.
  private static func run(_ process: Process) throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  /// Kills it as a power cut would.
  func kill() {
    guard let process, process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Ends it in order: what it knows is on the disk then.
  func end() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }

  /// Has the broker keep everything below `home/` for the receiver from now on.
  func subscribe() throws { _ = try receive(["-E"]) { _ in false } }

  /// Takes what came since the subscription through a line of topic and text.
  func take(through last: String) throws -> [String] {
    try receive(["-F", "%t %p"]) { $0.hasSuffix("\(last)\n") }
  }

  /// Runs the receiver until it ends or has said enough.
  private func receive(_ words: [String], until isEnough: (String) -> Bool) throws -> [String] {
    let process = Process()
    // It would keep its lines until there are many.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
    // What the broker had kept before (`-R`) comes with each connection anew.
    process.arguments =
      [
        "-oL", Self.receiver, "-h", "127.0.0.1", "-p", "\(port)", "-i", "receiver", "-c", "-R", "-q", "1",
        "-t", "home/#", "-W", "50",
      ]
      + receiverWords + words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try Self.run(process)
    var text = ""
    while !isEnough(text) {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    // At a signal that it hears it says farewell from the handler, and waits for ever for a lock of the code that was interrupted. What it has
    // printed it has acknowledged.
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }
}

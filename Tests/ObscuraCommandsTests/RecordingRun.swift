import Foundation
import Glibc
import Linux
import ObscuraCommands
import SeededNumbers
import Testing
import Waiting

/// A program that records until it is ended, on a disk of its own where the test needs one.
final class RecordingRun {
  /// The kind of recording program.
  enum Kind: String, CaseIterable, Sendable {
    case record, output, writer
  }

  /// A disk that is mounted in a name space of the program's.
  enum Disk {
    /// A small one, for which no rights are needed on most machines.
    case small(megabytes: Int)
    /// An image with a journal, which only the superuser may mount.
    case image(String)

    func mount(at place: String) -> String {
      switch self {
      case .small(let megabytes): "mount -t tmpfs -o size=\(megabytes)m none '\(place)'"
      case .image(let path): "mount -o loop '\(path)' '\(place)'"
      }
    }

    var flags: String {
      if case .image = self { "-m" } else { geteuid() == 0 ? "-m" : "-Urm" }
    }
  }

  struct End {
    let date: Date
    let text: String
    /// The exit status of `record`.
    let code: Int32?

    var isFull: Bool { text.contains("error -11807 true") || code == ExitCode.diskFull.rawValue }
  }

  private let kind: Kind
  private let process = Process()
  private let output = Pipe()
  /// Open as long as the disk is needed.
  private let input = Pipe()
  private let said = Said()
  /// The file as this process sees it.
  let path: String
  /// The disk's folder as this process sees it.
  let folder: String

  private final class Said: Sendable {
    private let text = Monitor("")

    func add(_ data: Data) { text.withLock { $0 += String(decoding: data, as: UTF8.self) } }
    var all: String { text.now }

    /// Blocks until the program has said so; false when it has not within half a minute.
    func wait(_ isTrue: (String) -> Bool) -> Bool { text.wait(isTrue) }
  }

  /// Starts to record `name` in a folder, or on a disk that is mounted there.
  init(
    _ kind: Kind, codec: String = "h264", to name: String, in place: String, devices: String,
    disk: Disk? = nil
  )
    throws
  {
    self.kind = kind
    let file = "\(place)/\(name)"
    // `record` does not say what it has taken, so that it must keep up where HEVC is slow, and beside other tests.
    let rate = codec == "hevc" || !CommandTests.RecordStressTests.kills.isLong ? "15" : "30"
    let words =
      kind == .record
      ? [
        Run.program.path, "record", "--devices", devices, "--size", "640x480", "--fps", rate, "--codec",
        codec,
        "-o", file,
      ]
      : [
        Run.program.deletingLastPathComponent().appendingPathComponent("RecordingWorker").path, kind.rawValue,
        codec, file,
      ]
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let run = "\"$@\" </dev/null & echo \"pid $!\"; wait $!; echo \"exit $?\""
    if let disk {
      let script = "\(disk.mount(at: place)) && { \(run); cat; umount '\(place)'; }"
      process.arguments = ["unshare", disk.flags, "bash", "-c", script, "run"] + words
    } else {
      process.arguments = ["bash", "-c", "\(run); cat", "run"] + words
    }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    let said = said
    output.fileHandleForReading.readabilityHandler = { said.add($0.availableData) }
    try process.run()
    folder = disk == nil ? place : "/proc/\(process.processIdentifier)/root\(place)"
    path = "\(folder)/\(name)"
  }

  /// Whether this machine allows such a disk.
  static func canMount(_ disk: Disk, in folder: String) -> Bool {
    if case .image = disk, geteuid() != 0 { return false }
    let place = "\(folder)/trial"
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", disk.flags, "bash", "-c", disk.mount(at: place)]
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Seconds of media that the program says it has taken; `nil` for `record`, which says nothing.
  var seconds: Double? {
    said.all.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reversed().lazy
      .compactMap { Double($0) }.first
  }

  var text: String { said.all }

  /// Waits until the recording has started; when that was.
  func waitForStart() throws -> Date {
    let hasStarted = outside("another process writes the file, on a disk of its own") {
      if said.all.contains("exit ") { return true }
      // A writer's file is there before it has a header.
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return size ?? 0 > 1000 && (kind == .record || seconds != nil)
    }
    if hasStarted, !said.all.contains("exit ") { return Date() }
    throw NSError(domain: "RecordingRun: \(said.all)", code: 1)
  }

  func signal(_ number: Int32) {
    let line = said.all.split(separator: "\n").first { $0.hasPrefix("pid ") }
    if let line, let pid = pid_t(line.dropFirst(4)) { kill(pid, number) }
  }

  /// Waits until the program has ended.
  func waitForEnd() throws -> End {
    func line(_ text: String) -> Substring? {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first { $0.hasPrefix("exit ") }
    }
    if said.wait({ line($0) != nil }) {
      let text = said.all
      return End(
        date: Date(), text: text, code: kind == .record ? line(text).flatMap { Int32($0.dropFirst(5)) } : nil)
    }
    throw NSError(domain: "RecordingRun: does not end: \(said.all.suffix(400))", code: 2)
  }

  /// Runs a command in the program's name space.
  func inside(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["nsenter", "-m", "-t", "\(self.process.processIdentifier)", "bash", "-c", command]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Lets the disk go.
  func close() {
    signal(SIGKILL)
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    output.fileHandleForReading.readabilityHandler = nil
  }

  /// Takes all that is free on the disk.
  func fillDisk() {
    let number = open("\(folder)/filler", O_WRONLY | O_CREAT, 0o600)
    guard number >= 0 else { return }
    defer { Glibc.close(number) }
    for size in [1 << 20, 1 << 12] {
      let bytes = [UInt8](repeating: 1, count: size)
      while write(number, bytes, size) == size {}
    }
  }
}

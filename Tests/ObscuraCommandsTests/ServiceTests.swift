// The compiler takes the members of `sockaddr_un` for this module's, whose header includes the system's.
import CFrameRings
import Foundation
import Glibc
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura install-service")
  struct ServiceTests {
    private static let analyze = "/usr/bin/systemd-analyze"

    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: Self.analyze)), arguments: ["scan", "watch"])
    func `systemd finds nothing wrong with the unit`(verb: String) throws {
      try withTemporaryFolder { folder in
        let run = try Run(
          ["install-service", verb, "--devices", "simulated", "--json", "-d", "a \"$b\" %c\\"],
          environment: ["XDG_CONFIG_HOME": folder.path, "OBSCURA_MODELS": "/nonexistent"])
        #expect(run.exitCode == .done, "\(run.messages)")
        let path = "\(folder.path)/systemd/user/obscura-\(verb).service"
        #expect(run.text == "\(path)\n")
        let verification = Process()
        verification.executableURL = URL(fileURLWithPath: Self.analyze)
        verification.arguments = ["--user", "--man=no", "verify", path]
        let messages = Pipe()
        verification.standardError = messages
        verification.environment = [
          "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PATH": "/usr/bin:/bin",
        ]
        try verification.run()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        verification.waitUntilExit()
        #expect(!text.contains("\(verb).service:"), "\(text)")
      }
    }

    @Test func `the unit runs the command with its words, and waits for its camera`() throws {
      let run = try Run(
        "install-service", "--print", "scan", "--region", "0,0,0.5,1", "--name", "gate", "--devices",
        "simulated:a b.json",
        "--json")
      #expect(run.exitCode == .done, "\(run.messages)")
      let lines = run.text.split(separator: "\n")
      #expect(
        lines.contains(
          "ExecStart=\"\(Run.program.resolvingSymlinksInPath().path)\" \"scan\" \"--wait\" \"--region\" \"0,0,0.5,1\" \"--devices\" \"simulated:a b.json\" \"--json\""
        ), "\(run.text)")
      for line in ["Type=notify", "Restart=always", "WatchdogSec=60", "NoNewPrivileges=yes"] {
        #expect(lines.contains { $0 == line }, "\(line)")
      }
      #expect(run.messages.isEmpty)
      #expect(
        lines.first?.hasSuffix("'obscura install-service scan --name gate --uninstall'.") == true,
        "\(lines[0])")
    }

    @Test(arguments: [
      ["-d", "scan", "--region", "0,0,1,1", "scan"], ["-dscan", "scan", "--wait", "--region=0,0,1,1"],
      ["--device=scan", "--name", "gate", "--region", "0,0,1,1", "--", "scan"],
    ])
    func `words that look like the command's are not taken for it`(words: [String]) throws {
      let run = try Run(["install-service", "--print"] + words)
      #expect(run.exitCode == .done, "\(run.messages)")
      #expect(
        run.text.contains("\"scan\" \"--wait\" \"--device\" \"scan\" \"--region\" \"0,0,1,1\"\n"),
        "\(run.text)")
    }

    @Test func `a unit is written once, replaced by force, and removed`() throws {
      try withTemporaryFolder { folder in
        let environment = ["XDG_CONFIG_HOME": folder.path, "OBSCURA_MODELS": "/nonexistent"]
        let path = "\(folder.path)/systemd/user/obscura-door.service"
        func run(_ words: String...) throws -> Run {
          try Run(
            ["install-service", "watch", "--name", "door", "--motion"] + words, environment: environment)
        }
        let first = try run()
        #expect(first.exitCode == .done)
        // Without a camera it would be waited for.
        #expect(first.messages.last?.contains("enable --now --no-block obscura-door") == true)
        let second = try run()
        #expect(second.exitCode == .otherFailure && second.messages.count == 1)
        #expect(try run("--force", "--json").exitCode == .done)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"--json\""))
        #expect(try run("--uninstall").text == "\(path)\n")
        #expect(!FileManager.default.fileExists(atPath: path))
        let gone = try run("--uninstall")
        #expect(gone.exitCode == .otherFailure && gone.messages.count == 1)
      }
    }

    @Test func `a folder that cannot be made is one sentence`() throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let run = try Run(["install-service", "scan"], environment: ["XDG_CONFIG_HOME": file.path])
        #expect(run.exitCode == .otherFailure && run.messages.count == 1 && run.output.isEmpty)
      }
    }

    @Test(arguments: [
      [], ["record"], ["scan", "a.png"], ["scan", "--once"], ["watch", "--timeout", "5s"],
      ["scan", "--motion"],
      ["watch", "--types", "qr"], ["scan", "--region", "0,0,2,2"], ["scan", "--name", "a/b"],
      ["scan", "--name", ""],
    ])
    func `bad usage is one sentence and exit code 2`(words: [String]) throws {
      let run = try Run(["install-service", "--print"] + words)
      #expect(run.exitCode == .usage, "\(run.text)")
      #expect(run.messages.count == 1 && run.output.isEmpty)
    }

    @Test func `a command tells the manager of its first frame, and that it is alive`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("s").path
        let manager = try Manager(path)
        let run = try Run(
          ["scan", "--devices", "simulated", "--preset", "vga", "--types", "aztec", "--timeout", "3s"],
          environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"])
        #expect(run.exitCode == .otherFailure, "\(run.messages)")
        let words = manager.heard()
        #expect(words.first?.hasPrefix("READY=1\n") == true, "\(words)")
        #expect(words.count { $0.hasPrefix("READY=1") } == 1)
        #expect(words.dropFirst().contains { $0.hasSuffix("WATCHDOG=1") })
      }
    }

    @Test func `without frames it is not ready, and a start is prolonged while the camera is away`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("s").path
        let manager = try Manager(path)
        let run = try Run(
          ["watch", "--devices", "simulated", "-d", "none", "--wait", "--motion", "--timeout", "500ms"],
          environment: ["NOTIFY_SOCKET": path])
        #expect(run.exitCode == .noSuchCamera)
        let words = manager.heard()
        #expect(!words.isEmpty && words.allSatisfy { $0.contains("EXTEND_TIMEOUT_USEC=") }, "\(words)")
      }
    }
  }
}

/// A service manager's socket, which keeps what was said to it.
private final class Manager {
  private let number: Int32

  init(_ path: String) throws {
    number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    try #require(name.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let isBound = withUnsafeBytes(of: address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(number, base, socklen_t(bytes.count)) == 0
    }
    try #require(isBound)
  }

  deinit {
    close(number)
  }

  /// What has come until now.
  func heard() -> [String] {
    var all: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return all }
      all.append(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
  }
}

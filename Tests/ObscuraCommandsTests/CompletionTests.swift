import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura: help, completion and manual")
  struct HelpTests {
    private static let commands = [
      "devices", "photo", "scan", "depth", "play", "fuse", "stamp", "doctor", "bench", "completion",
    ]

    /// The long options of a command, as its own help names them.
    private func options(_ command: String) throws -> [String] {
      try Run(command, "--help").text.matches(of: #/^  (?:-., |    )--([a-z-]+)/#.anchorsMatchLineEndings())
        .map {
          String($0.1)
        }
    }

    @Test func `the list has every command, the version, and nothing that is hidden`() throws {
      let help = try Run("--help").text
      for command in Self.commands { #expect(help.contains("\n  \(command) ")) }
      #expect(help.contains("--version") && !help.contains("  man "))
      #expect(try Run("--version").text == "obscura \(ObscuraCommand.version)\n")
    }

    @Test func `help on a command is what the command says of itself`() throws {
      #expect(try Run("help", "photo").text == Run("photo", "--help").text)
      #expect(try Run("help").text == Run("--help").text)
      let unknown = try Run("help", "fly")
      #expect(unknown.exitCode == .usage && unknown.messages.joined().contains("'fly' is not a command"))
    }

    @Test func `a default is named as one`() throws {
      let help = try Run("photo", "--help").text
      #expect(help.contains("speed, balanced or quality; default: balanced\n"))
      #expect(help.contains("default: photo\n") && !help.contains("(else)"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completion knows every command and option`(shell: String) throws {
      let text = try Run("completion", shell).text
      for command in Self.commands {
        #expect(text.contains(command))
        for option in try options(command) {
          #expect(text.contains(shell == "fish" ? "-l \(option)" : "--\(option)"), "\(command) --\(option)")
        }
      }
      for words in [[], ["tcsh"], ["bash", "zsh"]] {
        let run = try Run(["completion"] + words)
        #expect(run.exitCode == .usage && run.messages.joined().contains("bash, zsh or fish"))
      }
      #expect(try Run("completion", "tcsh").messages.joined().contains("'tcsh'"))
    }

    @Test(arguments: [
      (["obscura", "ph"], "photo"), (["obscura", "photo", "--qua"], "--quality"),
      (["obscura", "photo", "--quality", "b"], "balanced"), (["obscura", "bench", "z"], "zsl"),
      (["obscura", "photo", "--flash", "o"], "off on"), (["obscura", "scan", "--devices", "v"], "v4l2"),
    ])
    func `bash completes`(words: [String], expected: String) throws {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        source <("\(Run.program.path)" completion bash)
        COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _obscura; echo "${COMPREPLY[*]}"
        """
      let run = try Run(["-c", script], program: URL(fileURLWithPath: "/bin/bash"))
      #expect(run.text == "\(expected)\n", "\(run.messages)")
    }

    @Test(arguments: ["zsh", "fish"])
    func `the shell itself takes its completion`(shell: String) throws {
      // Most machines have bash alone.
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") else { return }
      let run = try Run(
        ["-n", "-c", Run("completion", shell).text], program: URL(fileURLWithPath: "/usr/bin/\(shell)"))
      #expect(run.exitCode == .done && run.messages.isEmpty, "\(run.messages)")
    }

    @Test func `the manual page has every command, option and exit code`() throws {
      let page = try Run("man").text
      #expect(page.hasPrefix(".TH OBSCURA 1"))
      for command in Self.commands {
        #expect(page.contains(".SS \(command) "))
        for option in try options(command) {
          #expect(page.contains("\\-\\-\(option.replacing("-", with: "\\-"))\\fR"), "\(command) --\(option)")
        }
      }
      for code in ExitCode.allCases { #expect(page.contains(".TP\n.B \(code.rawValue)\n")) }
      for section in ["NAME", "FILES", "EXAMPLES", "SEE ALSO"] {
        #expect(page.contains("\n.SH \(section)\n"))
      }
      let examples = page.matches(of: #/\n\.TP\n\.B obscura ([a-z]+) (.*)/#)
      #expect(examples.count == 5)
      for example in examples {
        let flags = example.2.replacing("\\-", with: "-").matches(of: #/--([a-z-]+)/#).map { String($0.1) }
        let known = try options(String(example.1))
        #expect(flags.allSatisfy(known.contains), "\(example.0)")
      }
    }
  }
}

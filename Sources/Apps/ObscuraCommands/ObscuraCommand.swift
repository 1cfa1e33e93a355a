internal import CameraTasks
internal import Foundation

/// The `obscura` command: picks the verb, and turns every failure into one sentence and an exit code.
public enum ObscuraCommand {
  /// The version in `obscura --version` and in the EXIF field Software.
  public static let version = CommandList.version

  /// The words of the process's command line without the program's name, also those that are not UTF-8.
  public static func commandLine() -> [String] { RawNames.commandLine() }

  /// Runs one command line without the program's name; returns when it is done.
  ///
  /// Blocks the calling thread; callbacks come on queues of their own, so the main queue need not run. With ``Terminal/standard`` it
  /// is the process's own command line, whose `--devices` becomes `OBSCURA_DEVICES`: nothing else may run beside it yet. With
  /// another terminal the environment stays as it is.
  public static func run(_ words: [String], terminal: Terminal = .standard) -> ExitCode {
    do {
      let result = try dispatch(words, terminal)
      try terminal.finish()
      return result
    } catch {
      return terminal.report(error)
    }
  }

  private static func dispatch(_ words: [String], _ terminal: Terminal) throws -> ExitCode {
    guard let verb = words.first else {
      throw CommandError(.usage, "no command was given; 'obscura --help' lists them.")
    }
    switch verb {
    case "--help", "-h", "help":
      let asked = words.dropFirst().first { !$0.hasPrefix("-") }
      try terminal.answer(text: try asked.map { try found($0).help } ?? help)
      return .done
    case "--version":
      try terminal.answer("obscura \(version)")
      return .done
    default:
      break
    }
    let command = try found(verb)
    let arguments = try Arguments(
      Array(words.dropFirst()), options: command.options + CommonOptions.all, command: verb)
    if arguments.has("help") {
      try terminal.answer(text: command.help)
      return .done
    }
    terminal.volume = arguments.has("quiet") ? .quiet : arguments.has("verbose") ? .verbose : .ordinary
    if terminal === Terminal.standard {
      DeviceChoice.note(arguments["devices"])
    } else if let devices = arguments["devices"], !devices.isEmpty {
      // The library is chosen by the devices in force.
      try DeviceChoice.install(devices, environment: ProcessInfo.processInfo.environment)
    }
    return try command.run(arguments, terminal)
  }

  /// - Throws: ``CommandError`` with ``ExitCode/usage`` where there is no such command.
  private static func found(_ verb: String) throws -> any Command.Type {
    guard let command = CommandList.all.first(where: { $0.name == verb }) else {
      throw CommandError(.usage, "'\(verb)' is not a command; 'obscura --help' lists them.")
    }
    return command
  }

  static var help: String {
    var lines = ["usage: obscura COMMAND [options]", ""]
    let options = [("--version", "prints the version"), ("--help", "prints this list")]
    let commands = CommandList.shown.map { ($0.name, $0.summary) }
    let width = (commands + options).map(\.0.count).max() ?? 0
    func line(_ name: String, _ summary: String) -> String {
      "  \(name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\(summary)"
    }
    lines += commands.map(line) + [""] + options.map(line)
    return (lines + ["", "'obscura help COMMAND', or 'obscura COMMAND --help', lists a command's options."])
      .joined(separator: "\n")
  }
}

internal import Foundation

/// The `obscura` command: picks the verb, and turns every failure into one sentence and an exit code.
public enum ObscuraCommand {
  /// The version in `obscura --version` and in the EXIF field Software.
  public static let version = CommandList.version

  /// Runs one command line without the program's name; returns when it is done.
  ///
  /// Blocks the calling thread; callbacks come on queues of their own, so the main queue need not run.
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
      try terminal.answer(help)
      return .done
    case "--version":
      try terminal.answer("obscura \(version)")
      return .done
    default:
      break
    }
    guard let command = CommandList.all.first(where: { $0.name == verb }) else {
      throw CommandError(.usage, "'\(verb)' is not a command; 'obscura --help' lists them.")
    }
    let arguments = try Arguments(
      Array(words.dropFirst()), options: command.options + CommonOptions.all, command: verb)
    if arguments.has("help") {
      try terminal.answer(command.help)
      return .done
    }
    terminal.volume = arguments.has("quiet") ? .quiet : arguments.has("verbose") ? .verbose : .ordinary
    return try command.run(arguments, terminal)
  }

  static var help: String {
    var lines = ["usage: obscura COMMAND [options]", ""]
    for command in CommandList.shown {
      lines.append("  \(command.name.padding(toLength: 12, withPad: " ", startingAt: 0))\(command.summary)")
    }
    lines += ["", "  --version   prints the version", "  --help      prints this list"]
    return (lines + ["", "'obscura COMMAND --help' lists a command's options."]).joined(separator: "\n")
  }
}

/// `obscura completion`: what teaches a shell to complete the words of `obscura`.
enum CompletionCommand: Command {
  static let name = "completion"
  static let summary = "prints what completes these commands in bash, zsh or fish"
  static let usage = "bash|zsh|fish [options]"
  static let operandWords = Shell.allCases.map(\.rawValue)
  static let options: [Arguments.Option] = []

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard let name = arguments.operands.first else {
      throw CommandError(
        .usage, "no shell was named; write \(Shell.choices), as in 'obscura completion bash'.")
    }
    guard arguments.operands.count == 1 else {
      throw CommandError(.usage, "more than one shell was named; write one of \(Shell.choices).")
    }
    guard let shell = Shell(rawValue: name) else {
      throw CommandError(.usage, "there is no completion for '\(name)'; the shells are \(Shell.choices).")
    }
    try terminal.answer(text: shell.completion(CommandList.shown))
    return .done
  }
}

/// A shell that can be taught.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// All of them, for a sentence.
  static let choices = "bash, zsh or fish"

  /// The script that the shell reads.
  func completion(_ commands: [any Command.Type]) -> String {
    switch self {
    case .bash: bash(commands)
    case .zsh: zsh(commands)
    case .fish: fish(commands)
    }
  }
}

extension Arguments.Option {
  /// Whether the value is a file.
  var takesFile: Bool { value == "FILE" || value == "SOCKET" }
}

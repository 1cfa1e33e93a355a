/// `obscura completion`: what teaches a shell to complete the words of `obscura`.
enum CompletionCommand: Command {
  static let name = "completion"
  static let summary = "prints what completes these commands in bash, zsh or fish"
  static let usage = "bash|zsh|fish [options]"
  static let operandWords = Shell.allCases.map(\.rawValue)
  static let options: [Arguments.Option] = []

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.count == 1, let shell = Shell(rawValue: arguments.operands[0]) else {
      throw CommandError(.usage, "no shell was named; write 'obscura completion bash', zsh or fish.")
    }
    try terminal.answer(shell.completion(CommandList.shown))
    return .done
  }
}

/// A shell that can be taught.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// What the shell reads.
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
  var takesFile: Bool { value == "FILE" }
}

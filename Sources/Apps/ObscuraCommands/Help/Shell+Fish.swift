extension Shell {
  func fish(_ commands: [any Command.Type]) -> String {
    var lines = [
      "# fish completion for obscura; printed by 'obscura completion fish'.",
      "complete -c obscura -f",
      "complete -c obscura -n __fish_use_subcommand -l help -d 'list the commands'",
      "complete -c obscura -n __fish_use_subcommand -l version -d 'print the version'",
    ]
    for command in commands {
      lines.append(
        "complete -c obscura -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
    }
    for command in commands {
      let start = "complete -c obscura -n '__fish_seen_subcommand_from \(command.name)'"
      if command.takesFiles { lines.append("\(start) -F") }
      if !command.operandWords.isEmpty {
        lines.append("\(start) -a \(quoted(command.operandWords.joined(separator: " ")))")
      }
      for option in command.options + CommonOptions.all {
        var line = "\(start) -l \(option.name)"
        if let letter = option.letter { line += " -s \(letter)" }
        if option.value != nil { line += option.takesFile ? " -r -F" : " -x" }
        if !option.choices.isEmpty { line += " -a \(quoted(option.choices.joined(separator: " ")))" }
        lines.append("\(line) -d \(quoted(option.sentence))")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

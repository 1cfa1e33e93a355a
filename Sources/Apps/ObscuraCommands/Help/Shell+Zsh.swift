extension Shell {
  func zsh(_ commands: [any Command.Type]) -> String {
    let list = commands.map { "    '\(escaped("\($0.name):\($0.summary)"))'" }.joined(separator: "\n")
    let cases = commands.map { command in
      var specifications = (command.options + CommonOptions.all).flatMap(specification)
      if command.takesFiles {
        specifications.append("'*:file:_files'")
      } else if !command.operandWords.isEmpty {
        specifications.append("'1:what:(\(command.operandWords.joined(separator: " ")))'")
      }
      let lines = specifications.map { "      \($0)" }.joined(separator: " \\\n")
      return "    \(command.name))\n      _arguments \\\n\(lines) ;;"
    }
    return """
      #compdef obscura
      # zsh completion for obscura; printed by 'obscura completion zsh'.
      _obscura() {
        local -a commands=(
      \(list)
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          _arguments '--help[list the commands]' '--version[print the version]'
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [[ $funcstack[1] == _obscura ]]; then _obscura "$@"; else compdef _obscura obscura; fi
      """
  }

  private func specification(_ option: Arguments.Option) -> [String] {
    var text = ""
    for character in option.sentence {
      if "[]:\\".contains(character) { text.append("\\") }
      text.append(character)
    }
    var value = ""
    if let name = option.value {
      let words = option.choices.map { $0.replacing(":", with: "\\:") }.joined(separator: " ")
      value = ":\(name):\(option.takesFile ? "_files" : "(\(words))")"
    }
    let sign = option.value == nil ? "" : "="
    let long = "'--\(option.name)\(sign)\(escaped("[\(text)]\(value)"))'"
    guard let letter = option.letter else { return [long] }
    return [long, "'-\(letter)\(option.value == nil ? "" : "+")\(escaped("[\(text)]\(value)"))'"]
  }

  /// For a place between single quotes.
  private func escaped(_ text: String) -> String {
    text.replacing("'", with: "'\\''")
  }
}

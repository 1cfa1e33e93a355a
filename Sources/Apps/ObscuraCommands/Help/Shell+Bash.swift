extension Shell {
  func bash(_ commands: [any Command.Type]) -> String {
    let cases = commands.map { command in
      let options = command.options + CommonOptions.all
      let values = options.filter { $0.value != nil }.map { option in
        "        \(names(option).joined(separator: "|"))) \(reply(option)); return ;;"
      }
      let words = options.flatMap(names).joined(separator: " ")
      let operands =
        command.takesFiles
        ? "compopt -o default; COMPREPLY=()" : compgen(command.operandWords.joined(separator: " "))
      return """
            \(command.name))
              case $before in
        \(values.joined(separator: "\n"))
              esac
              if [[ $word == -* ]]; then \(compgen(words)); else \(operands); fi ;;
        """
    }
    let verbs = commands.map { $0.name }.joined(separator: " ")
    return """
      # bash completion for obscura; printed by 'obscura completion bash'.
      _obscura() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        # A colon splits words here, and belongs to some values.
        [[ $before == : ]] && before=${COMP_WORDS[COMP_CWORD-3]}
        COMPREPLY=()
        if (( COMP_CWORD == 1 )); then \(compgen("\(verbs) --help --version")); return; fi
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
      }
      complete -F _obscura obscura
      """
  }

  private func names(_ option: Arguments.Option) -> [String] {
    ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
  }

  private func reply(_ option: Arguments.Option) -> String {
    option.takesFile ? "compopt -o default; COMPREPLY=()" : compgen(option.choices.joined(separator: " "))
  }

  private func compgen(_ words: String) -> String {
    "COMPREPLY=($(compgen -W '\(words)' -- \"$word\"))"
  }
}

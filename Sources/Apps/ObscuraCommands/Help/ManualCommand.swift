/// `obscura man`: the manual page, made of the same declarations as the help; `make install` puts it where `man` looks.
enum ManualCommand: Command {
  static let name = "man"
  static let summary = "prints the manual page"
  static let usage = "[options]"
  static let isHidden = true
  static let options: [Arguments.Option] = []

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; there is one manual page.")
    }
    try terminal.answer(
      ManualPage(commands: CommandList.shown, version: CommandList.version).text)
    return .done
  }
}

/// The manual page in roff's `man` macros.
struct ManualPage {
  var commands: [any Command.Type]
  var version: String

  /// The whole page.
  var text: String {
    var lines = [
      ".TH OBSCURA 1 \"\" \"obscura \(version)\" \"User Commands\"", ".SH NAME",
      "obscura \\- photos, codes, depth and diagnosis of cameras, real and simulated", ".SH SYNOPSIS",
      ".B obscura", ".I COMMAND", "[options]", ".SH COMMANDS",
    ]
    for command in commands {
      lines += [".SS \(escaped(command.name)) \(escaped(command.usage))", sentence(command.summary)]
      lines += options(command.options)
    }
    lines += [".SH OPTIONS OF EVERY COMMAND"] + options(CommonOptions.all) + [".SH EXIT STATUS"]
    for code in ExitCode.allCases {
      lines += [".TP", ".B \(code.rawValue)", escaped(code.meaning)]
    }
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B OBSCURA_DEVICES", "where devices come from, as for \\-\\-devices", ".TP",
      ".B OBSCURA_LIBRARY", "the folder of photos", ".TP", ".B OBSCURA_STRICT",
      "1: a programming mistake ends the program; 0: it is logged", ".TP", ".B OBSCURA_MODELS",
      "the folder of the models that find faces and people",
    ]
    return lines.joined(separator: "\n")
  }

  private func options(_ options: [Arguments.Option]) -> [String] {
    options.flatMap { option in
      let letter = option.letter.map { "\\-\($0), " } ?? ""
      let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
      return [".TP", "\\fB\(letter)\(escaped("--\(option.name)"))\\fR\(value)", escaped(option.sentence)]
    }
  }

  private func sentence(_ summary: String) -> String {
    escaped(summary.prefix(1).uppercased() + summary.dropFirst() + ".")
  }

  /// A hyphen is no minus, and a line may begin with neither a dot nor an apostrophe.
  private func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
  }
}

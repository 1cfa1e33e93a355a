internal import CaptureDevice

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
      text: ManualPage(commands: CommandList.shown, version: CommandList.version).text)
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
      "obscura \\- photos, movies, codes, depth and diagnosis of cameras, real and simulated; plays movies, keeps a photo library",
      ".SH SYNOPSIS",
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
      ".SH ENVIRONMENT", ".TP", ".B OBSCURA_DEVICES", "where devices come from, as for \\-\\-devices:", ".RS",
    ]
    for backend in DeviceBackends.all {
      lines += [".TP", ".B \(escaped(backend.spellings.joined(separator: ", ")))", escaped(backend.summary)]
    }
    lines += [
      ".RE", ".TP",
      ".B OBSCURA_LIBRARY",
      "the folder of photos, also of simulated cameras, which have one of their own without it", ".TP",
      ".B OBSCURA_STRICT",
      "1: a programming mistake ends the program; 0: it is logged", ".TP", ".B OBSCURA_MODELS",
      "the folder of the models that find faces and people", ".TP", ".B OBSCURA_DECODERS",
      "the hardware that is tried for live H.264 and HEVC: vaapi, also without this, v4l2, or none",
    ]
    lines += [".SH FILES"]
    for (path, meaning) in Self.files { lines += [".TP", ".I \(escaped(path))", escaped(meaning)] }
    lines += [".SH EXAMPLES"]
    for (line, meaning) in Self.examples { lines += [".TP", ".B \(escaped(line))", escaped(meaning)] }
    lines += [
      ".SH SEE ALSO", ".BR v4l2\\-ctl (1);",
      "CommandLine, SimulatedDevices, TestingYourApp and Differences in the folder Documentation of the sources",
    ]
    return lines.joined(separator: "\n")
  }

  private static let files = [
    (
      "$XDG_PICTURES_DIR/Obscura",
      "the library's photos and videos; else in the folder of pictures of $XDG_CONFIG_HOME/user-dirs.dirs, else ~/Pictures/Obscura"
    ),
    ("$XDG_DATA_HOME/obscura/library.sqlite", "its catalogue; else in ~/.local/share/obscura"),
    ("$XDG_DATA_HOME/obscura/deferred-photos", "frames of photos that are not finished yet"),
    ("$XDG_DATA_HOME/obscura/simulated", "the library of simulated cameras; else in ~/.local/share/obscura"),
    (
      "$XDG_CONFIG_HOME/obscura/cameras.json",
      "cameras of the network and their passwords; else in ~/.config/obscura, or the file that OBSCURA_CAMERAS names"
    ),
    (
      "$XDG_STATE_HOME/obscura/events", "events that wait for a broker; else in ~/.local/state/obscura/events"
    ),
    (
      "$XDG_CONFIG_HOME/systemd/user/obscura-scan.service",
      "the unit that 'obscura install-service scan' writes; else in ~/.config/systemd/user"
    ),
    (
      "share/bash-completion/completions/obscura", "completion for bash, below the folder of the installation"
    ),
    ("share/zsh/site-functions/_obscura", "for zsh"),
    ("share/fish/vendor_completions.d/obscura.fish", "for fish"),
    ("share/systemd/user/obscura-library.timer", "has 'obscura library process' run once an hour"),
  ]

  private static let examples = [
    ("obscura photo -o a.jpg", "takes a photo"),
    ("obscura record -t 10s -o a.mov", "records a movie of ten seconds"),
    ("obscura scan --once --timeout 30s", "prints the first code that is seen"),
    ("obscura devices --devices simulated", "lists cameras that every machine has"),
    ("obscura devices --discover", "asks the network for cameras that speak ONVIF"),
  ]

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

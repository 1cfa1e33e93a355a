internal import AVFCapture

/// One of the verbs of `obscura`.
protocol Command: Sendable {
  /// The verb.
  static var name: String { get }
  /// One line for the list of verbs.
  static var summary: String { get }
  /// The usage after the verb: `[options] FILE…`.
  static var usage: String { get }
  /// The words that may stand as operands; empty where those are files, or none.
  static var operandWords: [String] { get }
  /// Whether its operands are files.
  static var takesFiles: Bool { get }
  /// Whether lists of commands leave it out.
  static var isHidden: Bool { get }
  /// Its own options, beside ``CommonOptions/all``.
  static var options: [Arguments.Option] { get }
  /// Does it.
  /// - Throws: ``CommandError``, or anything that ``CommandError/init(_:)`` has a sentence for.
  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode
}

/// The options that every command takes.
enum CommonOptions {
  static let all: [Arguments.Option] = [
    .init(
      "devices", value: "LIST",
      choices: DeviceSources.spellings.map { spelling in
        DeviceSources.argument(of: spelling) == nil ? spelling : "\(DeviceSources.name(of: spelling)):"
      },
      default: DeviceSources.usual,
      help:
        "where devices come from: \(DeviceSources.spellings.joined(separator: ", ")), separated by commas"
    ),
    .init("device", "d", value: "WHICH", help: "the camera's index, id, part of its name, or its node"),
    .init("json", help: "answer as JSON"),
    .init("quiet", "q", help: "say nothing beside the answer"),
    .init("verbose", "v", help: "say more"),
    .init("help", "h", help: "this help"),
  ]
}

extension Command {
  static var operandWords: [String] { [] }
  static var takesFiles: Bool { false }
  static var isHidden: Bool { false }

  /// The text of `obscura VERB --help`.
  static var help: String {
    var lines = ["usage: obscura \(name) \(usage)", "", summary, ""]
    for option in options + CommonOptions.all {
      let letter = option.letter.map { "-\($0), " } ?? "    "
      let value = option.value.map { " \($0)" } ?? ""
      let left = "  \(letter)--\(option.name)\(value)"
      let gap = String(repeating: " ", count: max(2, 28 - left.count))
      lines.append(left + gap + option.sentence)
    }
    return lines.joined(separator: "\n")
  }
}

extension Arguments.Option {
  /// The help, with what holds when the option is not given.
  var sentence: String {
    standard.map { "\(help); default: \($0)" } ?? help
  }
}

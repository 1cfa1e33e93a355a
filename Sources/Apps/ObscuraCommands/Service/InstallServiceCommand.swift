internal import CameraTasks
internal import Foundation
internal import Glibc
internal import Linux

/// `obscura install-service`: has systemd run `scan` or `watch` for good.
enum InstallServiceCommand: Command {
  static let name = "install-service"
  static let summary = "has systemd run scan or watch for good"
  static let usage = "scan|watch [--print | --uninstall] [options of scan or watch]"
  static let operandWords = served.map { $0.name }

  private static let served: [any Command.Type] = [ScanCommand.self, WatchCommand.self]

  private static let own: [Arguments.Option] = [
    .init("print", help: "print the unit, and write nothing"),
    .init("uninstall", help: "remove the unit"),
    .init("name", value: "NAME", help: "call it obscura-NAME; default: scan or watch"),
    .init("force", help: "overwrite a unit of that name"),
  ]

  /// Its own, and those of what it serves, but for those that would end a service.
  static let options: [Arguments.Option] = {
    var options = own
    for option in served.flatMap({ $0.options })
    where !["once", "timeout"].contains(option.name) && !options.contains(where: { $0.name == option.name }) {
      options.append(option)
    }
    return options
  }()

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard let verb = arguments.operands.first, let command = served.first(where: { $0.name == verb }) else {
      throw CommandError(
        .usage, "'obscura install-service' takes scan or watch, as in 'obscura install-service scan'.")
    }
    guard arguments.operands.count == 1 else {
      throw CommandError(
        .usage,
        "'\(arguments.operands[1])' is one word too many; a service looks at a camera, which -d names.")
    }
    let unit = try unit(command, arguments)
    let environment = ProcessInfo.processInfo.environment
    let folder = UserFolders(environment).configuration("systemd/user")
    let path = "\(folder)/\(unit.name).service"
    if arguments.has("uninstall") { return try uninstall(path, unit.name, terminal) }
    if arguments.has("print") {
      try terminal.answer(text: unit.text)
      return .done
    }
    do {
      try Disk.makeFolders(folder)
    } catch {
      throw CommandError(
        .otherFailure,
        "The folder \(folder) cannot be made; check who may write there, or set XDG_CONFIG_HOME.")
    }
    do {
      try AtomicFile.write(Array("\(unit.text)\n".utf8), to: path, replacing: arguments.has("force"))
    } catch {
      guard error.reason == .alreadyExists else { throw error }
      throw CommandError(
        .otherFailure, "\(path) is there already; add --force to replace it, or --name for another.")
    }
    try terminal.answer(path)
    terminal.say(
      "obscura: 'systemctl --user daemon-reload' and 'systemctl --user enable --now --no-block \(unit.name)' start it; 'loginctl enable-linger' lets it run while you are not logged in."
    )
    return .done
  }

  private static func uninstall(_ path: String, _ name: String, _ terminal: Terminal) throws -> ExitCode {
    guard access(path, F_OK) == 0 else {
      throw CommandError(.otherFailure, "There is no \(path); name the service that is to go with --name.")
    }
    let folder = AtomicFile.folder(of: path)
    // What enabling had made: without it the manager finds a link that leads nowhere.
    Disk.unlink("\(folder)default.target.wants/\(name).service")
    do {
      try AtomicFile.remove(path)
    } catch {
      throw CommandError(.otherFailure, "\(path) cannot be removed; check who may write to its folder.")
    }
    try terminal.answer(path)
    terminal.say("obscura: 'systemctl --user stop \(name)' and 'systemctl --user daemon-reload' end it.")
    return .done
  }

  /// The unit of what was asked for.
  /// - Throws: ``CommandError`` for options that the command would refuse.
  private static func unit(_ command: any Command.Type, _ arguments: Arguments) throws -> ServiceUnit {
    let name = arguments["name"] ?? command.name
    guard !name.isEmpty, name.utf8.count <= 100,
      name.utf8.allSatisfy({ byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "-_".utf8.contains(byte)
      })
    else {
      throw CommandError(
        .usage, "--name \(Arguments.Bounds.shown(name)) has more than letters, digits, - and _.")
    }
    // A camera that is away ends no service.
    let words = ["--wait"] + words(of: arguments)
    let inner = try Arguments(words, options: command.options + CommonOptions.all, command: command.name)
    if !arguments.has("uninstall") {
      if command == ScanCommand.self { _ = try ScanRequest(inner) } else { _ = try WatchRequest(inner) }
    }
    return ServiceUnit(
      name: "obscura-\(name)", command: [program, command.name] + words,
      folder: FileManager.default.currentDirectoryPath)
  }

  /// The words for the command itself: what was given, but for what concerns the unit.
  private static func words(of arguments: Arguments) -> [String] {
    arguments.given.flatMap { option -> [String] in
      if option.name == "wait" || own.contains(where: { $0.name == option.name }) { return [] }
      return ["--\(option.name)"] + [option.value].compactMap { $0 }
    }
  }

  /// The path of this program.
  private static var program: String {
    AtomicFile.target(of: "/proc/self/exe") ?? "/usr/local/bin/obscura"
  }
}

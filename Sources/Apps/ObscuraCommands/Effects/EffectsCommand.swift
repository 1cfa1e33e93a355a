internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Linux

/// `obscura effects`: lists video effects and reactions, and switches them for programs.
enum EffectsCommand: Command {
  static let name = "effects"
  static let summary = "lists video effects, and switches them on and off"
  static let usage = "[on|off NAME] [options]"
  static let operandWords = ["on", "off"] + VideoEffect.allCases.map(\.rawValue)
  static let options: [Arguments.Option] = [
    .init("app", value: "PROGRAM", help: "for this program only, by the name of its file"),
    .init(
      "strength", value: "N", .number(0...1, like: "0.6"),
      help: "how strong portrait, studio-light or edge-light is, 0 to 1"),
    .init("picture", value: "FILE", help: "the picture behind people, for background"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    let path = VideoEffectsFile.path(environment)
    guard let verb = arguments.operands.first else {
      if let option = options.first(where: { arguments[$0.name] != nil && $0.name != "app" }) {
        throw CommandError(.usage, "--\(option.name) belongs to 'obscura effects on NAME'.")
      }
      let report = EffectsReport(try read(path), program: arguments["app"])
      if arguments.has("json") {
        try terminal.answer(json: report)
      } else {
        try terminal.answer(text: report.text)
      }
      return .done
    }
    let effect = try effect(arguments, verb)
    let program = arguments["app"].map { ($0 as NSString).lastPathComponent }
    guard program?.isEmpty != true else { throw CommandError(.usage, "--app needs the name of a program.") }
    let strength = arguments.number("strength")
    guard strength == nil || effect.hasStrength else {
      throw CommandError(
        .usage, "\(effect.rawValue) has no strength; portrait, studio-light and edge-light have.")
    }
    guard arguments["picture"] == nil || effect == .background else {
      throw CommandError(.usage, "\(effect.rawValue) takes no picture; background does.")
    }
    let picture = try arguments["picture"].map { try BackgroundPicture.path($0, environment) }
    do {
      try VideoEffectsFile.change(at: path) { file in
        file[effect, program].on = verb == "on"
        if let strength { file[effect, program].strength = strength }
        if let picture { file[effect, program].picture = picture }
      }
    } catch let error as VideoEffectsFile.ReadError {
      throw CommandError(.otherFailure, error.description)
    } catch {
      throw CommandError(
        .otherFailure, "The choice was not kept, because \(path) cannot be written (\(error)).")
    }
    let report = EffectsReport(try read(path), program: program)
    if arguments.has("json") {
      try terminal.answer(json: report)
    } else {
      try terminal.answer(text: report.line(effect))
    }
    if verb == "on", let obstacle = report.obstacle(effect) { terminal.say("obscura: \(obstacle)") }
    return .done
  }

  private static func read(_ path: String) throws(CommandError) -> VideoEffectsFile {
    do {
      return try VideoEffectsFile(at: path)
    } catch {
      throw CommandError(.otherFailure, error.description)
    }
  }

  private static func effect(_ arguments: Arguments, _ verb: String) throws(CommandError) -> VideoEffect {
    guard ["on", "off"].contains(verb) else {
      throw CommandError(.usage, "'\(verb)' is neither on nor off; write 'obscura effects on NAME'.")
    }
    let names = VideoEffect.allCases.map(\.rawValue).joined(separator: ", ")
    guard arguments.operands.count == 2 else {
      throw CommandError(.usage, "'obscura effects \(verb)' needs the name of one effect: \(names).")
    }
    guard let effect = VideoEffect(rawValue: arguments.operands[1]) else {
      throw CommandError(.usage, "'\(arguments.operands[1])' is not an effect; choose one of \(names).")
    }
    return effect
  }
}

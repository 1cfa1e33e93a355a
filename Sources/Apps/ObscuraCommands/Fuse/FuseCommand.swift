internal import CameraTasks
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import FrameFusion
internal import Linux
internal import PixelTransforms
internal import StillCodecs

/// `obscura fuse`: makes one picture with less noise of several of one scene.
enum FuseCommand: Command {
  static let name = "fuse"
  static let summary = "makes one picture with less noise of several of one scene"
  static let usage = "FILE… -o FILE [options]"
  static let takesFiles = true
  static let options: [Arguments.Option] = [
    .init("output", "o", value: "FILE", help: "where to; - is standard output"),
    .init(
      "format", value: "NAME", choices: Format.allCases.map(\.rawValue),
      default: "by FILE's extension, or jpeg",
      help: "jpeg or heic"),
    .init(
      "weights", value: "FILE", help: "also write a map of how many pictures were merged where: a .png file"),
    .init(
      "tone", value: "NAME", choices: ToneMapping.allCases.map(\.rawValue), default: "local",
      help: "tone mapping of scenes with a high dynamic range: local, by one global curve, or none"
    ),
    .init("plain", help: "merge alone: neither denoised nor sharpened, no shadows lifted"),
    .init("force", help: "overwrite FILE"),
  ]

  enum Format: String, CaseIterable {
    case jpeg, heic
  }

  private struct Answer: Encodable {
    var schema = "obscura.fuse"
    var version = 1
    var path: String?
    var taken: Int
    var merged: Int
    var width: Int
    var height: Int
  }

  private static func development(_ arguments: Arguments) throws(CommandError) -> Development {
    let tone = try arguments.choice("tone", of: ToneMapping.self)
    guard arguments.has("plain") else {
      var development = Development.standard
      if let tone { development.tone = tone }
      return development
    }
    guard tone == nil else {
      throw CommandError(.usage, "--plain lifts no shadows; leave out --plain or --tone.")
    }
    return .none
  }

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    guard !arguments.operands.isEmpty else {
      throw CommandError(.usage, "no picture was named; write 'obscura fuse FILE… -o FILE'.")
    }
    let development = try development(arguments)
    let choice = try OutputChoice<Format>(
      arguments, what: "A fused picture", files: ".jpg or .heic", environment: environment,
      format: { ["jpg": .jpeg, "jpeg": .jpeg, "heic": .heic][$0.lowercased()] })
    let weights = try arguments["weights"].map {
      guard $0.lowercased().hasSuffix(".png") else {
        throw CommandError(.usage, "the map of --weights is a PNG picture; name a .png file.")
      }
      return try PictureFile.named($0, overwrites: arguments.has("force"), environment: environment)
    }
    var file: PictureFile?
    switch choice.place {
    case .standardOutput: try terminal.answer(bytes: Data())
    case .file(let named): file = named
    case .library: throw CommandError(.usage, "no file was named for the picture; add -o FILE.")
    }
    // What makes the pictures impossible to keep is reported before the work is done.
    for file in [file, weights].compactMap(\.self) { try file.check(date: WorldTime.current.date) }
    let count = arguments.operands.count
    let progress = Progress(terminal) { "Reading \(count) pictures" }
    defer { progress.end() }
    let folders = UserFolders(environment)
    let pictures = try arguments.operands.map { try FusedFiles.picture(at: folders.expanded($0)) }
    progress.change { "Fusing \(count) pictures" }
    let fused = try FusedFiles.fuse(
      pictures, development, wantsWeights: weights != nil)
    progress.change { "Writing the picture" }
    let data = try FusedFiles.data(
      of: fused, as: choice.format ?? .jpeg, like: pictures[fused.reference].facts)
    if let weights, let map = fused.weights {
      _ = try weights.write(try FusedFiles.png(of: map, most: count), date: WorldTime.current.date)
    }
    guard let file else {
      try terminal.answer(bytes: data)
      return .done
    }
    let url = try file.write(data, date: WorldTime.current.date)
    terminal.detail("\(fused.mergedCount) of \(count) pictures were merged.")
    if arguments.has("json") {
      try terminal.answer(
        json: Answer(
          path: url.path, taken: count, merged: fused.mergedCount, width: fused.picture.width,
          height: fused.picture.height))
    } else {
      try terminal.answer(url.path)
    }
    return .done
  }
}

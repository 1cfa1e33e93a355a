internal import CameraTasks
internal import Foundation

/// The request to `obscura record`, checked before any device is opened.
struct RecordRequest: Sendable {
  var file: PictureFile
  /// Whether movies go into the library when they are whole; until then they lie beside it, so that a kill loses none.
  var savesInLibrary: Bool
  var plan = MoviePlan()
  /// Which of the segments stay; `nil` is all.
  var keep: KeptMovies.Limit?

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    savesInLibrary = arguments.has("library")
    guard !savesInLibrary || arguments["output"] == nil else {
      throw CommandError(.usage, "--library and -o both say where the movie goes; choose one.")
    }
    guard arguments["format"] == nil else {
      throw CommandError(.usage, "--format is for -o -; a file's format follows from its extension.")
    }
    plan = try Self.plan(arguments)
    if let text = arguments["keep"] {
      guard plan.segmentSeconds != nil, !savesInLibrary else {
        throw CommandError(.usage, "--keep removes segments; add --segment, and leave out --library.")
      }
      guard let limit = KeptMovies.Limit(text) else {
        throw CommandError(
          .usage,
          "--keep \(Arguments.Bounds.shown(text)) is no limit; write it like 10m or 2h for time, 500M or 20G for size."
        )
      }
      keep = limit
    }
    let choice = try OutputChoice<MoviePlan.Format>(
      arguments, what: "A movie", files: ".mov, .mp4 or .m4v", environment: environment,
      format: MoviePlan.Format.init(fileExtension:))
    plan.format = choice.format ?? .mov
    switch choice.place {
    case .standardOutput: preconditionFailure("A piped recording makes no file.")
    case .file(let named): file = named
    case .library:
      file = .inLibrary(fileExtension: plan.format.rawValue, environment: environment)
    }
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; name the file with -o.")
    }
  }

  /// What the options say of the recording itself.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  static func plan(_ arguments: Arguments) throws -> MoviePlan {
    var plan = MoviePlan()
    let seconds = arguments.number("time") ?? 0
    plan.seconds = seconds > 0 ? seconds : nil
    plan.segmentSeconds = arguments.number("segment")
    plan.isImmediate = arguments.has("immediate")
    try CodingOptions.read(arguments, into: &plan)
    return plan
  }
}

internal import CameraTasks
internal import Foundation

/// The request to `obscura photo`, checked before any device is opened.
struct PhotoRequest: Sendable {
  /// `nil` is standard output.
  var file: PictureFile?
  /// Whether photos go into the library instead.
  var savesInLibrary: Bool
  var plan = PhotoPlan()
  var timerSeconds: Double
  var count: Int
  var intervalSeconds: Double

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    var arguments = arguments
    savesInLibrary = arguments.has("library")
    guard !savesInLibrary || arguments["output"] == nil else {
      throw CommandError(.usage, "--library and -o both say where the photo goes; choose one.")
    }
    plan.controls = try PhotoControls(&arguments)
    timerSeconds = arguments.number("timer") ?? 0
    count = arguments.wholeNumber("count") ?? 1
    intervalSeconds = arguments.number("interval") ?? 0
    plan.quality = try arguments.choice("quality", of: PhotoPlan.Quality.self) ?? .balanced
    plan.preset = try arguments.choice("preset", of: FramePreset.self) ?? .photo
    plan.isLargest = arguments.has("largest")
    plan.isSeries = count > 1
    plan.hasInterval = intervalSeconds > 0
    plan.isImmediate = arguments.has("immediate")
    plan.takesPast = !arguments.has("no-zsl")
    let choice = try OutputChoice<PhotoPlan.Format>(
      arguments, what: "A photo", files: ".jpg, .heic, .png or .dng", environment: environment,
      format: PhotoPlan.Format.init(fileExtension:))
    plan.format = choice.format ?? .jpeg
    plan.addsRaw = arguments.has("raw")
    guard plan.format != .dng || !plan.addsRaw else {
      throw CommandError(.usage, "dng is the raw picture itself; leave --raw out, or name another format.")
    }
    guard !plan.isLargest || (plan.format != .dng && !plan.addsRaw) else {
      throw CommandError(
        .usage, "Beside a raw picture photos have their usual size; leave --largest out, or the raw picture.")
    }
    plan.hasDepth = arguments.has("depth")
    guard !plan.hasDepth || [.jpeg, .heic].contains(plan.format) else {
      throw CommandError(
        .usage, "--depth needs a file with room for a map beside its picture; write jpeg or heic.")
    }
    plan.isLive = arguments.has("live")
    if plan.isLive {
      guard plan.format != .png else {
        throw CommandError(.usage, "--live needs a photo with metadata; write jpeg, heic or dng.")
      }
      if case .standardOutput = choice.place {
        throw CommandError(.usage, "--live writes two files; name one with -o, or use --library.")
      }
    }
    switch choice.place {
    case .standardOutput:
      guard arguments["then"] == nil else {
        throw CommandError(.usage, "--then gets the name of a file, and -o - has none; name a file.")
      }
      guard !plan.addsRaw else {
        throw CommandError(
          .usage, "--raw writes two files, and -o - is one; name a file, or --format dng alone.")
      }
      file = nil
    case .file(let named): file = named
    case .library:
      file = .inLibrary(fileExtension: plan.format.fileExtension, environment: environment)
    }
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; name the file with -o.")
    }
  }
}

internal import Foundation

/// What `obscura depth` was asked for, checked before any device is opened.
struct DepthRequest: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case png, pfm
  }

  /// What is done with the maps.
  enum Work: Sendable {
    /// One is written; to standard output without a file.
    case write(PictureFile?, Format)
    /// Their numbers are told, so many seconds apart, so many times; `nil` is until stopped.
    case watch(intervalSeconds: Double, count: Int?)
  }

  var work: Work
  /// Whether maps are taken as the sensor sends them.
  var isRaw: Bool
  /// How large the camera's frames are, and with them which maps there are.
  var preset: PhotoRequest.Preset

  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    if let stray = arguments.operands.first {
      throw CommandError(.usage, "'\(stray)' is one word too many; name the file with -o.")
    }
    isRaw = arguments.has("raw")
    preset = try arguments.choice("preset", of: PhotoRequest.Preset.self) ?? .photo
    let path = arguments["output"]
    let interval = try arguments.seconds("interval"),
      count = try arguments.wholeNumber("count", in: 1...1_000_000)
    if arguments.has("watch") {
      if let stray = ["output", "format"].first(where: { arguments[$0] != nil }) {
        throw CommandError(.usage, "--watch writes no file, and --\(stray) was given; leave one of both out.")
      }
      work = .watch(intervalSeconds: interval ?? 0.5, count: count)
      return
    }
    if let stray = ["interval", "count"].first(where: { arguments[$0] != nil }) {
      throw CommandError(.usage, "--\(stray) is for --watch; one map is written without it.")
    }
    let named = path.map { URL(fileURLWithPath: $0).pathExtension.lowercased() }
    let format = try arguments.choice("format", of: Format.self)
    if let named, path != "-", format == nil, !named.isEmpty, Format(rawValue: named) == nil {
      throw CommandError(
        .usage, "A depth map cannot be written as .\(named); name a .png or .pfm file, or say --format.")
    }
    let chosen = format ?? named.flatMap(Format.init(rawValue:)) ?? .png
    switch path {
    case "-":
      guard !arguments.has("json") else {
        throw CommandError(.usage, "-o - and --json both want standard output; choose one.")
      }
      work = .write(nil, chosen)
    case let path?:
      work = .write(.named(path, overwrites: arguments.has("force")), chosen)
    case nil:
      var file = PictureFile.inLibrary(fileExtension: chosen.rawValue, environment: environment)
      file.pattern = FileNamePattern("DEPTH_%04d.\(chosen.rawValue)")
      work = .write(file, chosen)
    }
  }
}

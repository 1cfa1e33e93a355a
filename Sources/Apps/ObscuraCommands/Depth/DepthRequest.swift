internal import CameraTasks
internal import Foundation

/// The request to `obscura depth`, checked before any device is opened.
struct DepthRequest: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case png, pfm, ply
  }

  /// The use of the maps.
  enum Work: Sendable {
    /// One is written; to standard output without a file.
    case write(PictureFile?, Format)
    /// Their distances are printed at an interval, `count` times; `nil` is until stopped.
    case watch(intervalSeconds: Double, count: Int?)
  }

  var work: Work
  /// Whether maps are taken as the sensor sends them.
  var isRaw: Bool
  /// Whether a point cloud is written, whose points have the colours of the camera's picture.
  var wantsCloud: Bool {
    if case .write(_, .ply) = work { return true }
    return false
  }
  /// The size of the camera's frames, which decides the maps that there are.
  var preset: FramePreset

  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    isRaw = arguments.has("raw")
    preset = try arguments.choice("preset", of: FramePreset.self) ?? .photo
    let interval = arguments.number("interval"), count = arguments.wholeNumber("count")
    if arguments.has("watch") {
      if let stray = ["output", "format"].first(where: { arguments[$0] != nil }) {
        throw CommandError(.usage, "--watch writes no file, and --\(stray) was given; leave one of both out.")
      }
      work = .watch(intervalSeconds: interval ?? 0.5, count: count)
      try Self.checkOperands(arguments)
      return
    }
    if let stray = ["interval", "count"].first(where: { arguments[$0] != nil }) {
      throw CommandError(.usage, "--\(stray) is for --watch; one map is written without it.")
    }
    if arguments.has("wait") {
      throw CommandError(.usage, "--wait is for --watch; one map is written without it.")
    }
    let choice = try OutputChoice<Format>(
      arguments, what: "A depth map", files: ".png, .pfm or .ply", environment: environment,
      format: { Format(rawValue: $0.lowercased()) })
    let format = choice.format ?? .png
    switch choice.place {
    case .standardOutput: work = .write(nil, format)
    case .file(let file): work = .write(file, format)
    case .library:
      var file = PictureFile.inLibrary(fileExtension: format.rawValue, environment: environment)
      file.pattern = FileNamePattern("DEPTH_%04d.\(format.rawValue)")
      work = .write(file, format)
    }
    try Self.checkOperands(arguments)
  }

  private static func checkOperands(_ arguments: Arguments) throws(CommandError) {
    guard let stray = arguments.operands.first else { return }
    throw CommandError(.usage, "'\(stray)' is one word too many; name the file with -o.")
  }
}

internal import CameraTasks

/// The options of how a movie or a live stream is coded.
enum CodingOptions {
  /// - Parameter verb: What is done with the sound: `record`, `send`.
  static func options(verb: String) -> [Arguments.Option] {
    [
      .init(
        "codec", value: "NAME", choices: MoviePlan.Codec.allCases.map(\.rawValue), default: "h264",
        help: "how pictures are coded: h264 or hevc"),
      .init(
        "bitrate", value: "N", .wholeNumber(16...400_000), default: "by the size",
        help: "thousands of bits of video in a second"),
      .init("fps", value: "N", .number(0.1...1000, like: "30"), help: "frames in a second"),
      .init("size", value: "WxH", help: "the camera's format with that size: 1280x720"),
      .init("no-audio", help: "\(verb) no sound"),
    ]
  }

  /// Notes in `plan` what the options say.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  static func read(_ arguments: Arguments, into plan: inout MoviePlan) throws {
    plan.codec = try arguments.choice("codec", of: MoviePlan.Codec.self) ?? .h264
    plan.bitRate = arguments.wholeNumber("bitrate").map { $0 * 1000 }
    plan.frameRate = arguments.number("fps")
    plan.size = try arguments["size"].map(Self.size)
    plan.hasAudio = !arguments.has("no-audio")
  }

  /// The size that a text names: `1280x720`.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  static func size(_ text: String) throws -> (width: Int, height: Int) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (16...16_384).contains(width),
      (16...16_384).contains(height)
    else {
      throw CommandError(
        .usage,
        "--size \(Arguments.Bounds.shown(text)) is not a size from 16x16 to 16384x16384; write it like 1280x720."
      )
    }
    return (width, height)
  }
}

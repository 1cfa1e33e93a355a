internal import AVFoundation
internal import CameraTasks
internal import Foundation

/// The part of a request that all commands that look at a camera take: where, how long, and how large its frames are.
struct LookRequest: Sendable {
  /// The region to look at, in fractions of the picture.
  var region: CGRect
  var isOnce: Bool
  /// `nil` for ever.
  var timeoutSeconds: Double?
  /// The size of the camera's frames; `high`, which is 1920×1080 where there is that, unless `--preset` names another.
  var preset: FramePreset
  /// Where events are published, too.
  var publish: PublishOption?

  /// The options.
  ///
  /// - Parameter first: What `--once` ends with: `the first code`.
  static func options(once first: String) -> [Arguments.Option] {
    [
      RegionOption.option,
      .init(
        "preset", value: "NAME", choices: FramePreset.allCases.map(\.rawValue), default: "high",
        help: "the frames' size: high, 4k, 1080p, 720p, vga, …, as for photo"),
      .init("once", help: "end with \(first)"),
      .init("wait", help: "when the camera is away, wait for it and go on"),
      .init("timeout", value: "TIME", .time(0...2_592_000), help: "end after so long: 10s"),
    ] + PublishOption.options
  }

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments) throws(CommandError) {
    region = try RegionOption.region(arguments)
    isOnce = arguments.has("once")
    timeoutSeconds = arguments.number("timeout")
    preset = try arguments.choice("preset", of: FramePreset.self) ?? .high
    publish = try PublishOption(arguments, environment: ProcessInfo.processInfo.environment)
  }
}

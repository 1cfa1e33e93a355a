internal import CameraTasks
internal import CaptureDevice
internal import Foundation

/// `obscura bench`: measures, on simulated cameras or on the one that is chosen.
enum BenchCommand: Command {
  static let name = "bench"
  static let summary =
    "measures; 'bench zsl': which frame a photo is of; 'bench burst': photos in a row; 'bench quality': what each quality gives; 'bench frames': what a camera's frames cost"
  static let usage = "zsl|burst|quality|frames [options]"
  static let operandWords = ["zsl", "burst", "quality", "frames"]
  static let options: [Arguments.Option] = [
    .init(
      "presses", value: "N", .wholeNumber(0...1_000_000), default: "10000",
      help: "how often on a clock that is moved by hand"),
    .init(
      "live", value: "N", .wholeNumber(0...1_000_000), default: "1000",
      help:
        "how often in real time, at 12 megapixels and 30 frames a second; of 'bench frames' how many frames"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    switch arguments.operands {
    case ["zsl"]: try measureShutterLag(arguments, terminal)
    case ["burst"]:
      let progress = Progress(terminal) { "Taking photos in a row, some fifteen seconds" }
      defer { progress.end() }
      let answer = try BurstMeasurement()
      try say(answer, answer.text, arguments, terminal)
    case ["quality"]:
      let progress = Progress(terminal) { "Taking photos of each quality, about a minute" }
      defer { progress.end() }
      let answer = try QualityMeasurement()
      try say(answer, answer.text, arguments, terminal)
    case ["frames"]:
      let signals = StopSignals()
      try DeviceChoice.install(arguments["devices"], environment: LibraryEnvironment.current)
      let camera = try DeviceChoice.camera(arguments["device"])
      let answer = try FrameMeasurement(
        of: camera, frames: arguments.wholeNumber("live") ?? 300, stop: signals.request)
      try say(answer, answer.text, arguments, terminal)
    default:
      throw CommandError(
        .usage,
        "'obscura bench' measures four things; write 'obscura bench zsl', 'obscura bench burst', 'obscura bench quality' or 'obscura bench frames'."
      )
    }
    return .done
  }

  private static func measureShutterLag(_ arguments: Arguments, _ terminal: Terminal) throws {
    let presses = arguments.wholeNumber("presses") ?? 10_000
    let live = arguments.wholeNumber("live") ?? 1000
    let plans: [(bench: ShutterLagBench, count: Int)] = [
      (.init(isLive: false, takesPast: true), presses), (.init(isLive: false, takesPast: false), presses),
      (.init(isLive: true, takesPast: true), live), (.init(isLive: true, takesPast: false), live),
    ]
    for (bench, count) in plans where count > 0 {
      let name = bench.isLive ? "in real time" : "on a manual clock"
      let progress = Progress(terminal) { "Pressing \(count) times \(name)" }
      defer { progress.end() }
      let answer = try bench.run(presses: count) { terminal.detail($0) }
      try say(answer, answer.text, arguments, terminal)
    }
  }

  private static func say(
    _ answer: some Encodable, _ text: String, _ arguments: Arguments, _ terminal: Terminal
  ) throws {
    if arguments.has("json") {
      try terminal.answer(json: answer)
    } else {
      try terminal.answer(text: text)
    }
  }
}

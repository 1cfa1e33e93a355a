internal import Foundation

/// `obscura bench`: measures, on simulated cameras.
enum BenchCommand: Command {
  static let name = "bench"
  static let summary =
    "measures; 'bench zsl': which frame a photo is of; 'bench burst': photos in a row; 'bench quality': what each quality gives"
  static let usage = "zsl|burst|quality [options]"
  static let operandWords = ["zsl", "burst", "quality"]
  static let options: [Arguments.Option] = [
    .init(
      "presses", value: "N", .wholeNumber(0...1_000_000), default: "10000",
      help: "how often on a clock that is moved by hand"),
    .init(
      "live", value: "N", .wholeNumber(0...1_000_000), default: "1000",
      help: "how often in real time, at 12 megapixels and 30 frames a second"),
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
    default:
      throw CommandError(
        .usage,
        "'obscura bench' measures three things; write 'obscura bench zsl', 'obscura bench burst' or 'obscura bench quality'."
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

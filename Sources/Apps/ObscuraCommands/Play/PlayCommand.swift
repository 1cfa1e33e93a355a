internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import Linux

/// `obscura play`: plays a movie's sound, or says what is in it.
enum PlayCommand: Command {
  static let name = "play"
  static let summary = "plays a movie's sound and shows how far it is, or says what is in it"
  static let usage = "FILE [options]"
  static let takesFiles = true
  static let options: [Arguments.Option] = [
    .init("info", help: "print tracks, duration and frame times, and play nothing"),
    .init("start", value: "TIME", .time(0...2_592_000), default: "0s", help: "begin there, to the frame"),
    .init("time", "t", value: "TIME", .time(0.001...2_592_000), help: "end after so much of the movie"),
    .init(
      "rate", value: "N", .number(0.25...4, like: "1.5"), default: "1", help: "how fast; the pitch is kept"),
    .init("volume", value: "N", .number(0...1, like: "0.5"), default: "1", help: "how loud, from 0 to 1"),
    .init("mute", help: "play no sound"),
    .init("loop", help: "again and again, until stopped; a window with pictures is the desktop app's"),
  ]

  private struct Answer: Encodable {
    var schema = "obscura.play"
    var version = 1
    var path: String
    /// The movie's time when playing ended.
    var seconds: Double
    var durationSeconds: Double
    /// The number of shown frames.
    var frames: Int
  }

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.count == 1, let word = arguments.operands.first else {
      throw CommandError(.usage, "one movie is played at a time; write 'obscura play FILE'.")
    }
    guard !word.isEmpty else { throw CommandError(.usage, "'' names no movie; write 'obscura play FILE'.") }
    let path = UserFolders(ProcessInfo.processInfo.environment).expanded(word)
    do {
      if arguments.has("info") {
        let progress = Progress(terminal) { "Reading \(path)" }
        defer { progress.end() }
        let answer = try MovieAnswer(path: path)
        if arguments.has("json") { return try done { try terminal.answer(json: answer) } }
        return try done { for line in answer.lines { try terminal.answer(line) } }
      }
      return try play(path, arguments, terminal)
    } catch let error as NSError where error is AVError || error.domain == NSURLErrorDomain {
      let reason = error.localizedDescription
      throw CommandError(
        .otherFailure, reason.contains(path) ? reason : "\(path) cannot be played: \(reason)")
    }
  }

  private static func done(_ body: () throws -> Void) rethrows -> ExitCode {
    try body()
    return .done
  }

  private static func play(
    _ path: String, _ arguments: Arguments, _ terminal: Terminal
  ) throws -> ExitCode {
    let signals = StopSignals()
    let item = AVPlayerItem(url: URL(fileURLWithPath: path))
    let player = AVPlayer(playerItem: item)
    let frames = FrameCount()
    let layer = AVPlayerLayer(player: player)
    let shown = layer.frames
    shown.setFrameHandler { if let frame = shown.takeNewest() { frames.note(frame.itemTime) } }
    defer { shown.setFrameHandler(nil) }
    player.volume = Float(arguments.number("volume") ?? 1)
    player.isMuted = arguments.has("mute")
    let progress = Progress(terminal) { "Opening \(path)" }
    defer { progress.end() }
    while item.status == .unknown, !signals.request.isRequested { pause() }
    if item.status == .failed { throw item.error ?? AVError(.unknown) }
    let start = CMTime(seconds: arguments.number("start") ?? 0, preferredTimescale: 90_000)
    guard !item.duration.isNumeric || start < item.duration else {
      throw CommandError(
        .usage,
        "--start \(Figures.text(start.seconds)) s lies behind the end of \(path), which is at \(Figures.text(item.duration.seconds)) s."
      )
    }
    if let length = arguments.number("time") {
      item.forwardPlaybackEndTime = start + CMTime(seconds: length, preferredTimescale: 90_000)
    }
    if start > .zero {
      item.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
    }
    progress.change {
      "Playing \(path), \(Clock.text(item.currentTime().seconds)) of \(Clock.text(item.duration.seconds))"
    }
    let rate = Float(arguments.number("rate") ?? 1)
    player.rate = rate
    var isStopped = false
    while true {
      isStopped = signals.request.isRequested
      if isStopped || item.status == .failed { break }
      if player.rate == 0 {
        guard arguments.has("loop") else { break }
        item.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
        player.rate = rate
      }
      pause()
    }
    player.pause()
    if item.status == .failed { throw item.error ?? AVError(.unknown) }
    progress.end()
    let end = item.currentTime().seconds
    if arguments.has("json") {
      try terminal.answer(
        json: Answer(path: path, seconds: end, durationSeconds: item.duration.seconds, frames: frames.count))
    } else {
      terminal.say("Played \(path) to \(Clock.text(end)) of \(Clock.text(item.duration.seconds)).")
    }
    return isStopped && !arguments.has("loop") ? .aborted : .done
  }

  /// So often is looked how far it is; playing itself waits for nothing here.
  private static func pause() { Thread.sleep(forTimeInterval: 0.02) }

  private enum Clock {
    /// `1:02.5`.
    static func text(_ seconds: Double) -> String {
      guard seconds.isFinite else { return "?" }
      let tenths = Int((max(seconds, 0) * 10).rounded(.down))
      let rest = tenths % 600
      return "\(tenths / 600):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
    }
  }
}

/// Counts the frames that were on show.
private final class FrameCount: Sendable {
  private let state = Locked((count: 0, last: CMTime.invalid))

  func note(_ time: CMTime) {
    state.withLock { state in
      if state.last != time { state.count += 1 }
      state.last = time
    }
  }

  var count: Int { state.withLock { $0.count } }
}

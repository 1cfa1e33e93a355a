internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import LiveStreaming

/// `obscura stream`: sends the camera to a media server.
enum StreamCommand: Command {
  static let name = "stream"
  static let summary = "sends picture and sound to a media server: RTSP, RTMP or SRT"
  static let usage = "ADDRESS [-t TIME] [options]"
  static let options: [Arguments.Option] =
    [
      .init(
        "time", "t", value: "TIME", .time(0...604_800), default: "until stopped",
        help: "how long: 5s, 2m, 1h; 0 sends until stopped")
    ] + CodingOptions.options(verb: "send") + [
      .init(
        "key-file", value: "FILE",
        help: "a file of mode 600 with what the server asks for: name:password, stream key or passphrase"),
      .init(
        "certificates", value: "FILE",
        help: "certificates in PEM to check the server's by over TLS, in place of the machine's"),
      .init("trust-any-certificate", help: "take any certificate over TLS"),
      .init("also-record", value: "FILE", help: "record a movie beside, .mov, .mp4 or .m4v"),
      .init("force", help: "overwrite the movie"),
      .init("wait", help: "when the camera is away, wait for it and go on"),
    ] + EffectOptions.options

  private struct Answer: Encodable {
    var address: String
    var frames: Int
    var dropped: Int
    var late: Int
    var bytes: Int64
    var connections: Int
    var movie: String?
  }

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = LibraryEnvironment.current
    let request = try StreamRequest(arguments, environment: environment)
    let effects = try EffectOptions(arguments, environment: environment)
    try request.file?.check(date: WorldTime.current.date, isMovie: true)
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let waiting = CameraWaiting(arguments, terminal)
    let camera = try CameraWaiting.camera(waiting, signals.request) {
      try DeviceChoice.camera(arguments["device"], stop: signals.request)
    }
    effects.install()
    let shown = request.shown
    let session = try StreamSession(
      camera: camera, to: .address(request.address, request.server), plan: request.plan,
      alsoTo: request.file,
      stop: signals.request, waiting: waiting
    ) { report in
      switch report {
      case .connected: terminal.say("obscura: \(shown) takes the stream.")
      case .disconnected(let reason, let seconds):
        terminal.say(
          "obscura: \(shown) does not take the stream: \(reason); the next try is in \(Figures.text(seconds)) s."
        )
      case .failed, .ended: break
      }
    }
    try effects.check(camera)
    if let missing = session.missingSound { terminal.say("obscura: \(missing)") }
    let movie = try session.send()
    let sent = session.statistics
    if arguments.has("json") {
      try terminal.answer(
        json: Answer(
          address: shown, frames: sent.frames, dropped: sent.droppedFrames, late: sent.lateFrames,
          bytes: sent.bytes, connections: sent.connections, movie: movie?.path))
    } else {
      let late =
        sent.lateFrames > 0
        ? ", \(sent.lateFrames) left out because this machine was too slow to code them" : ""
      try terminal.answer(
        "\(counted(sent.frames, "frame")) sent to \(shown), \(sent.droppedFrames) dropped\(late), \(counted(sent.connections, "connection"))"
      )
      if let movie { try terminal.answer(movie.path) }
    }
    return sent.frames > 0 ? .done : .otherFailure
  }

  private static func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}

internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import LiveStreaming
internal import Photos

/// `obscura record`: records a movie.
enum RecordCommand: Command {
  static let name = "record"
  static let summary = "records a movie with sound"
  static let usage = "[-o FILE] [-t TIME] [options]"
  static let options: [Arguments.Option] =
    [
      .init(
        "output", "o", value: "FILE",
        help: "where to, .mov, .mp4 or .m4v; %04d is the number, %Y%m%d the time; - is standard output"),
      .init(
        "format", value: "NAME", choices: LiveStream.Container.allCases.map(\.rawValue), default: "ts",
        help: "how bytes on standard output lie: ts (MPEG-TS) or mkv (Matroska)"),
      .init(
        "time", "t", value: "TIME", .time(0...604_800), default: "until stopped",
        help: "how long: 5s, 2m, 1h; 0 records until stopped"),
    ] + CodingOptions.options(verb: "record") + [
      .init(
        "segment", value: "TIME", .time(0.5...86_400),
        help: "begin a new file so often, without losing a frame: 60s"),
      .init(
        "keep", value: "LIMIT",
        help: "of --segment, remove the oldest files while all are longer or larger: 10m, 2h, 500M, 20G"),
      .init(
        "then", value: "COMMAND",
        help: "run a shell command for each file that is whole; its path is $OBSCURA_FILE"),
      .init("immediate", help: "do not wait for exposure, focus and white balance to settle"),
      .init("wait", help: "when the camera is away, wait for it and go on"),
      .init("fail-on-drop", help: "exit with 10 when a movie lacks frames"),
      .init("force", help: "overwrite FILE"),
      .init("library", help: "save in the photo library"),
    ] + EffectOptions.options

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    if arguments["output"] == "-" { return try PipedRecording.run(arguments, terminal) }
    let environment = LibraryEnvironment.current
    let request = try RecordRequest(arguments, environment: environment)
    let effects = try EffectOptions(arguments, environment: environment)
    // What makes the movie impossible to keep is reported before there is one.
    if request.savesInLibrary { try LibraryAssets.checkWriting() }
    try request.file.check(date: WorldTime.current.date, isMovie: true)
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let waiting = CameraWaiting(arguments, terminal)
    let camera = try CameraWaiting.camera(waiting, signals.request) {
      try DeviceChoice.camera(arguments["device"], stop: signals.request)
    }
    let name = camera.localizedName
    let progress = Progress(terminal) { "Starting \(name)" }
    defer { progress.end() }
    effects.install()
    let session = try MovieSession(
      camera: camera, plan: request.plan, file: request.file, stop: signals.request, waiting: waiting)
    defer { session.stop() }
    try effects.check(camera)
    if let missing = session.missingSound { terminal.say("obscura: \(missing)") }
    try session.start()
    if !session.isWaiting { terminal.detail("\(name) runs.") }
    if !session.isWaiting { effects.react(on: camera) }
    progress.change { line(session.position, name) }
    var dropped = 0
    let failures = Failures(terminal)
    var kept = request.keep.map { KeptMovies($0) }
    let following = arguments["then"].map { FollowingCommand($0, failures) }
    let ending = Result {
      try session.record { movie in
        var movie = movie
        // Where the library does not take one, the others are recorded still.
        if request.savesInLibrary, let place = failures.attempt({ try keep(movie.url) }) { movie.url = place }
        dropped += movie.dropped
        for lack in lacks(movie, name) { terminal.say("obscura: \(lack)") }
        terminal.detail(
          "\(movie.url.path): \(movie.frames) frames in \(Figures.text(movie.seconds)) s, \(size(movie.bytes))"
        )
        if arguments.has("json") {
          try terminal.answer(json: RecordAnswer(movie, codec: request.plan.codec, device: camera.uniqueID))
        } else {
          try terminal.answer(movie.url.path)
        }
        following?.run(for: movie.url.path)
        let old = kept?.add(movie.url, seconds: movie.seconds, bytes: movie.bytes) ?? []
        let remove: @Sendable () -> Void = {
          for file in old where Disk.unlink(file.path) {
            terminal.detail("\(file.path) was removed, as --keep says.")
          }
        }
        // A command that still reads a file comes first.
        if let following { following.afterwards(remove) } else { remove() }
      }
    }
    if let lost = session.lostMicrophone {
      terminal.say("obscura: \(lost) was pulled out, so the rest of the movie has no sound.")
    }
    failures.attempt(ending.get)
    following?.finish()
    try failures.check()
    return dropped > 0 && arguments.has("fail-on-drop") ? .framesWereDropped : .done
  }

  /// The defects of a movie, in sentences.
  static func lacks(_ movie: MovieSession.Movie, _ camera: String) -> [String] {
    func sentence(_ count: Int, _ why: (_ isOne: Bool) -> String) -> String? {
      let frames = count == 1 ? "a frame" : "\(count) frames"
      return count > 0 ? "\(movie.url.path) lacks \(frames) that \(why(count == 1))." : nil
    }
    return [
      sentence(movie.dropped - movie.missing) { $0 ? "was dropped" : "were dropped" },
      sentence(movie.missing) { _ in "\(camera) did not bring" },
    ].compactMap { $0 }
  }

  /// Moves a movie into the library; where it is then.
  /// - Throws: ``CommandError``: why it lies where it was recorded.
  private static func keep(_ movie: URL) throws -> URL {
    let options = PHAssetResourceCreationOptions()
    options.shouldMoveFile = true
    do {
      let asset = try LibraryTransfer.add(movie, options, nil)
      let path = PHAssetResource.assetResources(for: asset).first?.path
      return path.map { URL(fileURLWithPath: $0) } ?? movie
    } catch {
      let cause = CommandError(error)
      throw CommandError(
        cause.exitCode,
        "The library did not take the movie, which lies in \(movie.path): \(cause.message)")
    }
  }

  /// The progress line for people while it records: `Recording Back Camera: 0:12, 23.4 MB`.
  static func line(_ position: MovieSession.Position, _ name: String) -> String {
    let seconds = Int(position.seconds)
    let clock =
      seconds >= 3600
      ? "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
      : "\(seconds / 60):\(two(seconds % 60))"
    let drops =
      position.dropped > 0
      ? ", \(position.dropped) \(position.dropped == 1 ? "frame" : "frames") dropped" : ""
    return "Recording \(name): \(clock), \(size(position.bytes))\(drops)"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func size(_ bytes: Int64) -> String {
    String(format: "%.1f MB", Double(bytes) / 1e6)
  }
}

internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import VirtualCameras

/// `obscura serve`: offers the camera to other programs, as a camera of PipeWire's or as frames in memory.
enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "offers the camera to calls, browsers and OBS by PipeWire, or its frames in memory"
  static let usage = "[--ring SOCKET] [-t TIME] [options]"
  static let options: [Arguments.Option] =
    [
      .init(
        "time", "t", value: "TIME", .time(0...604_800), default: "until stopped",
        help: "how long: 5s, 2m, 1h; 0 offers it until stopped"),
      .init(
        "filter", value: "NAME", choices: ServedFilter.allCases.map(\.rawValue),
        help: "the look of the pictures: \(ServedFilter.allCases.map(\.rawValue).joined(separator: ", "))"),
      .init(
        "ring", value: "SOCKET",
        help: "offer the frames in memory, by this socket, and no camera of PipeWire's"),
      .init(
        "slots", value: "N", .wholeNumber(SharedFrameRing.slotCounts), default: "4",
        help: "how many frames the memory holds: more leave readers more time"),
      .init("title", value: "TEXT", default: "Obscura Camera", help: "the name in lists of cameras"),
      .init("fps", value: "N", .number(0.1...1000, like: "30"), help: "frames in a second"),
      .init("size", value: "WxH", help: "the camera's format with that size: 1280x720"),
      .init("wait", help: "when the camera or PipeWire is away, wait for it and go on"),
    ] + EffectOptions.options

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard arguments.operands.isEmpty else {
      throw CommandError(
        .usage, "'\(arguments.operands[0])' is one word too many; serve takes options alone.")
    }
    let environment = LibraryEnvironment.current
    var plan = ServeSession.Plan()
    let seconds = arguments.number("time") ?? 0
    plan.seconds = seconds > 0 ? seconds : nil
    plan.filter = try arguments.choice("filter", of: ServedFilter.self)
    plan.title = arguments["title"] ?? plan.title
    guard !plan.title.isEmpty else { throw CommandError(.usage, "--title is empty; give the camera a name.") }
    plan.movie.frameRate = arguments.number("fps")
    plan.movie.size = try arguments["size"].map(CodingOptions.size)
    let effects = try EffectOptions(arguments, environment: environment)
    let signals = StopSignals()
    // Before the camera: what is wrong with the socket is said at once, and programs may connect while a camera is waited for.
    let ring = try Self.ring(arguments, terminal, environment)
    defer { ring?.close() }
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let waiting = CameraWaiting(arguments, terminal)
    // The time for which the camera is waited for counts, at first and later.
    let end = plan.seconds.map { WorldTime.current.now.advanced(bySeconds: $0) }
    let camera = try CameraWaiting.camera(waiting, signals.request, until: end) {
      try DeviceChoice.camera(arguments["device"], stop: signals.request, until: end)
    }
    if waiting != nil, let end {
      plan.seconds = max(0, Double(end.nanoseconds - WorldTime.current.now.nanoseconds) / 1e9)
    }
    effects.install()
    let title = plan.title
    let session = try ServeSession(
      camera: camera, plan: plan, ring: ring, stop: signals.request, waiting: waiting
    ) { state in
      switch state {
      case .offered: terminal.say("obscura: \(title) is in other programs' lists of cameras.")
      case .watched: terminal.say("obscura: A program watches \(title).")
      case .failed(let problem): terminal.say("obscura: \(problem.description)")
      case .off: break
      }
    }
    try effects.check(camera)
    effects.react(on: camera)
    try session.serve()
    return .done
  }

  /// Opens the ring that the options ask for; `nil` where they ask for a camera of PipeWire's.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/usage``, or `SharedFrameProblem`.
  private static func ring(
    _ arguments: Arguments, _ terminal: Terminal, _ environment: [String: String]
  ) throws -> SharedFrameRing? {
    guard let word = arguments["ring"] else {
      guard arguments["slots"] == nil else {
        throw CommandError(.usage, "--slots is of a ring alone; name its socket with --ring SOCKET.")
      }
      return nil
    }
    guard !word.isEmpty else { throw CommandError(.usage, "--ring is empty; name a socket.") }
    guard arguments["title"] == nil else {
      throw CommandError(
        .usage, "--title is of a camera of PipeWire's, and --ring offers none; leave one out.")
    }
    let path = UserFolders(environment).expanded(word)
    let ring = try SharedFrameRing(path: path, slotCount: arguments.wholeNumber("slots") ?? 4) { readers in
      let words =
        readers == 0 ? "No program reads" : readers == 1 ? "A program reads" : "\(readers) programs read"
      terminal.say("obscura: \(words) the frames at \(path).")
    }
    terminal.say("obscura: Programs can read the frames at \(path).")
    return ring
  }
}

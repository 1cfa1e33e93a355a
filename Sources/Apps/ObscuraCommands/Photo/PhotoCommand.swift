internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import Photos

/// `obscura photo`: takes photos.
enum PhotoCommand: Command {
  static let name = "photo"
  static let summary = "takes a photo"
  static let usage = "[-o FILE] [options]"
  static let options: [Arguments.Option] =
    [
      .init(
        "output", "o", value: "FILE", help: "where to; - is standard output, %04d the number, %Y%m%d the time"
      ),
      .init(
        "format", value: "NAME", choices: PhotoPlan.Format.allCases.map(\.rawValue),
        default: "by FILE's extension, or jpeg", help: "jpeg, heic, png or dng"),
      .init("raw", help: "write what the sensor counted beside the photo, as .dng"),
      .init(
        "quality", value: "NAME", choices: PhotoPlan.Quality.allCases.map(\.rawValue), default: "balanced",
        help: "fuse 1, 3 or 8 frames in little light, write finer: speed, balanced or quality"),
      .init(
        "preset", value: "NAME", choices: FramePreset.allCases.map(\.rawValue), default: "photo",
        help: "photo, high, medium, low, 4k, 1080p, 720p, vga or cif"),
      .init(
        "largest",
        help: "show each photosite of the sensor, where photos otherwise show fewer"),
      .init("timer", value: "TIME", .time(0...86_400), help: "wait before the first photo: 3s"),
      .init("count", value: "N", .wholeNumber(1...1_000_000), default: "1", help: "take N photos"),
      .init(
        "interval", value: "TIME", .time(0...86_400),
        help: "press so far apart: 500ms; quality gives way before this does"),
      .init("immediate", help: "do not wait for exposure, focus and white balance to settle"),
      .init(
        "no-zsl", help: "take the next exposure, not the frame that is there when the photo is asked for"),
      .init("live", help: "with a movie of the moments around it beside FILE: a Live Photo"),
      .init(
        "depth", help: "with a depth map inside the file; without -d of the first camera that measures one"),
      .init(
        "then", value: "COMMAND",
        help: "run a shell command for each file of a photo; its path is $OBSCURA_FILE"),
      .init("force", help: "overwrite FILE"),
      .init("library", help: "save in the photo library"),
    ] + PhotoControls.options + EffectOptions.options

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = LibraryEnvironment.current
    let request = try PhotoRequest(arguments, environment: environment)
    let effects = try EffectOptions(arguments, environment: environment)
    // What makes the photo impossible to keep is reported before there is one.
    if request.savesInLibrary {
      try LibraryAssets.checkWriting()
    } else if let file = request.file {
      try file.check(date: WorldTime.current.date)
    } else {
      try terminal.answer(bytes: Data())
    }
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let wanted = arguments["device"]
    let camera =
      try request.plan.hasDepth
      ? DeviceChoice.depthCamera(wanted, stop: signals.request)
      : DeviceChoice.camera(wanted, stop: signals.request)
    let name = camera.localizedName
    let progress = Progress(terminal) { "Starting \(name)" }
    defer { progress.end() }
    effects.install()
    let session = try PhotoSession(camera: camera, plan: request.plan, stop: signals.request)
    defer { session.stop() }
    try effects.check(camera)
    let failures = Failures(terminal)
    let following = arguments["then"].map { FollowingCommand($0, failures) }
    let writing = PhotoWriting(
      session, request, camera, terminal, failures, following, isJSON: arguments.has("json"))
    var ending: (any Error)?
    do {
      try session.start()
      terminal.detail("\(name) runs.")
      try press(request, effects, on: camera, session, writing, progress)
    } catch {
      ending = error
    }
    // Also what was pressed before the end came.
    progress.change {
      let count = writing.unwritten
      return "Finishing \(count == 1 ? "the photo" : "\(count) photos")"
    }
    writing.finish()
    following?.finish()
    if let ending { failures.report(ending) }
    try failures.check()
    return .done
  }

  /// Presses as often as was asked.
  private static func press(
    _ request: PhotoRequest, _ effects: EffectOptions, on camera: AVCaptureDevice, _ session: PhotoSession,
    _ writing: PhotoWriting, _ progress: Progress
  ) throws {
    let start = WorldTime.current.now.advanced(bySeconds: request.timerSeconds)
    if request.timerSeconds > 0 {
      progress.change { "The photo is taken in \(secondsLeft(until: start)) s" }
      try session.sleep(until: start)
    }
    progress.change { "Waiting for exposure, focus and white balance to settle" }
    try session.settle()
    try session.waitForMoments()
    if effects.reaction != nil {
      effects.react(on: camera)
      try session.sleep(until: WorldTime.current.now.advanced(bySeconds: EffectOptions.reactionSeconds))
    }
    try PressSeries(count: request.count, intervalSeconds: request.intervalSeconds).run(
      now: { BootClock.nanoseconds },
      prepare: {
        try writing.waitForRoom()
        try session.waitUntilReady()
      },
      sleep: { moment, number in
        progress.change {
          let seconds = (max(0, moment - BootClock.nanoseconds) + 999_999_999) / 1_000_000_000
          return request.count == 1
            ? "Taking the photo"
            : "Taking photo \(number + 1) of \(request.count)" + (seconds > 0 ? " in \(seconds) s" : "")
        }
        try sleep(session, until: moment)
      },
      press: { writing.add(try session.press(), request.intervalSeconds > 0 ? $0 : nil) })
  }

  /// Sleeps until a moment of the clock that goes on while the machine is asleep.
  private static func sleep(_ session: PhotoSession, until moment: Int64) throws {
    // The sleep itself is counted without that time: so often is looked.
    let most: Int64 = 1_000_000_000
    while true {
      let rest = moment - BootClock.nanoseconds
      guard rest > 0 else { return }
      try session.sleep(until: WorldTime.current.now.advanced(byNanoseconds: min(rest, most)))
    }
  }

  private static func secondsLeft(until moment: MonotonicInstant) -> Int64 {
    (max(0, moment.nanoseconds - WorldTime.current.now.nanoseconds) + 999_999_999) / 1_000_000_000
  }
}

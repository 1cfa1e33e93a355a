internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Glibc
internal import LiveStreaming

/// `obscura record -o -`: picture and sound into another program, such as ffmpeg, GStreamer or OpenCV.
enum PipedRecording {
  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = LibraryEnvironment.current
    for other in ["library", "segment", "keep", "then", "json", "fail-on-drop"]
    where arguments.has(other) || arguments[other] != nil {
      throw CommandError(.usage, "--\(other) does not go with -o -, which writes one endless stream.")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw CommandError(
        .usage,
        "-o - writes bytes that no terminal shows; put a program behind it: obscura record -o - | ffplay -.")
    }
    let plan = try RecordRequest.plan(arguments)
    let container = try arguments.choice("format", of: LiveStream.Container.self) ?? .ts
    let effects = try EffectOptions(arguments, environment: environment)
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let waiting = CameraWaiting(arguments, terminal)
    let camera = try CameraWaiting.camera(waiting, signals.request) {
      try DeviceChoice.camera(arguments["device"], stop: signals.request)
    }
    effects.install()
    let session = try StreamSession(
      camera: camera, to: .descriptor(STDOUT_FILENO, container), plan: plan, stop: signals.request,
      waiting: waiting
    ) { _ in }
    try effects.check(camera)
    if let missing = session.missingSound { terminal.say("obscura: \(missing)") }
    _ = try session.send()
    let sent = session.statistics
    terminal.detail("\(sent.frames) frames, \(sent.droppedFrames) dropped.")
    return sent.frames > 0 ? .done : .otherFailure
  }
}

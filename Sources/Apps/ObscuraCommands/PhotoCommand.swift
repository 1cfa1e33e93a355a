internal import AVFoundation
internal import Foundation
internal import Linux

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
      .init("format", value: "NAME", help: "jpeg, heic or png; else by FILE's extension, else jpeg"),
      .init(
        "quality", value: "NAME", help: "speed, balanced (else) or quality: how finely the file is written"),
      .init("preset", value: "NAME", help: "photo, high, medium, low, 4k, 1080p, 720p, vga or cif"),
      .init("timer", value: "TIME", help: "wait before the first photo: 3s"),
      .init("count", value: "N", help: "take N photos"),
      .init("interval", value: "TIME", help: "press so far apart: 500ms; quality gives way before this does"),
      .init("immediate", help: "do not wait for exposure, focus and white balance to settle"),
      .init(
        "no-zsl", help: "take the next exposure, not the frame that is there when the photo is asked for"),
      .init("force", help: "overwrite FILE"),
    ] + PhotoControls.options

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    let request = try PhotoRequest(arguments, environment: environment)
    try DeviceChoice.install(arguments, environment: environment)
    let camera = try DeviceChoice.camera(arguments)
    let session = try PhotoSession(camera: camera, request: request)
    try session.start()
    defer { session.stop() }
    terminal.detail("\(camera.localizedName) runs.")

    try session.sleep(until: .now.advanced(byNanoseconds: Int64(request.timerSeconds * 1e9)))
    try session.settle(request)
    let writing = PhotoWriting(session, request, camera, terminal, isJSON: arguments.has("json"))
    var due = MonotonicInstant.now
    for _ in 0..<request.count {
      try session.sleep(until: due)
      try writing.waitForRoom()
      session.waitUntilReady()
      due = max(due, .now).advanced(byNanoseconds: Int64(request.intervalSeconds * 1e9))
      writing.add(try session.press(request))
    }
    try writing.finish()
    return .done
  }
}

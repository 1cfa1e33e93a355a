internal import AVFoundation
internal import Foundation

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
      .init("interval", value: "TIME", help: "so far apart: 500ms"),
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

    if request.timerSeconds > 0 { Thread.sleep(forTimeInterval: request.timerSeconds) }
    try session.settle(request)
    var due = Date()
    for index in 0..<request.count {
      let pause = due.timeIntervalSinceNow
      if index > 0, pause > 0 { Thread.sleep(forTimeInterval: pause) }
      due = max(due, Date()).addingTimeInterval(request.intervalSeconds)
      let photo = try session.takePhoto(request)
      let data = try photo.fileData(as: request.format)
      guard let file = request.file else {
        terminal.answer(bytes: data)
        continue
      }
      let url = try file.write(data, index: index, date: Date())
      let answer = PhotoAnswer(
        photo, path: url.path, bytes: data.count, format: request.format, camera: camera)
      if let detail = answer.detail { terminal.detail(detail) }
      if arguments.has("json") {
        try terminal.answer(json: answer)
      } else {
        terminal.answer(url.path)
      }
    }
    return .done
  }
}

internal import AVFoundation
internal import Foundation

/// `obscura photo`: takes photos.
enum PhotoCommand: Command {
  static let name = "photo"
  static let summary = "takes a photo"
  static let usage = "[-o FILE] [options]"
  static let options: [Arguments.Option] = [
    .init(
      "output", "o", value: "FILE", help: "where to; - is standard output, %04d the number, %Y%m%d the time"),
    .init("format", value: "NAME", help: "jpeg, heic or png; else by FILE's extension, else jpeg"),
    .init("preset", value: "NAME", help: "photo, high, medium, low, 4k, 1080p, 720p, vga or cif"),
    .init("timer", value: "TIME", help: "wait before the first photo: 3s"),
    .init("count", value: "N", help: "take N photos"),
    .init("interval", value: "TIME", help: "so far apart: 500ms"),
    .init("immediate", help: "do not wait for exposure to settle"),
    .init("force", help: "overwrite FILE"),
  ]

  private struct Answer: Encodable {
    var schema = "obscura.photo"
    var version = 1
    var path: String
    var width: Int32
    var height: Int32
    var bytes: Int
    var format: String
    var device: String
    var sequence: UInt32?
    var timestamp: Double
  }

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
    if request.waitsForExposure { try session.waitForExposure() }
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
      if arguments.has("json") {
        let size = photo.resolvedSettings.photoDimensions
        try terminal.answer(
          json: Answer(
            path: url.path, width: size.width, height: size.height, bytes: data.count,
            format: request.format.rawValue, device: camera.uniqueID, sequence: photo.frameSequenceNumber,
            timestamp: photo.timestamp.seconds))
      } else {
        terminal.answer(url.path)
      }
    }
    return .done
  }
}

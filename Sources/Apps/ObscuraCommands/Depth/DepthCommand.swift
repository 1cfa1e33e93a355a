internal import AVFCapture
internal import AVFoundation
internal import DepthMaps
internal import Foundation
internal import Linux

/// `obscura depth`: writes a depth map, or tells what they are.
enum DepthCommand: Command {
  static let name = "depth"
  static let summary = "writes a depth map, or watches them"
  static let usage = "[-o FILE | --watch] [options]"
  static let options: [Arguments.Option] = [
    .init(
      "output", "o", value: "FILE", help: "where to; - is standard output, %04d the number, %Y%m%d the time"),
    .init(
      "format", value: "NAME",
      help: "png: 16 bits in millimetres; pfm: floats in metres; else by FILE's extension"),
    .init("watch", help: "tell distances until stopped, and write nothing"),
    .init("interval", value: "TIME", help: "with --watch, so far apart: 500ms"),
    .init("count", value: "N", help: "with --watch, end after N lines"),
    .init("raw", help: "as the sensor sends it: neither smoothed nor its holes filled"),
    .init(
      "preset", value: "NAME",
      help: "the frames' size, which decides over the map's: photo (else), high, vga, …"),
    .init("force", help: "overwrite FILE"),
  ]

  /// A filter has seen most of what there is to see by then.
  private static let settledMaps = 10

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    let request = try DepthRequest(arguments, environment: environment)
    try DeviceChoice.install(arguments, environment: environment)
    let camera = try chooseCamera(arguments)
    let run = try CameraRun(camera: camera)
    let maps = try NewestDepth(run, request)
    try run.start()
    defer { run.stop() }
    terminal.detail("\(camera.localizedName) runs.")
    let isJSON = arguments.has("json")
    switch request.work {
    case .write(let file, let format):
      let seen = try maps.next(after: request.isRaw ? 0 : settledMaps - 1)
      try write(seen, file, format, camera, terminal, isJSON: isJSON)
    case .watch(let interval, let count):
      var number = 0
      var due = MonotonicInstant.now
      while count.map({ number < $0 }) ?? true {
        let seen = try maps.next(after: maps.count)
        let answer = DepthAnswer(seen, device: camera.uniqueID)
        if isJSON { try terminal.answer(json: answer) } else { terminal.answer(answer.line) }
        number += 1
        due = due.advanced(byNanoseconds: Int64(interval * 1e9))
        try maps.sleep(until: due)
      }
    }
    return .done
  }

  /// The camera that was named, or the first that measures depth.
  private static func chooseCamera(_ arguments: Arguments) throws -> AVCaptureDevice {
    let camera = try DeviceChoice.camera(arguments)
    if camera.hasMediaType(.depthData) { return camera }
    let others = AVCaptureDevice.devices(for: .depthData)
    if arguments["device"] == nil, let first = others.first { return first }
    let hint =
      others.first.map { "try --device '\($0.localizedName)'" }
      ?? "plug in one that does, or try '--devices simulated'"
    throw CommandError(.formatNotSupported, "\(camera.localizedName) measures no depth; \(hint).")
  }

  private static func write(
    _ seen: NewestDepth.Sighting, _ file: PictureFile?, _ format: DepthRequest.Format,
    _ camera: AVCaptureDevice, _ terminal: Terminal, isJSON: Bool
  ) throws {
    let data: Data
    switch format {
    case .png: data = try DepthFile.png(seen.map)
    case .pfm: data = DepthFile.pfm(seen.map)
    }
    guard let file else { return terminal.answer(bytes: data) }
    let url = try file.write(data, index: 0, date: Date())
    var answer = DepthAnswer(seen, device: camera.uniqueID)
    answer.path = url.path
    answer.format = format.rawValue
    terminal.detail(answer.line)
    if isJSON { try terminal.answer(json: answer) } else { terminal.answer(url.path) }
  }
}

extension DepthAnswer {
  init(_ seen: NewestDepth.Sighting, device: String) {
    self.init(seen.map, timestamp: seen.timestamp, isFiltered: seen.isFiltered, device: device)
  }
}

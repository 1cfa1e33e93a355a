internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import DepthMaps
internal import Foundation
internal import FoundationExtras
internal import Linux

/// `obscura depth`: writes a depth map or a point cloud, or prints distances.
enum DepthCommand: Command {
  static let name = "depth"
  static let summary = "writes a depth map or a point cloud, or prints distances"
  static let usage = "[-o FILE | --watch] [options]"
  static let options: [Arguments.Option] = [
    .init(
      "output", "o", value: "FILE", help: "where to; - is standard output, %04d the number, %Y%m%d the time"),
    .init(
      "format", value: "NAME", choices: ["png", "pfm", "ply"], default: "by FILE's extension, or png",
      help: "png: 16 bits in millimetres; pfm: floats in metres; ply: points in metres, with colours"),
    .init("watch", help: "print distances until stopped, and write nothing"),
    .init("interval", value: "TIME", .time(0...86_400), default: "500ms", help: "with --watch, so far apart"),
    .init("count", value: "N", .wholeNumber(1...1_000_000), help: "with --watch, end after N lines"),
    .init("wait", help: "with --watch, when the camera is away, wait for it and go on"),
    .init("raw", help: "as the sensor sends it: neither smoothed nor its holes filled"),
    .init(
      "preset", value: "NAME", choices: FramePreset.allCases.map(\.rawValue), default: "photo",
      help: "the frames' size, which decides over the map's: photo, high, vga, …"),
    .init("force", help: "overwrite FILE"),
  ]

  /// A filter has seen most of what there is to see by then.
  private static let settledMaps = 10

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let environment = LibraryEnvironment.current
    let request = try DepthRequest(arguments, environment: environment)
    if case .write(let file, _) = request.work {
      // What makes the map impossible to keep is reported before there is one.
      if let file { try file.check(date: WorldTime.current.date) } else { try terminal.answer(bytes: Data()) }
    }
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let waiting = CameraWaiting(arguments, terminal)
    do {
      let camera = try CameraWaiting.camera(waiting, signals.request) {
        try DeviceChoice.depthCamera(arguments["device"], stop: signals.request)
      }
      try measure(camera, request, signals, waiting, terminal, isJSON: arguments.has("json"))
      return .done
    } catch let error as CameraTaskError where error.code == .stopped {
      // Watching goes on until it is stopped, unless so many lines were asked for.
      if case .watch(_, nil) = request.work { return .done }
      return .aborted
    }
  }

  private static func measure(
    _ camera: AVCaptureDevice, _ request: DepthRequest, _ signals: StopSignals, _ waiting: CameraWaiting?,
    _ terminal: Terminal, isJSON: Bool
  ) throws {
    let name = camera.localizedName
    let progress = Progress(terminal) { "Starting \(name)" }
    defer { progress.end() }
    let run = try CameraRun(camera: camera, stop: signals.request, waiting: waiting)
    let maps = try NewestDepth(run, request)
    try run.start()
    defer { run.stop() }
    if !run.isWaiting { terminal.detail("\(name) runs.") }
    progress.change { "Measuring depth, map \(maps.count + 1)" }
    switch request.work {
    case .write(let file, let format):
      let seen = try maps.next(after: request.isRaw ? 0 : settledMaps - 1)
      try write(seen, file, format, camera, terminal, isJSON: isJSON)
    case .watch(let interval, let count):
      try watch(maps, run, interval, count, terminal, isJSON: isJSON)
    }
  }

  private static func watch(
    _ maps: NewestDepth, _ run: CameraRun, _ interval: Double, _ count: Int?, _ terminal: Terminal,
    isJSON: Bool
  ) throws {
    var number = 0
    var due = WorldTime.current.now
    while count.map({ number < $0 }) ?? true {
      let seen = try maps.next(after: maps.count)
      let answer = DepthAnswer(seen, device: run.camera.uniqueID)
      if isJSON { try terminal.answer(json: answer) } else { try terminal.answer(answer.line) }
      number += 1
      // After a camera was away its lines are no closer.
      due = max(due.advanced(bySeconds: interval), WorldTime.current.now)
      try run.sleep(until: due)
    }
  }

  private static func write(
    _ seen: NewestDepth.Sighting, _ file: PictureFile?, _ format: DepthRequest.Format,
    _ camera: AVCaptureDevice, _ terminal: Terminal, isJSON: Bool
  ) throws {
    let data: Data
    switch format {
    case .png: data = try DepthFile.png(seen.map)
    case .pfm: data = DepthFile.pfm(seen.map)
    case .ply: data = try DepthFile.ply(seen, camera)
    }
    guard let file else { return try terminal.answer(bytes: data) }
    let url = try file.write(data, date: WorldTime.current.date)
    var answer = DepthAnswer(seen, device: camera.uniqueID)
    answer.path = url.path
    answer.format = format.rawValue
    terminal.detail(answer.line)
    if isJSON { try terminal.answer(json: answer) } else { try terminal.answer(url.path) }
  }
}

extension DepthAnswer {
  init(_ seen: NewestDepth.Sighting, device: String) {
    self.init(seen.map, timestamp: seen.timestamp, isFiltered: seen.isFiltered, device: device)
  }
}

internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import Linux

/// `obscura scan`: prints codes as it sees them.
enum ScanCommand: Command {
  static let name = "scan"
  static let summary = "prints codes as a camera sees them, or those in pictures"
  static let usage = "[FILE…] [options]"
  static let takesFiles = true
  static let options: [Arguments.Option] = [
    .init("types", value: "LIST", default: "everything", help: "what to look for: qr,ean13,…"),
    .init(
      "region", value: "X,Y,W,H", .fractions(count: 4, like: "0.25,0.25,0.5,0.5"),
      help: "where to look, in fractions of the camera's own picture"),
    .init(
      "preset", value: "NAME", choices: FramePreset.allCases.map(\.rawValue), default: "high",
      help: "the frames' size: high, 4k, 1080p, 720p, vga, …, as for photo"),
    .init("once", help: "end with the first code"),
    .init("wait", help: "when the camera is away, wait for it and go on"),
    .init("timeout", value: "TIME", .time(0...2_592_000), help: "end after so long: 10s"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let request = try ScanRequest(arguments)
    let printer = ScanPrinter(terminal, isJSON: arguments.has("json"), isOnce: request.isOnce)
    if !request.paths.isEmpty { return try scanPictures(request, printer, terminal) }
    let signals = StopSignals()
    try DeviceChoice.install(arguments["devices"], environment: ProcessInfo.processInfo.environment)
    let waiting = CameraWaiting(arguments, terminal)
    do {
      let start = MonotonicInstant.now
      let deadline = request.timeoutSeconds.map { start.advanced(bySeconds: $0) }
      let camera = try CameraWaiting.camera(waiting, signals.request, until: deadline) {
        try DeviceChoice.camera(arguments["device"])
      }
      let waited = MonotonicInstant.now.nanoseconds - start.nanoseconds
      return try scanCamera(camera, request, printer, signals, waiting, terminal, waitedNanoseconds: waited)
    } catch let error as CameraTaskError where error.code == .stopped {
      // Without an end of its own the search goes on until it is stopped.
      return request.isOnce || request.timeoutSeconds != nil ? .aborted : .done
    }
  }

  private static func scanPictures(
    _ request: ScanRequest, _ printer: ScanPrinter, _ terminal: Terminal
  ) throws -> ExitCode {
    var result = ExitCode.done
    for path in request.paths {
      let progress = Progress(terminal) { "Reading \(path)" }
      defer { progress.end() }
      do {
        let answers = try PictureScan.answers(inPictureAt: path, request)
        try answers.forEach(printer.print)
        if request.isOnce, !answers.isEmpty { return .done }
        if answers.isEmpty {
          terminal.complain("obscura: \(path) shows no code that can be read.")
          result = .otherFailure
        }
      } catch let error as CameraTaskError {
        // One bad picture does not keep the others from being read.
        result = terminal.report(error)
      }
    }
    return result
  }

  private static func scanCamera(
    _ camera: AVCaptureDevice, _ request: ScanRequest, _ printer: ScanPrinter, _ signals: StopSignals,
    _ waiting: CameraWaiting?, _ terminal: Terminal, waitedNanoseconds waited: Int64
  ) throws -> ExitCode {
    let name = camera.localizedName
    let progress = Progress(terminal) { "Starting \(name)" }
    defer { progress.end() }
    let run = try CameraRun(camera: camera, stop: signals.request, waiting: waiting)
    let output = AVCaptureMetadataOutput()
    let sightings = Sightings()
    try run.choose(request.preset)
    run.session.addOutput(output)
    output.setMetadataObjectsDelegate(sightings, queue: DispatchQueue(label: "obscura.scan"))
    output.metadataObjectTypes = request.types
    output.rectOfInterest = request.region
    try run.start()
    defer { run.stop() }
    if !run.isWaiting { terminal.detail("\(name) runs.") }
    // The time for which the camera was waited for counts, and that which it takes to start does not.
    let start = MonotonicInstant.now.advanced(byNanoseconds: -waited)
    return try look(run, output, sightings, request, printer, progress, since: start)
  }

  private static func look(
    _ run: CameraRun, _ output: AVCaptureMetadataOutput, _ sightings: Sightings, _ request: ScanRequest,
    _ printer: ScanPrinter, _ progress: Progress, since start: MonotonicInstant
  ) throws -> ExitCode {
    let deadline = request.timeoutSeconds.map { start.advanced(bySeconds: $0) }
    var frames = FrameWatch(at: .now)
    var absences = 0
    progress.change {
      let seconds = Double((MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1_000_000_000)
      // A look that comes late is not later than the end.
      let shown = min(seconds, request.timeoutSeconds ?? seconds)
      let end = request.timeoutSeconds.map { " of \(Figures.text($0))" } ?? ""
      return "Looking for codes, \(Figures.text(shown))\(end) s"
    }
    while true {
      // So often is looked whether the run has ended.
      let tick = MonotonicInstant.now.advanced(byNanoseconds: 200_000_000)
      for answer in sightings.takeNew(until: deadline.map { min($0, tick) } ?? tick) {
        try printer.print(answer)
        if request.isOnce { return .done }
      }
      try run.check()
      if run.absences > absences {
        absences = run.absences
        // What was in view before is news when the camera is back.
        sightings.forget()
      }
      frames.note(output.statistics.captured, at: .now)
      if let deadline, MonotonicInstant.now >= deadline { break }
    }
    if printer.count > 0 { return .done }
    let name = run.camera.localizedName
    guard !frames.isSilent(at: .now, limitNanoseconds: run.standstillNanoseconds) else {
      throw CommandError(
        .noFramesInTime,
        run.silentCamera.sentence(
          "runs but sends no frames", remedy: "unplug it and plug it in again, or allow more time."))
    }
    throw CommandError(
      .otherFailure,
      "\(name) saw no code within \(Figures.text(request.timeoutSeconds ?? 0)) s; hold one nearer, or leave --region and --types out."
    )
  }
}

/// Writes codes the way that was asked for.
private final class ScanPrinter {
  private let terminal: Terminal
  private let isJSON: Bool
  private let isOnce: Bool
  private(set) var count = 0

  init(_ terminal: Terminal, isJSON: Bool, isOnce: Bool) {
    self.terminal = terminal
    self.isJSON = isJSON
    self.isOnce = isOnce
  }

  func print(_ answer: ScanAnswer) throws {
    guard !isOnce || count == 0 else { return }
    count += 1
    if isJSON { try terminal.answer(json: answer) } else { try terminal.answer(answer.line) }
  }
}

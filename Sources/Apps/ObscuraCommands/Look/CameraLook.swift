internal import AVFoundation
internal import CameraTasks
internal import EventPublishing
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A look at a camera until what is looked for was seen, time is up, the camera fails, or it is stopped.
struct CameraLook {
  let request: LookRequest
  let subject: any LookSubject
  /// What Home Assistant shows of it, where it is published.
  let entities: [HomeAssistant.Entity]
  let terminal: Terminal

  /// How often is looked whether the run has ended.
  private static let tickNanoseconds: Int64 = 200_000_000

  /// Looks, and prints and publishes what comes.
  /// - Throws: ``CommandError`` or `CameraTaskError`: what keeps the camera from being looked at.
  func run(_ arguments: Arguments) throws -> ExitCode {
    let signals = StopSignals()
    defer { withExtendedLifetime(signals) {} }
    // What makes publishing impossible is said before a camera is opened.
    let publisher = try request.publish?.open(entities, terminal)
    defer { if let publisher { request.publish?.close(publisher, terminal) } }
    let printer = EventPrinter(
      terminal, isJSON: arguments.has("json"), isOnce: request.isOnce, publisher: publisher)
    // What an earlier run left behind when it was killed is over.
    for case .presence(let kind) in entities where publisher != nil {
      try printer.publish(WatchEvent(startOf: kind))
    }
    let environment = ProcessInfo.processInfo.environment
    try DeviceChoice.install(arguments["devices"], environment: environment)
    let notice = ServiceNotice(environment)
    let waiting = CameraWaiting(arguments, terminal)
    do {
      let start = WorldTime.current.now
      let deadline = request.timeoutSeconds.map { start.advanced(bySeconds: $0) }
      let camera = try CameraWaiting.camera(waiting, signals.request, until: deadline) {
        do {
          return try DeviceChoice.camera(arguments["device"], stop: signals.request, until: deadline)
        } catch {
          notice?.cameraIsAway(at: WorldTime.current.now)
          throw error
        }
      }
      let waited = WorldTime.current.now.nanoseconds - start.nanoseconds
      let run = try CameraRun(camera: camera, stop: signals.request, waiting: waiting)
      return try look(run, printer, notice, waitedNanoseconds: waited)
    } catch let error as CameraTaskError where error.code == .stopped {
      // Without an end of its own the look goes on until it is stopped.
      return request.isOnce || request.timeoutSeconds != nil ? .aborted : .done
    }
  }

  private func look(
    _ run: CameraRun, _ printer: EventPrinter, _ notice: ServiceNotice?, waitedNanoseconds waited: Int64
  ) throws -> ExitCode {
    let name = run.camera.localizedName
    let progress = Progress(terminal) { "Starting \(name)" }
    defer { progress.end() }
    try run.choose(request.preset)
    try subject.attach(to: run)
    try run.start()
    defer { run.stop() }
    if !run.isWaiting { terminal.detail("\(name) runs.") }
    // The time for which the camera was waited for counts, and that which it takes to start does not.
    let start = WorldTime.current.now.advanced(byNanoseconds: -waited)
    showProgress(progress, since: start)
    do {
      try watch(run, printer, notice, since: start)
    } catch {
      if let error = error as? CameraTaskError, error.isAbsence { try tellAbsence(error.message, printer) }
      // What was in view is not left without its end.
      try end(printer)
      throw error
    }
    try end(printer)
    return .done
  }

  private func showProgress(_ progress: Progress, since start: MonotonicInstant) {
    progress.change { [request, name = subject.name] in
      let seconds = Double((WorldTime.current.now.nanoseconds - start.nanoseconds) / 1_000_000_000)
      // A look that comes late is not later than the end.
      let shown = min(seconds, request.timeoutSeconds ?? seconds)
      let end = request.timeoutSeconds.map { " of \(Figures.text($0))" } ?? ""
      return "Looking for \(name), \(Figures.text(shown))\(end) s"
    }
  }

  /// Looks until there is an end that is no failure.
  private func watch(
    _ run: CameraRun, _ printer: EventPrinter, _ notice: ServiceNotice?, since start: MonotonicInstant
  ) throws {
    let deadline = request.timeoutSeconds.map { start.advanced(bySeconds: $0) }
    var frames = FrameWatch(at: WorldTime.current.now)
    // The first frame says that a fault of an earlier run is over.
    var (absences, frameCount, isAway, isNew) = (0, 0, false, true)
    while true {
      let tick = WorldTime.current.now.advanced(byNanoseconds: Self.tickNanoseconds)
      let answers = subject.takeNew(until: deadline.map { min($0, tick) } ?? tick)
      if isNew, !isAway, subject.frameCount > 0 {
        isNew = false
        try printer.publish(WatchEvent(camera: .recovered))
      }
      try printer.print(events: answers)
      if printer.isDone { return }
      try run.check()
      if run.absences > absences {
        absences = run.absences
        isAway = true
        try tellAbsence(run.newestAbsence ?? "", printer)
      }
      let now = WorldTime.current.now
      let count = subject.frameCount
      frames.note(count, at: now)
      if count != frameCount {
        frameCount = count
        if isAway, !run.isWaiting {
          (isAway, isNew) = (false, false)
          try tell(WatchEvent(camera: .recovered), printer)
        }
        subject.framesCame(at: now)
        notice?.framesCame(at: now)
      } else if run.isWaiting {
        notice?.cameraIsAway(at: now)
      }
      if let deadline, now >= deadline { break }
    }
    if printer.count > 0 { return }
    guard !frames.isSilent(at: WorldTime.current.now, limitNanoseconds: run.standstillNanoseconds) else {
      throw CommandError(
        .noFramesInTime,
        run.silentCamera.sentence(
          "runs but sends no frames", remedy: "unplug it and plug it in again, or allow more time."))
    }
    let time = "\(Figures.text(request.timeoutSeconds ?? 0)) s"
    throw CommandError(
      .otherFailure, "\(run.camera.localizedName) \(subject.nothingSeen(within: time))")
  }

  /// Says that the camera is away, behind the end of what was in view.
  private func tellAbsence(_ reason: String, _ printer: EventPrinter) throws {
    subject.cameraWentAway()
    try printer.print(events: subject.takeNew(until: WorldTime.current.now))
    try tell(WatchEvent(camera: .fault, message: reason), printer)
  }

  private func tell(_ event: WatchEvent, _ printer: EventPrinter) throws {
    if subject.printsCamera { try printer.print(events: [event]) } else { try printer.publish(event) }
  }

  private func end(_ printer: EventPrinter) throws {
    // With the first finding all is said.
    if printer.isDone { return }
    subject.end()
    try printer.print(events: subject.takeNew(until: WorldTime.current.now))
  }
}

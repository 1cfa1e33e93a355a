internal import AVFoundation
internal import Foundation
internal import Linux

/// `obscura scan`: prints codes as it sees them.
enum ScanCommand: Command {
  static let name = "scan"
  static let summary = "prints codes as a camera sees them, or those in pictures"
  static let usage = "[FILE…] [options]"
  static let options: [Arguments.Option] = [
    .init("types", value: "LIST", help: "what to look for: qr,ean13,…; else everything"),
    .init("region", value: "X,Y,W,H", help: "where to look, in fractions of the camera's own picture"),
    .init(
      "preset", value: "NAME", help: "the frames' size: high (else), 4k, 1080p, 720p, vga, …, as for photo"),
    .init("once", help: "end with the first code"),
    .init("timeout", value: "TIME", help: "end after so long: 10s"),
  ]

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let request = try ScanRequest(arguments)
    let printer = ScanPrinter(terminal, isJSON: arguments.has("json"), isOnce: request.isOnce)
    if !request.paths.isEmpty { return try scanPictures(request, printer, terminal) }
    try DeviceChoice.install(arguments, environment: ProcessInfo.processInfo.environment)
    return try scanCamera(DeviceChoice.camera(arguments), request, printer, terminal)
  }

  private static func scanPictures(
    _ request: ScanRequest, _ printer: ScanPrinter, _ terminal: Terminal
  ) throws -> ExitCode {
    var result = ExitCode.done
    for path in request.paths {
      do {
        let answers = try PictureScan.answers(inPictureAt: path, request)
        try answers.forEach(printer.print)
        if request.isOnce, !answers.isEmpty { return .done }
        if answers.isEmpty {
          terminal.complain("obscura: \(EscapedText.escape(path)) shows no code that can be read.")
          result = .otherFailure
        }
      } catch let error as CommandError {
        // One bad picture does not keep the others from being read.
        terminal.complain("obscura: \(error.message)")
        result = error.exitCode
      }
    }
    return result
  }

  private static func scanCamera(
    _ camera: AVCaptureDevice, _ request: ScanRequest, _ printer: ScanPrinter, _ terminal: Terminal
  ) throws -> ExitCode {
    let run = try CameraRun(camera: camera)
    let output = AVCaptureMetadataOutput()
    let sightings = Sightings()
    guard run.session.canSetSessionPreset(request.preset.preset) else {
      throw CommandError(
        .formatNotSupported,
        "\(camera.localizedName) has no format for the preset \(request.preset.rawValue); 'obscura devices' lists its formats."
      )
    }
    run.session.sessionPreset = request.preset.preset
    run.session.addOutput(output)
    output.setMetadataObjectsDelegate(sightings, queue: DispatchQueue(label: "obscura.scan"))
    output.metadataObjectTypes = request.types
    output.rectOfInterest = request.region
    try run.start()
    defer { run.stop() }
    terminal.detail("\(camera.localizedName) runs.")
    let deadline = request.timeoutSeconds.map {
      MonotonicInstant.now.advanced(byNanoseconds: Int64($0 * 1e9))
    }
    while true {
      for answer in sightings.takeNew(until: nextLook(before: deadline)) {
        try printer.print(answer)
        if request.isOnce { return .done }
      }
      try run.checkFailure()
      if let deadline, MonotonicInstant.now >= deadline { break }
    }
    if printer.count > 0 { return .done }
    throw CommandError(
      .otherFailure,
      "\(camera.localizedName) saw no code within \(request.timeoutSeconds ?? 0) s; hold one nearer, or leave --region and --types out."
    )
  }

  /// Trouble is looked for so often.
  private static func nextLook(before deadline: MonotonicInstant?) -> MonotonicInstant {
    let next = MonotonicInstant.now.advanced(byNanoseconds: 200_000_000)
    return deadline.map { min($0, next) } ?? next
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
    if isJSON { try terminal.answer(json: answer) } else { terminal.answer(answer.line) }
  }
}

/// Keeps the codes that come into view; one that stays there is told once, and again after it was away for a second.
private final class Sightings: NSObject, AVCaptureMetadataOutputObjectsDelegate, Sendable {
  private enum Presence {
    case inView
    case away(since: Int64)
  }

  private struct State {
    var known: [[String]: Presence] = [:]
    var new: [ScanAnswer] = []
  }

  private let state = Monitor(State())
  private static let awayNanoseconds: Int64 = 1_000_000_000

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let answers = metadataObjects.compactMap { $0 as? AVMetadataMachineReadableCodeObject }.map(
      ScanAnswer.init)
    let inView = Set(answers.map(\.identity))
    let now = MonotonicInstant.now.nanoseconds
    state.withLock { state in
      for (identity, presence) in state.known where !inView.contains(identity) {
        switch presence {
        case .inView: state.known[identity] = .away(since: now)
        // Nobody shall collect codes for ever.
        case .away(let since) where now - since > Self.awayNanoseconds: state.known[identity] = nil
        case .away: break
        }
      }
      for answer in answers {
        switch state.known.updateValue(.inView, forKey: answer.identity) {
        case .inView: break
        case .away(let since) where now - since <= Self.awayNanoseconds: break
        case .away, nil: state.new.append(answer)
        }
      }
    }
  }

  func takeNew(until moment: MonotonicInstant) -> [ScanAnswer] {
    state.wait(until: moment, for: { !$0.new.isEmpty }) { state in
      defer { state.new = [] }
      return state.new
    } ?? []
  }
}

internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import EventPublishing
internal import Foundation
internal import Linux

/// `obscura scan`: prints codes as it sees them.
enum ScanCommand: Command {
  static let name = "scan"
  static let summary = "prints codes as a camera sees them, or those in pictures"
  static let usage = "[FILE…] [options]"
  static let takesFiles = true
  static let options: [Arguments.Option] =
    [
      .init("types", value: "LIST", default: "everything", help: "what to look for: qr,ean13,…")
    ] + LookRequest.options(once: "the first code")

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let request = try ScanRequest(arguments)
    if !request.paths.isEmpty {
      let printer = EventPrinter(terminal, isJSON: arguments.has("json"), isOnce: request.look.isOnce)
      return try scanPictures(request, printer, terminal)
    }
    let subject = ScannedCodes(request.types, in: request.look.region)
    return try CameraLook(
      request: request.look, subject: subject, entities: [.code, .problem], terminal: terminal
    ).run(arguments)
  }

  private static func scanPictures(
    _ request: ScanRequest, _ printer: EventPrinter, _ terminal: Terminal
  ) throws -> ExitCode {
    var result = ExitCode.done
    for path in request.paths {
      let progress = Progress(terminal) { "Reading \(path)" }
      defer { progress.end() }
      do {
        let answers = try PictureScan.answers(inPictureAt: path, request)
        for answer in answers { try printer.print(answer) }
        if printer.isDone { return .done }
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
}

/// The codes that a camera sees, as `obscura scan` looks for them.
final class ScannedCodes: LookSubject {
  private let types: [AVMetadataObject.ObjectType]
  private let region: CGRect
  private let output = AVCaptureMetadataOutput()
  private let sightings = Sightings()

  init(_ types: [AVMetadataObject.ObjectType], in region: CGRect) {
    self.types = types
    self.region = region
  }

  let name = "codes"

  /// Its lines are codes alone.
  var printsCamera: Bool { false }

  func nothingSeen(within time: String) -> String {
    "saw no code within \(time); hold one nearer, or leave --region and --types out."
  }

  func attach(to run: CameraRun) throws {
    run.session.addOutput(output)
    output.setMetadataObjectsDelegate(sightings, queue: DispatchQueue(label: "obscura.scan"))
    output.metadataObjectTypes = types
    output.rectOfInterest = region
  }

  var frameCount: Int { output.statistics.captured }

  func framesCame(at moment: MonotonicInstant) {}

  func takeNew(until moment: MonotonicInstant) -> [any LookAnswer] { sightings.takeNew(until: moment) }

  /// What was in view before is news when the camera is back.
  func cameraWentAway() { sightings.forget() }

  func end() {}
}

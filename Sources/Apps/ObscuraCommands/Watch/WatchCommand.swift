internal import CameraTasks
internal import EventPublishing

/// `obscura watch`: reports motion, faces and people as they come and go.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = "reports motion, faces and people before a camera as they come and go"
  static let usage = "[--motion] [--faces] [--people] [options]"
  static let options: [Arguments.Option] =
    [
      .init("motion", help: "report motion; without any of the three, all that this machine can find"),
      .init("faces", help: "report faces"),
      .init("people", help: "report people"),
      .init(
        "sensitivity", value: "NAME", choices: MotionFinder.Sensitivity.allCases.map(\.rawValue),
        default: "medium", help: "how easily something counts: low, medium, high"),
    ] + LookRequest.options(once: "the first that enters")

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    let request = try WatchRequest(arguments)
    if let obstacle = request.obstacles.first { terminal.say("obscura: \(obstacle)") }
    let kinds = WatchKind.allCases.filter(request.kinds.contains)
    return try CameraLook(
      request: request.look, subject: WatchedPictures(request),
      entities: kinds.map { .presence($0.rawValue) } + [.problem], terminal: terminal
    ).run(arguments)
  }
}

internal import CameraTasks
internal import Foundation
internal import PeopleFinding

/// The request to `obscura watch`.
struct WatchRequest: Sendable {
  var look: LookRequest
  /// What is reported.
  var kinds: Set<WatchKind>
  var sensitivity: MotionFinder.Sensitivity
  /// What cannot be reported here and was not asked for by name, in a sentence each.
  var obstacles: [String] = []

  /// Reads the options.
  ///
  /// - Parameter obstacle: Why a kind cannot be found on this machine, in one sentence; `nil` where it can.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``, or ``ExitCode/otherFailure`` for a kind whose models are missing.
  init(
    _ arguments: Arguments, obstacle: (WatchKind) -> String? = { $0.obstacle }
  ) throws(CommandError) {
    if let word = arguments.operands.first {
      throw CommandError(
        .usage, "'\(word)' is one word too many; 'obscura watch' looks at a camera, which -d names.")
    }
    look = try LookRequest(arguments)
    sensitivity = try arguments.choice("sensitivity", of: MotionFinder.Sensitivity.self) ?? .medium
    let asked = WatchKind.allCases.filter { arguments.has($0.option) }
    kinds = Set(asked.isEmpty ? WatchKind.allCases : asked)
    for kind in WatchKind.allCases where kinds.contains(kind) {
      guard let obstacle = obstacle(kind) else { continue }
      guard asked.isEmpty else { throw CommandError(.otherFailure, obstacle) }
      kinds.remove(kind)
      obstacles.append(obstacle)
    }
  }
}

/// A kind of thing that `obscura watch` reports.
enum WatchKind: String, CaseIterable, Sendable {
  case motion, face, person

  /// The option that asks for it.
  var option: String {
    switch self {
    case .motion: "motion"
    case .face: "faces"
    case .person: "people"
    }
  }

  /// The reason why it cannot be found on this machine, in one sentence; `nil` where it can.
  var obstacle: String? {
    switch self {
    case .motion: nil
    case .face: ModelFolder.current.obstacle(to: .faces)?.description
    case .person: ModelFolder.current.obstacle(to: .bodies)?.description
    }
  }
}

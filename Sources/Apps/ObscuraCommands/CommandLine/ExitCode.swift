/// The exit status of the command, for scripts; see `Documentation/CommandLine.md`.
public enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case done = 0
  case otherFailure = 1
  case usage = 2
  case noSuchCamera = 3
  case permissionDenied = 4
  case deviceBusy = 5
  case formatNotSupported = 6
  case noFramesInTime = 7
  case deviceLost = 8
  case diskFull = 9
  case framesWereDropped = 10
  case aborted = 130

  /// The meaning, in a few words.
  var meaning: String {
    switch self {
    case .done: "done"
    case .otherFailure: "other failure"
    case .usage: "usage"
    case .noSuchCamera: "no such camera"
    case .permissionDenied: "permission denied"
    case .deviceBusy: "device busy"
    case .formatNotSupported: "format not supported"
    case .noFramesInTime: "no frames in time"
    case .deviceLost: "device lost"
    case .diskFull: "disk full"
    case .framesWereDropped: "finished, but frames were lost"
    case .aborted: "aborted"
    }
  }
}

/// An error that ends a command.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exit status of the process.
  public var exitCode: ExitCode
  /// One sentence: what failed, why, and what to do; empty where there is nothing to say.
  public var message: String

  /// Makes an error of the given code and sentence.
  public init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// Makes an error that needs no words.
  init(silent exitCode: ExitCode) {
    self.init(exitCode, "")
  }

  /// ``message``.
  public var description: String { message }
}

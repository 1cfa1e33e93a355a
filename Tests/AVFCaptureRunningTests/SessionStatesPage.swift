import AVFCapture
import Foundation

/// The table of ``SessionState/response(to:)`` as a page of Markdown.
enum SessionStatesPage {
  /// The whole text of `Documentation/States.md`.
  static var markdown: String {
    var lines = [
      "# The states of a session",
      "",
      "Made from the code by `OBSCURA_WRITE_STATES=1 swift test --filter SessionStates`; a test fails when this page is",
      "stale. Each row is an event, each column the state in which it comes. A cell holds the next state and, in",
      "brackets, what the thread that brought the event must do. `·` changes nothing; `–` cannot come about.",
      "",
      "| event | " + SessionState.allCases.map(\.rawValue).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---|", count: SessionState.allCases.count),
    ]
    for event in SessionEvent.allCases {
      let cells = SessionState.allCases.map { state -> String in
        let response = state.response(to: event)
        if response.isImpossible { return "–" }
        if response.next == state && response.work == .nothing { return "·" }
        let next = response.next == state ? "·" : response.next.rawValue
        return response.work == .nothing ? next : "\(next) [\(response.work.rawValue)]"
      }
      lines.append("| \(event.rawValue) | " + cells.joined(separator: " | ") + " |")
    }
    lines += [
      "",
      "- `apply` brings the devices in line with the plan: it opens, changes, and closes what differs, then brings",
      "  `settled`, `settledWithoutDevice` (a device is withheld: privacy switch, another program), or `failed`.",
      "- `close` closes all devices, then brings `closed`.",
      "- `wait` waits until no thread works on the devices, then brings the event again.",
      "- `waitForStop` waits until the devices are closed, but no longer than a second.",
      "",
      "What clients see follows from the state alone:",
      "",
      "| state | isRunning | isInterrupted |",
      "|---|---|---|",
    ]
    for state in SessionState.allCases {
      let face = SessionStatus(state, isWithheld: false)
      let withheld = SessionStatus(state, isWithheld: true)
      let text = { (keyPath: KeyPath<SessionStatus, Bool>) in
        face[keyPath: keyPath] == withheld[keyPath: keyPath]
          ? (face[keyPath: keyPath] ? "yes" : "no")
          : (face[keyPath: keyPath] ? "unless a device is withheld" : "while a device is withheld")
      }
      lines.append("| \(state.rawValue) | \(text(\.isRunning)) | \(text(\.isInterrupted)) |")
    }
    lines += [
      "",
      "Notifications follow from its changes: `isRunning` posts didStartRunning and didStopRunning, unless an",
      "interruption is the cause; `isInterrupted` posts wasInterrupted with the reason, and interruptionEnded when the",
      "session goes on. An error of a device posts runtimeError once, before didStopRunning. A session whose device was",
      "unplugged stays stopped, unless its `startsAgainWhenDevicesReturn` is on: then it starts again when the device comes",
      "back (`deviceReturned`), and a client has neither stopped it nor taken the input out. A device that sends nothing for five",
      "seconds by its clock, or for five frames' time where that is longer, brings `streamFailed` with `noDataCaptured`; the",
      "session stays stopped until its client starts it. While another camera streams, the loss of a microphone, or of a camera of",
      "several, is an error alone: the state stays, and a `start` then counts as a `commit`, which tries the device again.",
      "",
    ]
    return lines.joined(separator: "\n")
  }
}

import AVFCapture
import Foundation
import Testing

@Suite("AVCaptureSession: states")
struct SessionStatesTests {
  /// Events that only the thread that works on the devices brings.
  private static let workers: [SessionEvent] = [.settled, .settledWithoutDevice, .failed, .closed]

  @Test(arguments: SessionState.allCases, SessionEvent.allCases)
  func `every pair leads somewhere audio`(state: SessionState, event: SessionEvent) {
    let response = state.response(to: event)
    switch response.work {
    case .apply: #expect([.starting, .reconfiguring].contains(response.next))
    case .close: #expect(response.next == .stopping)
    case .wait: #expect(!response.next.isSettled && response.next == state)
    case .waitForStop: #expect([.cancelling, .stopping].contains(response.next))
    case .nothing: break
    }
    if response.isImpossible {
      #expect(Self.workers.contains(event), "only a worker's event may be impossible")
      #expect(response.next == state && response.work == .nothing)
    }
    if state.isSettled, !response.next.isSettled {
      #expect(
        response.work == .apply || response.work == .close,
        "an unsettled state needs a thread that settles it")
    }
    if !state.isSettled, response.next.isSettled {
      #expect(Self.workers.contains(event), "only the worker settles")
    }
    if !state.isSettled, response.work == .apply || response.work == .close {
      #expect(Self.workers.contains(event), "a second worker must not join")
    }
  }

  @Test(arguments: SessionState.allCases)
  func `a stop ends in stopped, whatever the devices do`(state: SessionState) {
    for outcome in [SessionEvent.settled, .settledWithoutDevice, .failed] {
      var now = state.response(to: .stop).next
      if now == .cancelling { now = now.response(to: outcome).next }
      if now == .stopping { now = now.response(to: .closed).next }
      #expect(now == .stopped)
    }
  }

  @Test
  func `every state is reached`() {
    var reached: Set<SessionState> = [.stopped]
    var fresh: [SessionState] = [.stopped]
    while let state = fresh.popLast() {
      for event in SessionEvent.allCases {
        let next = state.response(to: event).next
        if reached.insert(next).inserted { fresh.append(next) }
      }
    }
    #expect(reached == Set(SessionState.allCases))
  }

  @Test
  func `the printed table is the machine's`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Documentation/States.md").standardizedFileURL
    if ProcessInfo.processInfo.environment["OBSCURA_WRITE_STATES"] == "1" {
      try Data(SessionStatesPage.markdown.utf8).write(to: page)
    }
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(
      text == SessionStatesPage.markdown, "run OBSCURA_WRITE_STATES=1 swift test --filter SessionStates")
  }

  @Test
  func `only running shows as running, and only withheld devices as interrupted`() {
    for state in SessionState.allCases {
      let free = SessionStatus(state, isWithheld: false), withheld = SessionStatus(state, isWithheld: true)
      #expect(!(free.isRunning && free.isInterrupted))
      #expect(!(withheld.isRunning && withheld.isInterrupted))
      #expect(free.isRunning == (state == .running || state == .reconfiguring))
    }
  }
}

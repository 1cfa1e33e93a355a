import CameraTasks
import Linux
import Testing

@Suite("The question for cameras")
struct CameraQuestionTests {
  private let question = CameraQuestion()

  @Test func `it is asked once, also where its dialog is closed without an answer`() throws {
    var count = 0
    for _ in 0..<3 {
      try question.ask(stop: StopRequest(), until: nil) { answered in
        count += 1
        answered()
      }
    }
    #expect(count == 1)
  }

  @Test func `a stop ends the wait for the answer`() {
    let stop = StopRequest()
    let error = #expect(throws: CameraTaskError.self) {
      try question.ask(stop: stop, until: nil) { _ in stop.request() }
    }
    #expect(error?.code == .stopped)
  }

  @Test func `a deadline ends it, and the answer is taken when it comes`() throws {
    var late: (@Sendable () -> Void)?
    try question.ask(stop: StopRequest(), until: .now) { late = $0 }
    late?()
    try question.ask(stop: StopRequest(), until: nil) { _ in Issue.record("It was asked before.") }
  }
}

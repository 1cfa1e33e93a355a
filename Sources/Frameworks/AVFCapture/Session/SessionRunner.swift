internal import AVFCore

/// The state of a session, with its face to clients and the error that ends it.
struct SessionRunner {
  private(set) var state = SessionState.stopped
  private(set) var face = SessionStatus()
  /// Why the session is on its way down; `nil` when a client wants it to.
  private(set) var failure: AVError?

  /// The step that follows from an event.
  struct Step {
    /// The work for the thread that brought the event.
    var work: SessionWork
    /// The error that clients are to be notified of.
    var failure: AVError?
    /// The faces before and after the event, where they differ.
    var change: (old: SessionStatus, new: SessionStatus)?
  }

  /// Notes why the session must end; the first error counts.
  mutating func fail(with error: AVError) {
    if failure == nil { failure = error }
  }

  /// Goes where `event` leads.
  mutating func take(_ event: SessionEvent, isWithheld: Bool) -> Step {
    let response = state.response(to: event)
    var step = Step(work: response.work)
    if event == .streamFailed || event == .failed, response.next != state { step.failure = failure }
    state = response.next
    let new = SessionStatus(state, isWithheld: isWithheld)
    if new != face { step.change = (face, new) }
    face = new
    // An error that came while a client was stopping the session is not reported.
    if state == .stopped { failure = nil }
    return step
  }
}

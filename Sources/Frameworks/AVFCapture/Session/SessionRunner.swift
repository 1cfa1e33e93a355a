internal import AVFCore

/// Where a session is in its life, what clients see of that, and why it ends.
struct SessionRunner {
  private(set) var state = SessionState.stopped
  private(set) var face = SessionFace()
  /// Why the session is on its way down; `nil` when a client wants it to.
  private(set) var failure: AVError?

  /// What follows from an event.
  struct Step {
    /// What the thread that brought the event must do.
    var work: SessionWork
    /// The error that clients are to be notified of.
    var failure: AVError?
    /// What clients saw before and what they see now, where that differs.
    var change: (old: SessionFace, new: SessionFace)?
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
    let new = SessionFace(state, isWithheld: isWithheld)
    if new != face { step.change = (face, new) }
    face = new
    // An error that came while a client was stopping the session is not reported.
    if state == .stopped { failure = nil }
    return step
  }
}

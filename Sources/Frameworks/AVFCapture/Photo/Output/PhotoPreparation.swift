internal import Linux

/// The preparation of a photo output for settings to come, and its progress.
final class PhotoPreparation: @unchecked Sendable {
  // Safe because the settings are unchanged copies, and all is locked.

  typealias Handler = @Sendable (Bool, (any Error)?) -> Void

  private struct State {
    var settings: [AVCapturePhotoSettings] = []
    var handler: Handler?
    /// Counts the calls, so that an old rehearsal does not end a new one's wait.
    var turn = 0
    var isWaiting = false
  }

  private let state = Locked(State())

  var settings: [AVCapturePhotoSettings] { state.withLock { $0.settings } }

  /// Whether a rehearsal waits for a running camera.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  /// Takes new settings; the handler of the ones before, if it was not called yet.
  func begin(_ settings: [AVCapturePhotoSettings], _ handler: Handler?) -> Handler? {
    let former = state.withLock { state in
      let former = (state.handler, state.settings)
      state = State(settings: settings, handler: handler, turn: state.turn + 1, isWaiting: true)
      return former
    }
    return former.0
  }

  /// The rehearsal that waits, to be done now.
  func take() -> (turn: Int, settings: [AVCapturePhotoSettings])? {
    state.withLock { state in
      guard state.isWaiting else { return nil }
      state.isWaiting = false
      return (state.turn, state.settings)
    }
  }

  /// Lets the rehearsal wait after all.
  func postpone(_ turn: Int) {
    state.withLock { state in
      if state.turn == turn { state.isWaiting = true }
    }
  }

  /// Rehearses the present settings once more.
  func repeatRehearsal() {
    state.withLock { state in
      if !state.settings.isEmpty { state.isWaiting = true }
    }
  }

  /// Ends the rehearsal; the handler to be called, `nil` when there is none or it was called.
  func finish(_ turn: Int) -> Handler? {
    state.withLock { state in
      guard state.turn == turn else { return nil }
      defer { state.handler = nil }
      return state.handler
    }
  }
}

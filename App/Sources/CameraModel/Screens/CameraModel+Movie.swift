import AVFoundation

extension CameraModel {
  /// Begins a movie, or ends the one that is recorded.
  func toggleMovie() {
    switch state.value.recording.phase {
    case .idle:
      guard state.value.availability.isRunning else { return }
      state.value.recording.phase = .starting
      engine.startMovie(keeper)
    case .starting, .recording, .paused:
      state.value.recording.phase = .finishing
      engine.stopMovie()
    case .finishing: break
    }
  }

  /// The next pace of videos, or the one before; a video keeps the pace with which it began.
  package func nextPace(by step: Int = 1) {
    guard state.value.mode == .video, !state.value.recording.isActive else { return }
    changeSettings { $0.pace = Self.neighbour(of: $0.pace, in: VideoPace.allCases, by: step) }
  }

  /// Pauses the movie, or goes on with it.
  package func togglePause() {
    switch state.value.recording.phase {
    case .recording: engine.setMoviePaused(true)
    case .paused: engine.setMoviePaused(false)
    default: break
    }
  }

  /// Asks which microphones there are; they come with the state.
  package func readMicrophones() { engine.readMicrophones() }

  func take(_ phase: RecordingState.Phase) {
    // What began before the user ended it may be reported after.
    if state.value.recording.phase == .finishing, phase != .idle { return }
    state.value.recording.phase = phase
    if phase == .idle { (state.value.recording.seconds, state.value.recording.missed) = (0, 0) }
  }

  /// The interval of reading a movie's figures, in seconds.
  static let movieStep = 0.2

  func beginMeasuring() {
    engine.askForMicrophone()
    measure()
  }

  private func measure() {
    guard state.value.mode == .video else { return }
    engine.measureMovie(photoFolder)
    time.after(Self.movieStep) { [weak self] in self?.measure() }
  }
}

internal import Linux

/// Whether a program's short sounds and vibrations are left out, as a phone leaves them out of what its microphone records.
///
/// Thread-safe.
package final class SystemSoundSilence: Sendable {
  /// The process's.
  package static let shared = SystemSoundSilence()

  private struct State {
    var microphones = 0
    var allowsSounds = false
  }

  private let state = Locked(State())

  /// No microphone runs yet, and sounds beside one are not allowed.
  package init() {}

  /// A microphone that runs, until the last reference goes.
  package final class Microphone: Sendable {
    private let silence: SystemSoundSilence

    fileprivate init(_ silence: SystemSoundSilence) {
      self.silence = silence
      silence.state.withLock { $0.microphones += 1 }
    }

    deinit {
      silence.state.withLock { $0.microphones -= 1 }
    }
  }

  /// Silent from now on, as long as the result is kept and sounds are not allowed.
  package func microphoneRuns() -> Microphone { Microphone(self) }

  /// Whether sounds are heard while a microphone runs.
  package var allowsSounds: Bool {
    get { state.withLock { $0.allowsSounds } }
    set { state.withLock { $0.allowsSounds = newValue } }
  }

  /// Whether neither sound nor vibration is wanted now.
  package var isSilent: Bool { state.withLock { $0.microphones > 0 && !$0.allowsSounds } }
}

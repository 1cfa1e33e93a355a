internal import FoundationExtras

/// The short sounds and vibrations that a program asks for in a test.
///
/// ```swift
/// let recorder = SystemSoundRecorder()
/// scanner.start()
/// try await clock.advancing { await scanner.firstCode() }
/// #expect(recorder.sounds == [kSystemSoundID_Vibrate])
/// ```
///
/// What is silenced because the program's microphone runs is not among them, as nobody would hear or feel it on a phone:
/// `AVAudioSession.setAllowHapticsAndSystemSoundsDuringRecording(_:)` allows it. While one lives, nothing is heard and nothing vibrates, and completions come at once. Tests that run side by side see each
/// other's requests: make them `.serialized`. Thread-safe.
public final class SystemSoundRecorder: Sendable {
  private let recording = SystemSoundRecording()

  /// Records from now on, until the last reference goes.
  public init() {}

  /// The numbers (`SystemSoundID`) that `AudioServicesPlaySystemSound`, `AudioServicesPlayAlertSound` and their siblings with a
  /// completion were called with until now, in order.
  public var sounds: [UInt32] { recording.sounds }
}

internal import FoundationExtras

/// How a microphone's channels make up a sound field.
///
/// Apple: `AVCaptureMultichannelAudioMode`.
public enum AVCaptureMultichannelAudioMode: Int, Sendable {
  /// As the microphone has them.
  case none = 0
  /// Left and right of the camera's view.
  case stereo = 1
  /// A sphere about the camera, in four channels of first-order ambisonics.
  case firstOrderAmbisonics = 2
}

// What phones make of several microphones at known places. Here a microphone has the channels that its driver gives it.
extension AVCaptureDeviceInput {
  /// How the channels make up a sound field: always `none`.
  ///
  /// Another mode is a programming mistake without effect; ask ``isMultichannelAudioModeSupported(_:)``.
  ///
  /// Apple: `AVCaptureDeviceInput.multichannelAudioMode`.
  public var multichannelAudioMode: AVCaptureMultichannelAudioMode {
    get { .none }
    set {
      guard !isMultichannelAudioModeSupported(newValue) else { return }
      ProgrammingMistake.report(
        rule:
          "multichannelAudioMode cannot be \(newValue) here; ask isMultichannelAudioModeSupported(_:) first."
      )
    }
  }

  /// Whether the channels can make up such a sound field: `none` alone can be had, where no microphone's place is known.
  ///
  /// Apple: `AVCaptureDeviceInput.isMultichannelAudioModeSupported(_:)`.
  public func isMultichannelAudioModeSupported(
    _ multichannelAudioMode: AVCaptureMultichannelAudioMode
  ) -> Bool { multichannelAudioMode == .none }

  /// Whether wind can be taken out of the sound: no.
  ///
  /// Apple: `AVCaptureDeviceInput.isWindNoiseRemovalSupported`.
  public var isWindNoiseRemovalSupported: Bool { false }

  /// Whether wind is taken out of the sound.
  ///
  /// `true` is a programming mistake without effect while ``isWindNoiseRemovalSupported`` is `false`.
  ///
  /// Apple: `AVCaptureDeviceInput.isWindNoiseRemovalEnabled`.
  public var isWindNoiseRemovalEnabled: Bool {
    get { false }
    set {
      guard newValue else { return }
      ProgrammingMistake.report(
        rule: "isWindNoiseRemovalEnabled cannot be true here; ask isWindNoiseRemovalSupported first.")
    }
  }
}

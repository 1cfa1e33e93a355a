internal import CaptureDevice

extension AVCaptureDevice {
  /// A way in which the sound of microphones is changed before programs get it.
  ///
  /// Apple: `AVCaptureDevice.MicrophoneMode`.
  public enum MicrophoneMode: Int, Sendable {
    /// The usual one, which changes nothing here.
    ///
    /// Apple: `AVCaptureDevice.MicrophoneMode.standard`.
    case standard = 0
    /// As little as possible; no user can choose it, because ``standard`` is that already.
    ///
    /// Apple: `AVCaptureDevice.MicrophoneMode.wideSpectrum`.
    case wideSpectrum = 1
    /// Voices without the noise under them.
    ///
    /// Apple: `AVCaptureDevice.MicrophoneMode.voiceIsolation`.
    case voiceIsolation = 2
  }

  /// The microphone mode that the user has chosen for this program; `standard` at first.
  ///
  /// Users choose it with `obscura effects on voice-isolation` or in the desktop camera. Observable with
  /// `AVCaptureDevice.observe(\.preferredMicrophoneMode) { … }`.
  ///
  /// Apple: `AVCaptureDevice.preferredMicrophoneMode`.
  public class var preferredMicrophoneMode: MicrophoneMode {
    MicrophoneMode(VideoEffectSettings.shared.choices)
  }

  /// The microphone mode that is in force: the preferred one, in every microphone's audio data outputs, movies and audio files.
  ///
  /// With `voiceIsolation` steady noise is lowered by up to 24 dB, and the audio comes some 20 ms later, with its own times. Observable.
  ///
  /// - Note: Unlike AVFoundation, whose voice isolation removes other people's voices and clicks, too.
  ///
  /// Apple: `AVCaptureDevice.activeMicrophoneMode`.
  public class var activeMicrophoneMode: MicrophoneMode { preferredMicrophoneMode }
}

extension AVCaptureDevice.MicrophoneMode {
  /// The mode that the user's choices ask for.
  init(_ choices: VideoEffectChoices) {
    self = choices[.voiceIsolation].isOn ? .voiceIsolation : .standard
  }
}

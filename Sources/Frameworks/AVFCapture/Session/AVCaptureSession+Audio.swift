internal import AVFAudio
internal import CaptureDevice
internal import Foundation
internal import Linux

extension AVCaptureSession {
  /// The session's use of the program's `AVAudioSession`.
  struct AudioSessionUse {
    var uses = true
    var configures = true
    var mixes = false
    var asksForBluetoothQuality = false
  }

  /// Whether the session uses the program's `AVAudioSession`; `true` unless changed.
  ///
  /// A session that does not leaves its settings alone. Apple: `AVCaptureSession.usesApplicationAudioSession`.
  public var usesApplicationAudioSession: Bool {
    get { audioSessionUse.withLock { $0.uses } }
    set { audioSessionUse.withLock { $0.uses = newValue } }
  }

  /// Whether starting with a microphone makes the program's `AVAudioSession` record; `true` unless changed.
  ///
  /// A category that does not record becomes `playAndRecord` with the mode `videoRecording`, and stays so.
  /// Apple: `AVCaptureSession.automaticallyConfiguresApplicationAudioSession`.
  public var automaticallyConfiguresApplicationAudioSession: Bool {
    get { audioSessionUse.withLock { $0.configures } }
    set { audioSessionUse.withLock { $0.configures = newValue } }
  }

  /// Whether the category that the session sets has the option `mixWithOthers`; `false` unless changed.
  ///
  /// Apple: `AVCaptureSession.configuresApplicationAudioSessionToMixWithOthers`.
  public var configuresApplicationAudioSessionToMixWithOthers: Bool {
    get { audioSessionUse.withLock { $0.mixes } }
    set { audioSessionUse.withLock { $0.mixes = newValue } }
  }

  /// Whether the category that the session sets has the option `bluetoothHighQualityRecording`; `false` unless changed.
  ///
  /// Apple: `AVCaptureSession.configuresApplicationAudioSessionForBluetoothHighQualityRecording`.
  public var configuresApplicationAudioSessionForBluetoothHighQualityRecording: Bool {
    get { audioSessionUse.withLock { $0.asksForBluetoothQuality } }
    set { audioSessionUse.withLock { $0.asksForBluetoothQuality = newValue } }
  }

  /// Makes the program's audio session record, if this session has a microphone and may.
  func configureAudioSession() {
    let use = audioSessionUse.withLock { $0 }
    let hasMicrophone = inputs.contains { ($0 as? AVCaptureDeviceInput)?.device.facts.isMicrophone == true }
    guard use.uses, use.configures, hasMicrophone else { return }
    AudioSessionSettings.shared.withLock {
      $0.prepareForCapture(mixing: use.mixes, bluetoothQuality: use.asksForBluetoothQuality)
    }
  }
}

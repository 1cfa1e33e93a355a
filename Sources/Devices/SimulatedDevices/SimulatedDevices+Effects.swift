public import CaptureDevice
@_exported public import struct CaptureDevice.VideoEffectChoices

extension SimulatedDevices {
  /// Sets the user's choices of video effects for this program; `nil` restores the defaults.
  ///
  /// The counterpart of Control Center for tests. Returns after observers were notified. In a program whose simulated devices come from
  /// `OBSCURA_DEVICES`, `nil` restores the choices of the user's file. Thread-safe.
  public static func setVideoEffects(_ choices: VideoEffectChoices?) {
    VideoEffectSettings.shared.setOwn(choices)
  }
}

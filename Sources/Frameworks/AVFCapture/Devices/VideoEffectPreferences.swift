public import CaptureDevice
@_exported public import enum CaptureDevice.VideoEffect
@_exported public import struct CaptureDevice.VideoEffectChoice

/// The user's choices of video effects for this program, for a program that has a menu of effects.
///
/// They are those that `obscura effects --app NAME` lists, where `NAME` is `ProcessInfo.processInfo.processName`. Apple's platforms have no
/// such interface, because users choose in Control Center. Thread-safe.
public enum VideoEffectPreferences {
  /// The choice in force for this program: its own, or that for all programs.
  ///
  /// To be notified of changes of `isOn`, use `AVCaptureDevice.observe`.
  public static func choice(of effect: VideoEffect) -> VideoEffectChoice {
    VideoEffectSettings.shared.choices[effect]
  }

  /// Changes the choice for this program.
  ///
  /// Writes the user's file and returns after observers were notified: some milliseconds, so not for each step of a slider on the main
  /// thread. In a program that installed simulated devices itself, as tests do, the choice is kept in memory only.
  ///
  /// - Throws: An error of one sentence when the file cannot be read or written; nothing has changed then.
  public static func set(_ choice: VideoEffectChoice, for effect: VideoEffect) throws {
    try VideoEffectSettings.shared.choose(choice, for: effect)
  }
}

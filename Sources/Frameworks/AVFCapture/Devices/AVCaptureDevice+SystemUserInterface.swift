internal import Foundation

extension AVCaptureDevice {
  /// An interface in which users choose for a program.
  ///
  /// Apple: `AVCaptureDevice.SystemUserInterface`.
  public enum SystemUserInterface: Int, Sendable {
    /// That of video effects.
    ///
    /// Apple: `AVCaptureDevice.SystemUserInterface.videoEffects`.
    case videoEffects = 1
    /// That of microphone modes.
    ///
    /// Apple: `AVCaptureDevice.SystemUserInterface.microphoneModes`.
    case microphoneModes = 2
  }

  /// Asks users to choose video effects or a microphone mode for this program.
  ///
  /// Returns at once. What they choose is observable: `AVCaptureDevice.observe(\.isPortraitEffectEnabled) { … }`.
  ///
  /// - Note: Unlike AVFoundation, which opens Control Center: Linux has no such place, so that a sentence on standard error says how to
  ///   choose with `obscura effects`. A program with a window shows a menu of its own with ``VideoEffectPreferences``.
  ///
  /// Apple: `AVCaptureDevice.showSystemUserInterface(_:)`.
  public class func showSystemUserInterface(_ systemUserInterface: SystemUserInterface) {
    let program = ProcessInfo.processInfo.processName
    switch systemUserInterface {
    case .videoEffects:
      Log.note(
        "Choose the video effects of \(program) with 'obscura effects on NAME --app \(program)'; "
          + "'obscura effects --app \(program)' lists their names and what is on.")
    case .microphoneModes:
      Log.note(
        "Choose the microphone mode of \(program) with 'obscura effects on voice-isolation --app \(program)', "
          + "or off.")
    }
  }
}

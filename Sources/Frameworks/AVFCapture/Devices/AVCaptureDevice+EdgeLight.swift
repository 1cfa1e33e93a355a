internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// Whether the user has enabled Edge Light for this program: a light frame on the screen, which lights who sits before it.
  ///
  /// As ``isPortraitEffectEnabled``. Observable.
  ///
  /// Apple: `AVCaptureDevice.isEdgeLightEnabled`.
  public class var isEdgeLightEnabled: Bool { VideoEffectSettings.shared.choices[.edgeLight].isOn }

  /// Whether the light is on the screen now: it is enabled, and a window of this program shows it.
  ///
  /// Observable.
  ///
  /// - Note: Unlike AVFoundation, whose system draws the light, a program draws it in its window and says so with
  ///   ``VideoEffectPreferences/edgeLight``; the desktop camera does.
  ///
  /// Apple: `AVCaptureDevice.isEdgeLightActive`.
  public class var isEdgeLightActive: Bool {
    isEdgeLightEnabled && VideoEffectPreferences.edgeLight == .shown
  }
}

extension AVCaptureDevice.Format {
  /// Whether Edge Light can be had beside the format's pictures: where the program has a window for it.
  ///
  /// Apple: `AVCaptureDevice.Format.isEdgeLightSupported`.
  public var isEdgeLightSupported: Bool {
    mediaType == .video && VideoEffectPreferences.edgeLight != .impossible
  }
}

extension VideoEffectPreferences {
  /// A program's way with Edge Light.
  public enum EdgeLight: Sendable, Hashable {
    /// The program has no window for it.
    case impossible
    /// The program has a window for it, which does not show it now.
    case hidden
    /// A window of the program shows it.
    case shown
  }

  private static let edgeLightState = Locked(EdgeLight.impossible)

  /// This program's way with Edge Light; `impossible` until a program that draws the light says otherwise.
  ///
  /// Setting it notifies observers of `AVCaptureDevice.isEdgeLightActive`.
  public static var edgeLight: EdgeLight {
    get { edgeLightState.withLock { $0 } }
    set {
      DeviceVideoEffects.followChoices()
      let isEnabled = AVCaptureDevice.isEdgeLightEnabled
      let old = edgeLightState.withLock { state in
        defer { state = newValue }
        return state
      }
      guard isEnabled, (old == .shown) != (newValue == .shown) else { return }
      AVCaptureDevice.notifyEdgeLight(from: old == .shown, to: newValue == .shown)
    }
  }
}

extension AVCaptureDevice {
  /// Notifies observers of ``isEdgeLightActive``.
  static func notifyEdgeLight(from old: Bool, to new: Bool) {
    classObservers.changed(\.isEdgeLightActive, of: AVCaptureDevice.self, from: old, to: new)
  }
}

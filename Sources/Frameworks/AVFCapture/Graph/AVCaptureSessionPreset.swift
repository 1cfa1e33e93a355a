internal import Foundation

/// The quality that a session asks of its devices.
///
/// Every preset promises 30 frames a second where the device has a format that reaches them.
///
/// Apple: `AVCaptureSession.Preset`; Objective-C has it under this name.
public struct AVCaptureSessionPreset: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The preset with Apple's name `rawValue`; unknown names are kept and no device supports them.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The best still pictures; the stream is preview-sized.
  public static let photo = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetPhoto")
  /// The largest format up to 1920×1080 that keeps 30 frames a second.
  public static let high = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetHigh")
  /// The format nearest to 480×360, to send over a quick network.
  public static let medium = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetMedium")
  /// The format nearest to 192×144, to send over a slow network.
  public static let low = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetLow")
  /// 352×288.
  public static let cif352x288 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPreset352x288")
  /// 640×480.
  public static let vga640x480 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPreset640x480")
  /// 960×540.
  public static let iFrame960x540 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetiFrame960x540")
  /// 1280×720.
  public static let iFrame1280x720 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetiFrame1280x720")
  /// 1280×720.
  public static let hd1280x720 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPreset1280x720")
  /// 1920×1080.
  public static let hd1920x1080 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPreset1920x1080")
  /// 3840×2160.
  public static let hd4K3840x2160 = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPreset3840x2160")
  /// The device's active format as the client set it.
  public static let inputPriority = AVCaptureSessionPreset(rawValue: "AVCaptureSessionPresetInputPriority")
}

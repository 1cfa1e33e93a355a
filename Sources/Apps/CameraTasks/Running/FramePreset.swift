package import AVFCapture
internal import AVFoundation

/// How large a camera's frames are, by the name that users type.
package enum FramePreset: String, CaseIterable, Sendable {
  case photo, high, medium, low
  case uhd = "4k"
  case fullHD = "1080p"
  case hd = "720p"
  case vga, cif

  /// Apple's preset.
  package var sessionPreset: AVCaptureSession.Preset {
    switch self {
    case .photo: .photo
    case .high: .high
    case .medium: .medium
    case .low: .low
    case .uhd: .hd4K3840x2160
    case .fullHD: .hd1920x1080
    case .hd: .hd1280x720
    case .vga: .vga640x480
    case .cif: .cif352x288
    }
  }
}

package import AVFCapture
internal import AVFoundation
internal import CoreMedia

/// The size of a camera's frames, by the name that users type.
package enum FramePreset: String, CaseIterable, Sendable {
  case photo, high, medium, low
  case uhd = "4k"
  case fullHD = "1080p"
  case hd = "720p"
  case vga, cif

  /// The size of photos under the preset: `photo` takes the largest that is not of single photosites, any other the frames' own
  /// size, or the next above it.
  func photoSize(in format: AVCaptureDevice.Format) -> CMVideoDimensions? {
    let largest = format.highResolutionStillImageDimensions
    let sizes = format.supportedMaxPhotoDimensions.filter { $0.width <= largest.width }
    if self == .photo { return sizes.last }
    let frame = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
    return sizes.first { $0.width >= frame.width && $0.height >= frame.height } ?? sizes.last
  }

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

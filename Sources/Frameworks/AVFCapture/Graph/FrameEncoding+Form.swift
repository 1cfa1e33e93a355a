package import CaptureDevice

/// In which form frames reach an output.
package enum FrameForm: Sendable, Hashable {
  /// Pixels: as the device sends them, or decoded.
  case pictures
  /// Coded pictures that build on each other, as the device sends them.
  case coded
}

extension FrameEncoding {
  /// What can be made of frames of this encoding; the one place that says what is decoded here.
  package var form: FrameForm {
    switch self {
    case .pixels, .motionJPEG: .pictures
    case .h264: .coded
    }
  }
}

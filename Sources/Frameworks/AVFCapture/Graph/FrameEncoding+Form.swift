package import CaptureDevice
internal import CoreVideo
package import FoundationExtras

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
    case .pixels, .motionJPEG, .mosaic: .pictures
    case .h264: .coded
    }
  }

  /// The pixel format of frames that need no decoding; `nil` for others.
  package var nativePixelFormat: OSType? {
    if case .pixels(let format) = self { format } else { nil }
  }

  /// The pixel format of frames when they are pictures: the device's own, or what the decoder yields without another pass;
  /// `nil` for those that nothing here decodes.
  package var pixelFormat: OSType? {
    form == .pictures ? nativePixelFormat ?? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : nil
  }

  /// Whether frames have to be decoded to be pictures, and can be.
  package var needsDecoding: Bool { form == .pictures && nativePixelFormat == nil }
}

internal import CameraFrames
package import CaptureDevice
internal import CoreVideo
package import FoundationExtras

/// In which form frames reach an output.
package enum FrameForm: Sendable, Hashable {
  /// Pixels: as the device sends them, decoded or developed.
  case pictures
  /// Access units of H.264 that build on each other, as the device sends them.
  case h264
  /// Access units of HEVC.
  case hevc

  /// The codec's name, for sentences; `nil` for pictures.
  var codecName: String? {
    switch self {
    case .pictures: nil
    case .h264: "H.264"
    case .hevc: "HEVC"
    }
  }
}

extension FrameEncoding {
  /// The form in which frames of this encoding leave the device.
  package var form: FrameForm {
    switch self {
    case .pixels, .motionJPEG, .mosaic: .pictures
    case .h264: .h264
    case .hevc: .hevc
    }
  }

  /// The pixel format of frames that need no decoding; `nil` for others.
  package var nativePixelFormat: OSType? {
    if case .pixels(let format) = self { format } else { nil }
  }

  /// The pixel format of frames when they are pictures: the device's own, or what the decoder yields without another pass.
  package var pixelFormat: OSType {
    switch self {
    case .pixels(let format): format
    case .motionJPEG, .mosaic: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    case .h264, .hevc: Self.decodedPixelFormat
    }
  }

  /// Whether each frame has to be decoded by itself to be a picture.
  package var needsDecoding: Bool { form == .pictures && nativePixelFormat == nil }
}

extension StreamFormat {
  /// The format as those see it that take pictures: H.264 and HEVC are pixels for them, and stills as large as the stream.
  package var decoded: StreamFormat {
    guard encoding.isCoded else { return self }
    var decoded = self
    decoded.encoding = .pixels(encoding.pixelFormat)
    decoded.stillSizes = [size]
    decoded.fullStillSizes = []
    return decoded
  }
}

extension StreamConfiguration {
  /// The stream as those see it that take pictures, see ``StreamFormat/decoded``.
  package var decoded: StreamConfiguration {
    var decoded = self
    decoded.format = format.decoded
    return decoded
  }
}

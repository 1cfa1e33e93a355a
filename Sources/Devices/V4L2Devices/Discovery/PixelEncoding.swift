package import CaptureDevice
internal import CoreVideo

extension VideoLayout {
  /// What the frames are in Core Video's terms; `nil` for formats that nothing here reads.
  ///
  /// `yuvs` and `2vuy` stand for full range too: Core Video has a name for that with `yuvs` only, and no driver in
  /// use sends it.
  package var encoding: FrameEncoding? {
    switch format {
    case .yuyv: .pixels(kCVPixelFormatType_422YpCbCr8_yuvs)
    case .uyvy: .pixels(kCVPixelFormatType_422YpCbCr8)
    case .nv12:
      .pixels(
        isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    case .grey: .pixels(kCVPixelFormatType_OneComponent8)
    case .y16: .pixels(kCVPixelFormatType_OneComponent16)
    case .bgr32, .abgr32, .xbgr32: .pixels(kCVPixelFormatType_32BGRA)
    case .mjpeg, .jpeg: .motionJPEG
    default: nil
    }
  }

  /// The fewest bytes that a whole uncompressed picture takes with this stride; `nil` for compressed ones.
  package var wholePictureBytes: Int? {
    switch format {
    case .yuyv, .uyvy, .grey, .y16, .bgr32, .abgr32, .xbgr32: strideBytes * size.height
    case .nv12: strideBytes * (size.height + (size.height + 1) / 2)
    default: nil
    }
  }
}

extension VideoPixelFormat {
  /// Whether frames of this format can be offered.
  package var isKnown: Bool {
    VideoLayout(size: VideoSize(0, 0), format: self).encoding != nil
  }

  /// Which of two formats of the same size and rate comes later in a camera's list: colour after grey, what needs
  /// no decoding after what does, less to read after more.
  package var preference: Int {
    switch self {
    case .grey: 0
    case .y16: 1
    case .bgr32, .abgr32, .xbgr32: 2
    case .jpeg: 3
    case .mjpeg: 4
    case .uyvy: 5
    case .yuyv: 6
    case .nv12: 7
    default: -1
    }
  }
}

package import CaptureDevice
internal import CoreVideo
internal import StreamParts

extension VideoLayout {
  /// The encoding of the frames in Core Video's terms; `nil` for formats that nothing here reads.
  ///
  /// Of NV21 and of grey in video range, for which Core Video has no names, it is what ``FrameTouchUp`` makes of them.
  /// `2vuy` stands for full range too: Core Video has a name for that with luma first only, and no driver in use sends it.
  package var encoding: FrameEncoding? {
    switch format {
    case .yuyv:
      .pixels(isFullRange ? kCVPixelFormatType_422YpCbCr8FullRange : kCVPixelFormatType_422YpCbCr8_yuvs)
    case .uyvy: .pixels(kCVPixelFormatType_422YpCbCr8)
    case .nv12, .nv21:
      .pixels(
        isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    case .yuv420, .yvu420:
      .pixels(
        isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar)
    case .grey: .pixels(kCVPixelFormatType_OneComponent8)
    case .y16: .pixels(kCVPixelFormatType_OneComponent16)
    case .rgb24: .pixels(kCVPixelFormatType_24RGB)
    case .bgr32, .abgr32, .xbgr32: .pixels(kCVPixelFormatType_32BGRA)
    case .mjpeg, .jpeg: .motionJPEG
    case .h264: .h264
    case .hevc: .hevc
    // Half a pair of colours is no picture.
    default: size.width % 2 == 0 && size.height % 2 == 0 ? format.mosaic.map { .mosaic($0) } : nil
    }
  }

  /// The same layout with rows that are at least as long as their pixels: some drivers say 0, or count pixels.
  package var settlingStride: VideoLayout {
    let pairs = (size.width + 1) / 2
    let least: Int
    switch format {
    case .yuyv, .uyvy: least = 4 * pairs
    case .nv12, .nv21, .yuv420, .yvu420: least = 2 * pairs
    case .y16, .z16: least = 2 * size.width
    case .rgb24: least = 3 * size.width
    case .bgr32, .abgr32, .xbgr32: least = 4 * size.width
    case .grey: least = size.width
    default:
      guard let mosaic = format.mosaic else { return self }
      least = mosaic.rowBytes(width: size.width)
    }
    var settled = self
    settled.strideBytes = max(strideBytes, least)
    return settled
  }

  /// The fewest bytes that a whole uncompressed picture takes with this stride; `nil` for compressed ones.
  package var wholePictureBytes: Int? {
    switch format {
    case .yuyv, .uyvy, .grey, .y16, .z16, .rgb24, .bgr32, .abgr32, .xbgr32: strideBytes * size.height
    case .nv12, .nv21: strideBytes * (size.height + chromaRows)
    case .yuv420, .yvu420: strideBytes * size.height + 2 * (strideBytes / 2) * chromaRows
    default:
      // Behind the last row's numbers nothing is read.
      format.mosaic.map { strideBytes * (size.height - 1) + $0.rowBytes(width: size.width) }
    }
  }

  /// The rows of a colour plane at half height.
  var chromaRows: Int { (size.height + 1) / 2 }

  /// The same layout with the range that a driver's pictures really have where it leaves that open.
  ///
  /// By V4L2's rule luma without a stated range lies between 16 and 235. The grey pictures of USB cameras (infrared, thermal,
  /// microscopes), bare sensors and vivid are values from 0 to 255, and their drivers say nothing.
  package var settlingRange: VideoLayout {
    guard isRangeAssumed, format == .grey || format == .y16 else { return self }
    var settled = self
    settled.isFullRange = true
    return settled
  }
}

extension VideoPixelFormat {
  /// Whether frames of this format can be offered.
  package var isKnown: Bool {
    VideoLayout(size: VideoSize(0, 0), format: self).encoding != nil
  }

  /// Whether a driver must be asked which range the numbers of such frames have before they can be named.
  package var hasNamedRange: Bool {
    [.yuyv, .nv12, .nv21, .yuv420, .yvu420].contains(self)
  }

  /// The rank among formats of the same size and rate in a camera's list: colour after grey, uncompressed after
  /// compressed, less to read after more; a sensor's numbers before all.
  package var preference: Int {
    switch self {
    case .grey: 0
    case .y16: 1
    case .bgr32, .abgr32, .xbgr32: 2
    case .rgb24: 3
    case .jpeg: 4
    case .mjpeg: 5
    case .uyvy: 6
    case .yuyv: 7
    case .yvu420: 8
    case .yuv420: 9
    case .nv21: 10
    case .nv12: 11
    default: -1
    }
  }
}

internal import CPipeWire
package import CaptureDevice
internal import CoreVideo
internal import FoundationExtras
package import StreamParts

/// One way in which a node sends pictures, as PipeWire says it.
package struct NodeFormat: Sendable, Hashable {
  /// One of `CAM_VIDEO_…`.
  package var encoding: UInt32
  package var size: FrameSize
  /// The durations of a frame: each by itself, or from the shortest to the longest; empty where the node does not say.
  package var durations: [FrameDuration]
  package var isRange = false
  /// Whether luma and differences of colour have all values from 0 to 255.
  package var isFullRange = false
  /// The matrix of pictures of luma and differences of colour; V4L2's usual one where the node does not say.
  package var matrix = PictureMatrix.rec601

  /// The pictures that are read here, as the rest of the library names them.
  package var frameEncoding: FrameEncoding? {
    switch Int(encoding) {
    case CAM_VIDEO_NV12:
      .pixels(
        isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    case CAM_VIDEO_I420, CAM_VIDEO_YV12:
      .pixels(
        isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar)
    case CAM_VIDEO_YUY2:
      .pixels(isFullRange ? kCVPixelFormatType_422YpCbCr8FullRange : kCVPixelFormatType_422YpCbCr8_yuvs)
    // Core Video has no name of its own for that in full range.
    case CAM_VIDEO_UYVY: .pixels(kCVPixelFormatType_422YpCbCr8)
    case CAM_VIDEO_GRAY8: .pixels(kCVPixelFormatType_OneComponent8)
    case CAM_VIDEO_GRAY16: .pixels(kCVPixelFormatType_OneComponent16)
    case CAM_VIDEO_RGB: .pixels(kCVPixelFormatType_24RGB)
    case CAM_VIDEO_BGRX, CAM_VIDEO_BGRA: .pixels(kCVPixelFormatType_32BGRA)
    case CAM_VIDEO_MJPG: .motionJPEG
    case CAM_VIDEO_H264: .h264
    default: nil
    }
  }

  /// The rank among formats of one size: what costs less to read comes later.
  private var preference: Int {
    switch Int(encoding) {
    case CAM_VIDEO_H264: -1
    case CAM_VIDEO_GRAY8, CAM_VIDEO_GRAY16: 0
    case CAM_VIDEO_BGRX, CAM_VIDEO_BGRA: 1
    case CAM_VIDEO_RGB: 2
    case CAM_VIDEO_MJPG: 3
    case CAM_VIDEO_UYVY: 4
    case CAM_VIDEO_YUY2: 5
    case CAM_VIDEO_YV12: 6
    case CAM_VIDEO_I420: 7
    default: 8
    }
  }

  /// The duration that stands for that of a node which does not say: what most cameras have.
  package static let usualDuration = FrameDuration(1, 30)

  /// The longest side that is believed: a source without a limit of its own names the largest number that there is.
  private static let longestSide = 16384

  private var isPlausible: Bool {
    (1...Self.longestSide).contains(size.width) && (1...Self.longestSide).contains(size.height)
  }

  /// The format in the library's terms; `nil` for one that is not read.
  package var streamFormat: StreamFormat? {
    guard let frameEncoding, isPlausible else { return nil }
    let sorted = durations.isEmpty ? [Self.usualDuration] : durations.sorted()
    var ranges: [ClosedRange<FrameDuration>] = []
    if isRange, let first = sorted.first, let last = sorted.last {
      ranges = [first...last]
    } else {
      for duration in sorted where ranges.last?.upperBound != duration { ranges.append(duration...duration) }
    }
    return StreamFormat(size: size, encoding: frameEncoding, frameDurations: ranges)
  }

  /// The formats of a camera: each once, the largest last.
  package static func streamFormats(_ formats: [NodeFormat]) -> [StreamFormat] {
    var seen = Set<StreamFormat>()
    return ordered(formats).compactMap(\.streamFormat).filter { seen.insert($0).inserted }
  }

  /// The format that a stream of `format` asks the node for.
  package static func format(of format: StreamFormat, among formats: [NodeFormat]) -> NodeFormat? {
    ordered(formats).first { $0.streamFormat == format }
  }

  private static func ordered(_ formats: [NodeFormat]) -> [NodeFormat] {
    formats.filter(\.isPlausible).enumerated().sorted { left, right in
      let areas = (
        left.element.size.width * left.element.size.height,
        right.element.size.width * right.element.size.height
      )
      return (areas.0, left.element.preference, left.offset) < (
        areas.1, right.element.preference, right.offset
      )
    }.map(\.element)
  }

  /// The request to the node, with the duration of a frame.
  func request(_ duration: FrameDuration) -> cam_video_format {
    var request = cam_video_format()
    request.encoding = encoding
    request.size = cam_picture_size(
      width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
    guard !durations.isEmpty else { return request }
    request.rate_count = 1
    request.rates.0 = cam_video_rate(
      numerator: UInt32(clamping: duration.denominator), denominator: UInt32(clamping: duration.numerator))
    return request
  }

  /// A format as the C module tells it.
  init(_ told: cam_video_format) {
    encoding = told.encoding
    size = FrameSize(width: Int(told.size.width), height: Int(told.size.height))
    isRange = told.is_rate_range != 0
    isFullRange = told.is_full_range != 0
    matrix = PictureMatrix(rawValue: Int(told.matrix)) ?? .rec601
    durations = withUnsafeBytes(of: told.rates) { bytes in
      bytes.bindMemory(to: cam_video_rate.self).prefix(Int(told.rate_count)).compactMap { rate in
        // A rate of a source is no nonsense, but it comes from another program.
        guard let numerator = Int32(exactly: rate.denominator),
          let denominator = Int32(exactly: rate.numerator),
          numerator > 0, denominator > 0
        else { return nil }
        return FrameDuration(numerator, denominator)
      }
    }
  }

  /// A format by its parts.
  package init(encoding: UInt32, size: FrameSize, durations: [FrameDuration], isRange: Bool = false) {
    self.encoding = encoding
    self.size = size
    self.durations = durations
    self.isRange = isRange
  }
}

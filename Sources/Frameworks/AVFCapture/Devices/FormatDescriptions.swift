internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras

extension AVCaptureDevice.Format {
  /// What CoreMedia says of a format's pictures.
  ///
  /// MJPEG is `dmb1`, as cameras on other systems say it; outputs decode it. A bare sensor's numbers have the code of its order of
  /// colours, and outputs develop them. H.264 is `avc1` and HEVC `hvc1`; their parameter sets come with the samples.
  static func description(of format: StreamFormat) -> CMFormatDescription {
    let codec: CMVideoCodecType =
      switch format.encoding {
      case .pixels(let pixelFormat): pixelFormat
      case .motionJPEG: kCMVideoCodecType_JPEG_OpenDML
      case .mosaic(let layout): layout.pixelFormat
      case .h264: kCMVideoCodecType_H264
      case .hevc: kCMVideoCodecType_HEVC
      }
    return CMFormatDescription(
      pictures: .video, mediaSubType: .init(rawValue: codec),
      dimensions: CMVideoDimensions(width: Int32(format.size.width), height: Int32(format.size.height)))
  }
}

extension AVCaptureDevice.Format {
  /// What CoreMedia says of a format's depth maps.
  static func description(of format: DepthStreamFormat) -> CMFormatDescription {
    CMFormatDescription(
      pictures: .video, mediaSubType: .init(rawValue: format.pixelFormat),
      dimensions: CMVideoDimensions(width: Int32(format.size.width), height: Int32(format.size.height)))
  }
}

extension DepthStreamFormat {
  /// The pixel format's four characters.
  var encodingName: String { FourCharacterCode(rawValue: pixelFormat).description }
}

extension StreamFormat {
  /// The encoding's four characters.
  var encodingName: String {
    switch encoding {
    case .pixels(let pixelFormat): FourCharacterCode(rawValue: pixelFormat).description
    case .motionJPEG: "dmb1"
    case .mosaic(let layout): FourCharacterCode(rawValue: layout.pixelFormat).description
    case .h264: "avc1"
    case .hevc: "hvc1"
    }
  }
}

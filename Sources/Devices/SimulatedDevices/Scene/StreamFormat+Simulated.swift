internal import CaptureDevice
internal import CoreVideo

extension StreamFormat {
  /// The same format, which can stream while other cameras do.
  ///
  /// - Parameter condition: Which formats that is true of.
  func besideOtherCameras(if condition: (StreamFormat) -> Bool = { _ in true }) -> StreamFormat {
    var format = self
    format.supportsMultiCam = condition(self)
    return format
  }

  /// Whether a phone's image processor has room for the format several times: at most 1080p, at most 60 frames a second.
  var isForSeveralCameras: Bool {
    size.width <= 1920 && frameDurations.allSatisfy { $0.lowerBound.rate <= 60 }
  }
}

extension DepthStreamFormat {
  /// Maps of each of `sizes` as depth and disparity, as singles and halves; half disparity, which phones give unasked, comes
  /// last.
  static func all(_ sizes: [FrameSize], durations: ClosedRange<FrameDuration>) -> [DepthStreamFormat] {
    sizes.flatMap { size in
      [
        kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16, kCVPixelFormatType_DisparityFloat32,
        kCVPixelFormatType_DisparityFloat16,
      ].map { DepthStreamFormat(size: size, pixelFormat: $0, frameDurations: [durations]) }
    }
  }

  /// The maps of a phone's camera that lights the scene with a pattern: of the frame's shape, at most 30 a second.
  static func pattern(beside size: FrameSize) -> [DepthStreamFormat] {
    let isWide = size.width * 3 > size.height * 4 + size.height / 10
    let sizes =
      isWide
      ? [FrameSize(width: 320, height: 180), FrameSize(width: 640, height: 360)]
      : [FrameSize(width: 320, height: 240), FrameSize(width: 640, height: 480)]
    return all(sizes, durations: FrameDuration(1, 30)...FrameDuration(1, 1))
  }
}

internal import CaptureDevice

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

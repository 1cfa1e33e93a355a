internal import CaptureDevice

extension V4L2Camera {
  /// The streams that need half of the bus of `configuration` or less, in words: `MJPEG, or 640×480 at 30/s (18 MB/s instead of
  /// 55)`; `nil` where there is nothing.
  ///
  /// Half, because a bus that is full for one camera usually has another one on it. What a compressed stream takes, only the
  /// camera knows; it is far less than the same pictures uncompressed.
  func lessDemanding(than configuration: StreamConfiguration) -> String? {
    guard let asked = bytesPerSecond(configuration.format, configuration.frameDuration) else { return nil }
    var offers: [String] = []
    if facts.formats.contains(where: { $0.encoding == .motionJPEG && $0.size == configuration.size }) {
      offers.append("MJPEG")
    }
    var best: (format: StreamFormat, duration: FrameDuration, bytes: Double)?
    for format in facts.formats {
      // Drivers without a list of rates take what lies between two.
      for duration in Set(format.frameDurations.flatMap { [$0.lowerBound, $0.upperBound] })
      where duration >= configuration.frameDuration {
        guard let bytes = bytesPerSecond(format, duration), bytes * 2 <= asked else { continue }
        // The rate is worth more than the size: fewer frames look like a fault.
        let isWorse = best.map { ($0.duration.nanoseconds, -$0.bytes) <= (duration.nanoseconds, -bytes) }
        if isWorse != true { best = (format, duration, bytes) }
      }
    }
    if let largest = best {
      let rate = Int(largest.duration.rate.rounded())
      offers.append(
        "\(largest.format.size) at \(rate)/s (\(Self.megabytes(largest.bytes)) MB/s instead of "
          + "\(Self.megabytes(asked)))")
    }
    return offers.isEmpty ? nil : offers.joined(separator: ", or ")
  }

  /// The bytes that uncompressed pictures take in a second; `nil` for compressed ones.
  private func bytesPerSecond(_ format: StreamFormat, _ duration: FrameDuration) -> Double? {
    guard let bits = pixelFormat(of: format)?.bitsPerPixel else { return nil }
    return Double(format.size.width * format.size.height * bits) / 8 * duration.rate
  }

  private static func megabytes(_ bytes: Double) -> String {
    let megabytes = bytes / 1_000_000
    return megabytes < 10 ? String(Double(Int(megabytes * 10)) / 10) : String(Int(megabytes))
  }
}

extension VideoPixelFormat {
  /// The bits of a pixel on the bus; `nil` for compressed formats, and for those that are never streamed.
  var bitsPerPixel: Int? {
    switch description {
    case "GREY": 8
    case "NV12", "NV21", "YU12", "YV12": 12
    case "YUYV", "UYVY", "YVYU", "VYUY", "Y16 ", "Z16 ", "NV16": 16
    case "RGB3", "BGR3": 24
    case "BGR4", "RGB4", "AR24", "XR24": 32
    default: nil
    }
  }
}

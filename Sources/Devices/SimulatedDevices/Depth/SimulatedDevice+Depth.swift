internal import CaptureDevice
internal import CoreVideo

extension SimulatedDevice {
  /// What of a wish for depth can be had beside `format`.
  func grant(_ wanted: DepthConfiguration, beside format: StreamFormat) throws(CaptureDeviceError)
    -> DepthConfiguration
  {
    guard format.depthFormats.contains(wanted.format) else {
      let answer =
        format.depthFormats.isEmpty
        ? "choose a format that has depth, or stream without."
        : "choose one of the format's \(format.depthFormats.count) depth formats."
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) cannot measure depth as maps of \(wanted.format.size) like that beside \(format.size); "
          + answer)
    }
    guard wanted.bufferCount > 0 else {
      throw CaptureDeviceError(
        .outOfMemory, "\(facts.name) cannot measure depth without a buffer; ask for at least one.")
    }
    var granted = wanted
    granted.frameDuration = wanted.format.nextDuration(to: wanted.frameDuration)
    granted.bufferCount = min(wanted.bufferCount, StreamFaults(device: self).bufferLimit)
    return granted
  }
}

extension DepthStreamFormat {
  /// The shortest duration that is not below `wanted`, or the longest of all.
  fileprivate func nextDuration(to wanted: FrameDuration) -> FrameDuration {
    let candidates = frameDurations.map { min(max(wanted, $0.lowerBound), $0.upperBound) }
    return candidates.filter { $0 >= wanted }.min() ?? candidates.max() ?? wanted
  }

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

internal import CaptureDevice

extension DeviceFacts {
  /// The configuration that a simulated device grants for a requested one.
  ///
  /// - Parameter bufferLimit: How many buffers it has at most.
  func grant(_ wanted: StreamConfiguration, bufferLimit: Int) throws(CaptureDeviceError)
    -> StreamConfiguration
  {
    guard media.contains(.video) else {
      guard audioFormats.contains(wanted.audio) else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(name) does not send \(wanted.audio.channels) channels at \(wanted.audio.rate) Hz; "
            + "choose one of its \(audioFormats.count) formats.")
      }
      return wanted
    }
    if let reason = refusal(of: wanted) {
      throw CaptureDeviceError(.formatUnsupported, "\(name) \(reason)")
    }
    guard wanted.bufferCount > 0 else {
      throw CaptureDeviceError(
        .outOfMemory, "\(name) cannot stream without a buffer; ask for at least one.")
    }
    var granted = wanted
    granted.frameDuration = wanted.format.nearestDuration(to: wanted.frameDuration)
    granted.bufferCount = min(wanted.bufferCount, bufferLimit)
    granted.laterBufferCount = min(wanted.laterBufferCount, bufferLimit - granted.bufferCount)
    if let depth = wanted.depth {
      granted.depth = try grant(depth, beside: wanted.format, bufferLimit: bufferLimit)
    }
    return granted
  }

  /// The reason why a camera cannot send this, a sentence's part after its name; `nil` when it can.
  private func refusal(of wanted: StreamConfiguration) -> String? {
    let (format, size) = (wanted.format, wanted.size)
    guard formats.contains(format) else {
      return "has no format \(format.size) of that kind; choose one of its formats."
    }
    if format.encoding.isCoded {
      return "cannot send H.264, which nothing here makes; choose another format."
    }
    if case .mosaic(let layout) = format.encoding, layout != MosaicSensor.layout {
      return "counts light in 12 bits of two bytes, red first; choose another format."
    }
    guard format.streams(at: size) else {
      return "cannot stream \(size) from its format \(format.size); ask for the format's size."
    }
    if wanted.usesP3 && !format.supportsP3 { return "has no P3 colours in \(format.size); use sRGB." }
    let stabilized = wanted.stabilization
    if stabilized != .off && !format.stabilizationModes.contains(stabilized) {
      return "cannot steady \(format.size) in that way; choose one of the format's modes."
    }
    return nil
  }

  /// The granted part of a request for depth beside `format`.
  private func grant(
    _ wanted: DepthConfiguration, beside format: StreamFormat, bufferLimit: Int
  ) throws(CaptureDeviceError) -> DepthConfiguration {
    guard format.depthFormats.contains(wanted.format) else {
      let answer =
        format.depthFormats.isEmpty
        ? "choose a format that has depth, or stream without."
        : "choose one of the format's \(format.depthFormats.count) depth formats."
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(name) cannot measure depth as maps of \(wanted.format.size) like that beside \(format.size); "
          + answer)
    }
    guard wanted.bufferCount > 0 else {
      throw CaptureDeviceError(
        .outOfMemory, "\(name) cannot measure depth without a buffer; ask for at least one.")
    }
    var granted = wanted
    granted.frameDuration = wanted.format.nextDuration(to: wanted.frameDuration)
    granted.bufferCount = min(wanted.bufferCount, bufferLimit)
    return granted
  }
}

extension StreamFormat {
  /// Whether frames can have that size: the format's, or a smaller one of its shape.
  fileprivate func streams(at wanted: FrameSize) -> Bool {
    wanted == size
      || (scalesStream && wanted.width > 1 && wanted.height > 1 && wanted.width <= size.width
        && wanted.height <= size.height
        && abs(wanted.width * size.height - wanted.height * size.width) <= max(size.width, size.height))
  }

  /// The duration that the format has and that is nearest to `wanted`.
  fileprivate func nearestDuration(to wanted: FrameDuration) -> FrameDuration {
    let candidates = frameDurations.map { range in min(max(wanted, range.lowerBound), range.upperBound) }
    return candidates.min { left, right in
      abs(left.nanoseconds - wanted.nanoseconds) < abs(right.nanoseconds - wanted.nanoseconds)
    } ?? wanted
  }
}

extension DepthStreamFormat {
  /// The shortest duration that is not below `wanted`, or the longest of all.
  fileprivate func nextDuration(to wanted: FrameDuration) -> FrameDuration {
    let candidates = frameDurations.map { min(max(wanted, $0.lowerBound), $0.upperBound) }
    return candidates.filter { $0 >= wanted }.min() ?? candidates.max() ?? wanted
  }
}

internal import CaptureDevice
internal import FoundationExtras

extension GraphPlanner {
  /// How depth is measured beside a format's frames that come every `duration`; `nil` where it is not, or the client wants no
  /// maps.
  ///
  /// Maps come as fast as the client allows and frames do, or the next slower rate that the sensor has.
  static func depth(
    of format: StreamFormat, _ settings: CaptureGraph.DeviceSettings, beside duration: FrameDuration
  ) -> DepthConfiguration? {
    guard !settings.measuresNoDepth, let depth = format.depthFormat(like: settings.depthFormat) else {
      return nil
    }
    let wanted = max(settings.minimumDepthDuration ?? duration, duration)
    // A rate that is said in decimals is the same rate.
    let bound = wanted.nanoseconds - wanted.nanoseconds / 10_000
    let offered = depth.frameDurations.map { min(max(wanted, $0.lowerBound), $0.upperBound) }
    let slower = offered.filter { $0.nanoseconds >= bound }
    return DepthConfiguration(
      format: depth, frameDuration: slower.min() ?? offered.max() ?? wanted)
  }
}

extension StreamFormat {
  /// The depth format that is the nearest to the one wanted: itself, else the nearest in size of its pixel format, else what is
  /// taken unasked; `nil` where there is none.
  package func depthFormat(like wanted: DepthStreamFormat?) -> DepthStreamFormat? {
    guard let wanted else { return depthFormats.last }
    if depthFormats.contains(wanted) { return wanted }
    let alike = depthFormats.filter { $0.pixelFormat == wanted.pixelFormat }
    return alike.min { abs($0.size.width - wanted.size.width) < abs($1.size.width - wanted.size.width) }
      ?? depthFormats.last
  }
}

package import CaptureDevice

extension StreamFormat {
  /// The frame duration of the format that is nearest to `duration`.
  package func nearest(_ duration: FrameDuration) -> FrameDuration {
    let all = frameDurations.map { min(max(duration, $0.lowerBound), $0.upperBound) }
    return all.min { abs($0.nanoseconds - duration.nanoseconds) < abs($1.nanoseconds - duration.nanoseconds) }
      ?? duration
  }
}

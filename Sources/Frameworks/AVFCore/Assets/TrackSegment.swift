internal import CoreMedia
internal import MediaFiles

/// A part of a file's track, and when it is shown in an asset.
///
/// A track of a file has one; a track of a composition one for each range that was inserted.
struct TrackSegment: Sendable {
  /// A track of a file.
  struct Media: Sendable {
    let path: String
    let track: MovieFile.Track
    /// From when on the file lacks samples, because it was cut; `nil` when all are there.
    let missingFrom: CMTime?
  }

  /// What is shown; `nil` for nothing.
  let media: Media?
  /// Which times of the media are shown when; `nil` for a whole file as it is.
  var mapping: CMTimeMapping?

  /// When it is shown in the asset.
  var target: CMTimeRange { mapping?.target ?? media?.track.timeRange ?? .invalid }

  /// When samples of it are missing in the asset, because the file was cut; `nil` when all are there.
  var missing: CMTimeRange? {
    guard let from = media?.missingFrom else { return nil }
    guard let mapping else { return CMTimeRange(start: from, duration: .positiveInfinity) }
    guard from < mapping.source.end else { return nil }
    return CMTimeRange(start: assetTime(max(from, mapping.source.start)), end: mapping.target.end)
  }

  /// A time of the asset in the media.
  func mediaTime(_ time: CMTime) -> CMTime {
    guard let mapping, time.isNumeric else { return time }
    let into = time - mapping.target.start
    return mapping.source.start + (isScaled ? CMTimeMultiplyByFloat64(into, multiplier: 1 / scale) : into)
  }

  /// A time of the media in the asset.
  func assetTime(_ time: CMTime) -> CMTime {
    guard let mapping, time.isNumeric else { return time }
    return mapping.target.start + assetDuration(time - mapping.source.start)
  }

  /// A duration of the media in the asset.
  func assetDuration(_ duration: CMTime) -> CMTime {
    guard isScaled, duration.isNumeric else { return duration }
    return CMTimeMultiplyByFloat64(duration, multiplier: scale)
  }

  /// How much longer it takes in the asset than in the media.
  var scale: Double {
    guard let mapping, mapping.source.duration.seconds > 0 else { return 1 }
    return mapping.target.duration.seconds / mapping.source.duration.seconds
  }

  /// Whether it is shown faster or slower than the media is.
  var isScaled: Bool {
    guard let mapping, mapping.source.start.isNumeric else { return false }
    return mapping.source.duration != mapping.target.duration
  }
}

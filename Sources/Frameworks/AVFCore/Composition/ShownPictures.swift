internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras

/// The pictures of a track by the time at which they are on show, asked for in the order of time.
///
/// Not thread-safe.
final class ShownPictures {
  private let decoding: TrackDecoding
  private var current: CMSampleBuffer?
  private var coming: CMSampleBuffer?
  private var isOver = false

  init(_ track: AVAssetTrack, range: CMTimeRange) throws(AVError) {
    decoding = try TrackDecoding(
      track, settings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange],
      range: range)
  }

  /// When the picture after the current one is shown; `nil` behind the last one.
  func nextTime() throws(AVError) -> CMTime? {
    try look()
    return coming?.presentationTimeStamp
  }

  private func look() throws(AVError) {
    guard coming == nil, !isOver else { return }
    coming = try decoding.next()
    isOver = coming == nil
  }

  /// The picture on show at a time; `nil` where the track shows nothing.
  func picture(at time: CMTime) throws(AVError) -> CVPixelBuffer? {
    while true {
      try look()
      guard let next = coming, next.presentationTimeStamp <= time else { break }
      current = next
      coming = nil
    }
    guard let current else { return nil }
    let duration = current.duration
    if duration.isNumeric, duration > .zero {
      let end = current.presentationTimeStamp + duration
      // Between two pictures the first one stays, where the gap is none of a composition.
      let gap = coming.map { ($0.presentationTimeStamp - end).seconds } ?? (time - end).seconds
      guard time < end || gap < (coming == nil ? 0.05 : 0.5) else { return nil }
    }
    return current.imageBuffer
  }
}

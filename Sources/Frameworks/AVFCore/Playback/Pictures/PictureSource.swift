internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import VideoCodecs

/// What a player's pictures are made of: a track, or the frames of a video composition over several.
enum PictureSource: Sendable {
  case track(AVAssetTrack)
  /// - Parameter end: When the last frame of all tracks ends.
  case composition(AVVideoComposition, tracks: [AVAssetTrack], end: CMTime)

  /// The size of a picture's memory.
  var size: CGSize {
    switch self {
    case .track(let track): track.naturalSize
    case .composition(let composition, _, _): composition.renderSize
    }
  }

  /// The pictures from a time on; of a composition, from the frame on that shows this time.
  ///
  /// - Throws: ``AVError``.
  func reading(from time: CMTime) throws -> any PictureReading {
    switch self {
    case .track(let track):
      return try TrackDecoding(
        track, settings: [TrackDecoding.nativePixelsKey: true],
        range: CMTimeRange(start: time, duration: .positiveInfinity))
    case .composition(let composition, let tracks, let end):
      return try CompositionRenderer(
        composition, tracks: tracks,
        range: CMTimeRange(start: frameTime(at: time), duration: .positiveInfinity),
        end: end, pixelFormat: kCVPixelFormatType_32BGRA)
    }
  }

  /// Where decoding costs least within the tolerance before a time; every frame of a composition costs the same.
  func cheapestStart(before time: CMTime, tolerance: CMTime) throws -> CMTime {
    guard case .track(let track) = self, tolerance > .zero, time > .zero else { return time }
    let reading = try TrackDecoding(
      track, settings: nil, range: CMTimeRange(start: time, duration: .positiveInfinity))
    guard let sample = try reading.next(), sample.isKeyFrame() else { return time }
    let key = sample.presentationTimeStamp
    return key.isNumeric && key <= time && time - key <= tolerance ? key : time
  }

  /// What is on show at a time at which no picture begins or goes on: a gap, the end, or pictures without durations.
  func frame(before time: CMTime) throws -> PlayedFrame? {
    switch self {
    case .track(let track):
      let end = track.timeRange.end
      let asked = end.isNumeric ? min(time, end) : time
      guard let found = try FrameFinder(track).frame(at: asked, before: .zero, after: .zero),
        found.time <= time
      else { return nil }
      return PlayedFrame(pixels: found.pixels, time: found.time, duration: found.duration)
    case .composition(_, _, let end):
      // The end itself belongs to no frame.
      let last = CMTime(value: end.value - 1, timescale: end.timescale)
      let sample = try reading(from: end.isNumeric ? min(time, last) : time).nextPicture()
      return sample.flatMap(PlayedFrame.init)
    }
  }

  /// When the frame of a composition begins that shows a time; they stand at multiples of its frame duration.
  private func frameTime(at time: CMTime) -> CMTime {
    guard case .composition(let composition, _, _) = self else { return time }
    let step = composition.frameDuration
    guard step.isNumeric, step > .zero, time > .zero,
      composition.sourceTrackIDForFrameTiming == kCMPersistentTrackID_Invalid
    else { return max(time, .zero) }
    // In whole units of the step's own scale: 1/30 s has no exact seconds.
    let units = time.convertScale(step.timescale, method: .roundTowardNegativeInfinity).value
    return CMTime(value: units / step.value * step.value, timescale: step.timescale)
  }
}

/// Pictures one after the other.
protocol PictureReading: AnyObject {
  /// The next picture; `nil` behind the last one.
  func nextPicture() throws -> CMSampleBuffer?
}

extension TrackDecoding: PictureReading {
  func nextPicture() throws -> CMSampleBuffer? { try next() }
}

extension CompositionRenderer: PictureReading {
  func nextPicture() throws -> CMSampleBuffer? { try frame() }
}

extension PlayedFrame {
  init?(_ sample: CMSampleBuffer) {
    guard let pixels = sample.imageBuffer else { return nil }
    self.init(pixels: pixels, time: sample.presentationTimeStamp, duration: sample.duration)
  }
}

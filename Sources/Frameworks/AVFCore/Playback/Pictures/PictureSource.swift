internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import MediaFiles
internal import VideoCodecs

/// The source of a player's pictures: a track, or the frames of a video composition over several.
enum PictureSource: Sendable {
  case track(AVAssetTrack)
  /// - Parameter end: When the last frame of all tracks ends.
  case composition(AVVideoComposition, tracks: [AVAssetTrack], end: CMTime)

  /// The approximate bytes of a picture; a track's is taken for 4:2:0 of 8 bits, as nearly all movies are.
  var pictureSize: Int {
    switch self {
    case .track(let track):
      // As coded: the natural size also says how wide a pixel is shown.
      let sizes = track.mediaSegments.compactMap(\.media?.track.format).map(
        CMVideoFormatDescriptionGetDimensions)
      return max(1, sizes.map { Int($0.width) * Int($0.height) / 2 * 3 }.max() ?? 0)
    case .composition(let composition, _, _):
      return max(1, Int(composition.renderSize.width * composition.renderSize.height * 4))
    }
  }

  /// When the last picture ends.
  var end: CMTime {
    switch self {
    case .track(let track): track.timeRange.end
    case .composition(_, _, let end): end
    }
  }

  /// The pictures of a range; of a composition, from the frame on that shows its beginning.
  ///
  /// - Throws: ``AVError``.
  func reading(from time: CMTime, until end: CMTime = .positiveInfinity) throws -> any PictureSequence {
    switch self {
    case .track(let track):
      return try TrackDecoding(
        track, settings: [TrackDecoding.nativePixelsKey: true], range: Self.range(time, end))
    case .composition(let composition, let tracks, let last):
      return try CompositionRenderer(
        composition, tracks: tracks, range: Self.range(frameTime(at: time), end), end: last,
        pixelFormat: kCVPixelFormatType_32BGRA)
    }
  }

  private static func range(_ begin: CMTime, _ end: CMTime) -> CMTimeRange {
    end.isNumeric
      ? CMTimeRange(start: begin, end: end) : CMTimeRange(start: begin, duration: .positiveInfinity)
  }

  /// Where to begin to decode about `count` pictures that end at `end`: at a key frame, so that no picture is decoded only for others,
  /// unless key frames lie farther apart.
  ///
  /// - Parameter isWanted: Asked before each sample that is looked at.
  func stretch(before end: CMTime, count: Int, while isWanted: () -> Bool) throws -> CMTime {
    let length = CMTimeMultiply(pictureDuration, multiplier: Int32(clamping: count))
    guard case .track(let track) = self else { return max(end - length, .zero) }
    // Not beyond the beginning of a composition's segment, for that is a cut between media.
    let begin = track.mediaSegments.last { $0.mapping != nil && $0.target.start < end }?.target.start ?? .zero
    let earliest = max(end - length, begin)
    let reading = try TrackDecoding(track, settings: nil, range: CMTimeRange(start: earliest, end: end))
    var earlier: CMTime?
    while isWanted(), let sample = try reading.next() {
      let time = sample.presentationTimeStamp
      guard sample.isKeyFrame(), time.isNumeric, time < end else { continue }
      if time >= earliest { return time }
      earlier = earlier ?? time
    }
    return max(earlier ?? earliest, begin)
  }

  /// How long a picture is shown, about.
  private var pictureDuration: CMTime {
    if case .composition(let composition, _, _) = self, composition.frameDuration.isNumeric,
      composition.frameDuration > .zero
    {
      return composition.frameDuration
    }
    guard case .track(let track) = self, track.nominalFrameRate > 0 else {
      return CMTime(value: 1, timescale: 25)
    }
    let shortest = CMTime(value: 1, timescale: 90_000)
    return max(CMTime(seconds: 1 / Double(track.nominalFrameRate), preferredTimescale: 90_000), shortest)
  }

  /// The time at which decoding costs least within the tolerance before a time; every frame of a composition costs the same.
  func cheapestStart(before time: CMTime, tolerance: CMTime) throws -> CMTime {
    guard case .track(let track) = self, tolerance > .zero, time > .zero else { return time }
    let reading = try TrackDecoding(
      track, settings: nil, range: CMTimeRange(start: time, duration: .positiveInfinity))
    guard let sample = try reading.next(), sample.isKeyFrame() else { return time }
    let key = sample.presentationTimeStamp
    return key.isNumeric && key <= time && time - key <= tolerance ? key : time
  }

  /// The picture on show at a time at which no picture begins or goes on: a gap, the end, or pictures without durations.
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
      let last = TimeMargin.justBefore(end)
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
protocol PictureSequence: AnyObject {
  /// The next picture; `nil` behind the last one.
  func nextPicture() throws -> CMSampleBuffer?
}

extension TrackDecoding: PictureSequence {
  func nextPicture() throws -> CMSampleBuffer? { try next() }
}

extension CompositionRenderer: PictureSequence {
  func nextPicture() throws -> CMSampleBuffer? { try frame() }
}

extension PlayedFrame {
  init?(_ sample: CMSampleBuffer) {
    guard let pixels = sample.imageBuffer else { return nil }
    self.init(pixels: pixels, time: sample.presentationTimeStamp, duration: sample.duration)
  }
}

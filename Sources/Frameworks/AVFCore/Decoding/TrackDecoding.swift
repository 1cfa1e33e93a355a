internal import AVFAudio
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import MediaFiles
internal import VideoCodecs

/// A track's samples as a client wants them, in the asset's times: as they are, or decoded.
///
/// Goes from one of the track's segments to the next; each is opened when it is its turn. Not thread-safe.
final class TrackDecoding {
  /// In settings of pictures: they come as the decoder makes them, which takes the least work.
  static let nativePixelsKey = "nativePixels"

  private var segments: ArraySlice<TrackSegment>
  private let settings: [String: Any]?
  private let range: CMTimeRange
  private let pitch: AVAudioTimePitchAlgorithm
  private var current: SegmentReading?

  /// - Parameters:
  ///   - settings: What comes out; `nil` for samples as they are.
  ///   - range: Of which time of the asset.
  ///   - pitch: How audio that is made slower or faster sounds.
  init(
    _ track: AVAssetTrack, settings: [String: Any]?, range: CMTimeRange,
    pitch: AVAudioTimePitchAlgorithm = .spectral
  ) throws(AVError) {
    (self.range, self.pitch) = (range, pitch)
    segments =
      track.mediaSegments.filter { segment in
        guard segment.media != nil else { return false }
        guard segment.mapping != nil, segment.target.isValid else { return true }
        return segment.target.end > range.start && (!range.end.isNumeric || segment.target.start < range.end)
      }[...]
    var settings = settings
    if segments.count > 1, settings != nil, track.mediaType == .audio,
      let basic = segments.first?.media?.track.format?.audioStreamBasicDescription
    {
      // What comes out is of one format, whichever files the segments are of.
      let known: [String: Any] = [
        AVSampleRateKey: basic.mSampleRate, AVNumberOfChannelsKey: Int(basic.mChannelsPerFrame),
      ]
      settings?.merge(known) { asked, _ in asked }
    }
    self.settings = settings
    if let first = segments.popFirst() {
      current = try SegmentReading(first, settings: settings, range: range, pitch: pitch)
    }
  }

  /// The next sample buffer; `nil` behind the last one.
  func next() throws(AVError) -> CMSampleBuffer? {
    while true {
      if let sample = try current?.next() { return sample }
      guard let segment = segments.popFirst() else {
        current = nil
        return nil
      }
      current = try SegmentReading(segment, settings: settings, range: range, pitch: pitch)
    }
  }

  static func error(_ error: any Error) -> AVError {
    switch error {
    case let error as AVError: error
    case let error as CodecError:
      AVError(error.reason == .noDecoder ? .decoderNotFound : .decodeFailed, because: error.description)
    case let error as MovieFileError: AVError(reading: error)
    default: AVError(.unknown, because: "\(error)", underlying: error)
    }
  }
}

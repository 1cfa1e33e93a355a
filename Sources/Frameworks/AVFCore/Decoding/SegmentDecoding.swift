internal import AVFAudio
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles
internal import VideoCodecs

/// The samples of a range of a file's track as a client wants them: as they are, or decoded.
///
/// Not thread-safe.
final class SegmentDecoding {
  private let reader: TrackReader
  private let range: CMTimeRange
  private let video: VideoDecoder?
  private let audio: AudioDecoder?
  private var ready: [CMSampleBuffer] = []
  /// The newest picture, which is shown until the next one is.
  private var newest: VideoDecoder.Picture?
  private var isOver = false
  /// How far behind the range audio is decoded, so that its end is not that of what a change of the rate looks at.
  private static let margin = CMTime(value: 1, timescale: 50)

  /// - Parameters:
  ///   - settings: What comes out; `nil` for samples as they are.
  ///   - range: Of which time.
  init(
    _ track: MovieFile.Track, path: String, settings: [String: Any]?, range: CMTimeRange
  ) throws(AVError) {
    self.range = range
    do {
      reader = try TrackReader(path: path, track: track)
      guard let settings, let format = track.format else {
        (video, audio) = (nil, nil)
        if range.start > .zero { try reader.seek(to: range.start) }
        return
      }
      if track.mediaType == kCMMediaType_Video {
        video = try VideoDecoder(
          format,
          pixelFormat: PixelFormatChoice.codes(settings[kCVPixelBufferPixelFormatTypeKey]).first
            ?? (settings[TrackDecoding.nativePixelsKey] == nil
              ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : nil))
        audio = nil
      } else {
        video = nil
        audio = try AudioDecoder(
          format, isFloat: LooseNumber.truth(settings[AVLinearPCMIsFloatKey]) ?? false,
          bits: LooseNumber.integer(settings[AVLinearPCMBitDepthKey]) ?? 16,
          rate: LooseNumber.double(settings[AVSampleRateKey]),
          channels: LooseNumber.integer(settings[AVNumberOfChannelsKey]))
      }
      if range.start > .zero { try reader.seek(to: range.start) }
    } catch {
      throw TrackDecoding.error(error)
    }
  }

  /// The next sample buffer; `nil` behind the last one.
  func next() throws(AVError) -> CMSampleBuffer? {
    do {
      while ready.isEmpty, !isOver { try read() }
    } catch {
      throw TrackDecoding.error(error)
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  private func read() throws {
    let sample = try reader.next()
    guard let sample, !isPast(sample) else {
      isOver = true
      if let video {
        take(try video.finish())
        // What comes behind the range was not decoded.
        if let newest { take(newest, until: sample == nil ? reader.end : range.end) }
      }
      if let audio { take(try audio.finish()) }
      return
    }
    if let video {
      take(try video.decode(sample))
    } else if let audio {
      take(try audio.decode(sample))
    } else if sample.formatDescription?.audioStreamBasicDescription == nil
      || isWanted(sample.presentationTimeStamp, sample.duration)
    {
      // Pictures before and behind the range are what those in it may build on.
      ready.append(sample)
    }
  }

  /// Samples come in the order of decoding: one that is decoded after the end is not needed.
  private func isPast(_ sample: CMSampleBuffer) -> Bool {
    guard range.end.isNumeric else { return false }
    let time = sample.decodeTimeStamp.isNumeric ? sample.decodeTimeStamp : sample.presentationTimeStamp
    let end = audio == nil ? range.end : range.end + Self.margin
    return time >= end && sample.presentationTimeStamp >= end
  }

  private func isWanted(_ time: CMTime, _ duration: CMTime) -> Bool {
    let end = duration.isNumeric ? time + duration : time
    return (end > range.start || time >= range.start) && (!range.end.isNumeric || time < range.end)
  }

  private func take(_ pictures: [VideoDecoder.Picture]) {
    for picture in pictures {
      if let newest { take(newest, until: picture.time) }
      newest = picture
    }
  }

  /// Takes a picture that is shown until a time; without one as long as its sample says, which is how long it takes to be decoded.
  private func take(_ picture: VideoDecoder.Picture, until end: CMTime?) {
    var duration = picture.duration
    if let end, end.isNumeric, end > picture.time { duration = end - picture.time }
    guard isWanted(picture.time, duration) else { return }
    var format: CMFormatDescription?
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: picture.pixels, formatDescriptionOut: &format)
    guard let format else { return }
    ready.append(
      CMSampleBuffer(
        picture: picture.pixels, formatDescription: format,
        timing: CMSampleTimingInfo(
          duration: duration, presentationTimeStamp: picture.time, decodeTimeStamp: .invalid)))
  }

  /// Audio is cut to the sample.
  private func take(_ buffers: [CMSampleBuffer]) {
    for buffer in buffers {
      let rate = CMTimeScale(buffer.formatDescription?.audioStreamBasicDescription?.mSampleRate ?? 1)
      func frames(_ time: CMTime) -> Int {
        Int((time - buffer.presentationTimeStamp).convertScale(rate, method: .roundHalfAwayFromZero).value)
      }
      let first = max(0, frames(range.start))
      let last = range.end.isNumeric ? min(buffer.numSamples, frames(range.end)) : buffer.numSamples
      guard first < last else { continue }
      if first == 0, last == buffer.numSamples {
        ready.append(buffer)
      } else if let part = try? CMSampleBuffer(copying: buffer, forRange: first..<last) {
        ready.append(part)
      }
    }
  }
}

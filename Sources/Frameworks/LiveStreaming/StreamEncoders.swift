internal import AVFoundation
internal import CoreMedia
internal import CoreVideo
internal import Linux
internal import PixelTransforms
internal import VideoCodecs

/// Codes a session's pictures and audio for a stream; on one queue.
final class StreamEncoders: @unchecked Sendable {
  // Safe because all but the formats is used on the queue of the outputs alone.

  /// The formats of what is coded, known with the first samples.
  struct Formats: Sendable {
    var video: CMFormatDescription?
    var audio: CMFormatDescription?
  }

  let formats = Monitor(Formats())
  private let settings: LiveStream.Settings
  private var video: VideoEncoder?
  private var audio: AudioEncoder?

  init(_ settings: LiveStream.Settings) {
    self.settings = settings
  }

  /// Codes a picture.
  ///
  /// - Throws: `CodecError`: there is no encoder, or it has failed.
  func encode(picture sample: CMSampleBuffer, isKeyFrame: Bool) throws(CodecError) -> [CMSampleBuffer] {
    guard let picture = sample.imageBuffer else { return [] }
    let size = PixelSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    // A camera that was changed: the stream keeps the size that it began with.
    let encoder: VideoEncoder
    if let video {
      encoder = video
    } else {
      encoder = try VideoEncoder(wanted(size), first: picture)
      video = encoder
    }
    let coded = try encoder.encode(picture, at: sample.presentationTimeStamp, isKeyFrame: isKeyFrame)
    if let format = coded.first?.formatDescription ?? encoder.formatDescription {
      formats.withLock { if $0.video == nil { $0.video = format } }
    }
    return coded
  }

  private func wanted(_ size: PixelSize) -> VideoEncoderSettings {
    var wanted = VideoEncoderSettings(codec: settings.codec == .hevc ? .hevc : .h264, size: size)
    // A tenth of a bit for each pixel of thirty frames a second.
    wanted.bitRate = settings.bitRate ?? max(300_000, size.width * size.height * 3)
    wanted.keyFrameSeconds = settings.keyFrameInterval
    wanted.isLowLatency = true
    wanted.timescale = 90_000
    wanted.expectedFrameRate = 30
    wanted.scaling = .fit
    return wanted
  }

  /// Codes a chunk of audio.
  ///
  /// - Throws: `CodecError`.
  func encode(audio sample: CMSampleBuffer) throws(CodecError) -> [CMSampleBuffer] {
    let encoder: AudioEncoder
    if let audio {
      encoder = audio
    } else {
      guard let format = sample.formatDescription else { return [] }
      var wanted = AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC)
      wanted.bitRate = settings.audioBitRate
      wanted.rate = 48_000
      encoder = try AudioEncoder(wanted, source: format)
      audio = encoder
      formats.withLock { $0.audio = encoder.formatDescription }
    }
    return try encoder.encode(sample)
  }
}

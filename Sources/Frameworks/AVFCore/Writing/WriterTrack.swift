internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import MediaFiles
internal import VideoCodecs

/// What happens to an input's samples on the writer's queue: coded where settings ask for it, and written.
final class WriterTrack: @unchecked Sendable {  // Safe because only the writer's queue uses it.
  private let mediaType: AVMediaType
  private let settings: [String: Any]?
  private let hint: CMFormatDescription?
  /// What the input has been told, read when writing begins.
  var description: () -> MovieTrackSettings
  private var video: VideoEncoder?
  private var audio: AudioEncoder?
  private var number: Int?
  private var isFinished = false
  private var timescale: CMTimeScale = 0

  init(_ mediaType: AVMediaType, _ settings: [String: Any]?, _ hint: CMFormatDescription?) {
    self.mediaType = mediaType
    self.settings = settings
    self.hint = hint
    let code = FourCharacterCode(mediaType.rawValue)?.rawValue ?? 0
    description = { MovieTrackSettings(mediaType: code) }
  }

  func addTrack(to file: MovieWriter) throws(MovieFileError) {
    var track = description()
    if settings == nil { track.format = hint }
    timescale = track.timescale
    number = try file.addTrack(track)
  }

  /// Codes and writes a sample buffer.
  func append(_ sample: CMSampleBuffer, to file: MovieWriter) throws {
    guard let number else { return }
    for coded in try coded(sample) { try file.append(coded, to: number) }
  }

  /// Writes what encoders still hold.
  func finish(into file: MovieWriter) throws {
    guard let number, !isFinished else { return }
    isFinished = true
    for sample in try video?.finish() ?? [] { try file.append(sample, to: number) }
    for sample in try audio?.finish() ?? [] { try file.append(sample, to: number) }
    (video, audio) = (nil, nil)
    file.finishTrack(number)
  }

  private func coded(_ sample: CMSampleBuffer) throws -> [CMSampleBuffer] {
    guard let settings else { return [sample] }
    do throws(CodecError) {
      if let picture = sample.imageBuffer {
        let encoder = try videoEncoder(settings, first: picture, at: sample.presentationTimeStamp)
        let isKey =
          LooseNumber.truth(
            CMGetAttachment(
              sample, key: kCMSampleBufferAttachmentKey_ForceKeyFrame, attachmentModeOut: nil)) == true
        return try encoder.encode(
          picture, at: sample.presentationTimeStamp, duration: sample.duration, isKeyFrame: isKey)
      }
      guard mediaType == .audio, let format = sample.formatDescription else {
        throw CodecError(.unsuitable, "A sample without a picture cannot be coded as video.")
      }
      return try audioEncoder(settings, format).encode(sample)
    } catch {
      throw AVError(error.reason == .noEncoder ? .encoderNotFound : .unknown, because: error.description)
    }
  }

  private func videoEncoder(
    _ settings: [String: Any], first: CVPixelBuffer, at time: CMTime
  ) throws(CodecError) -> VideoEncoder {
    if let video { return video }
    var asked: VideoEncoderSettings
    do throws(WriterSettings.Refusal) {
      asked = try WriterSettings.video(settings)
    } catch {
      throw CodecError(.unsuitable, error.text)
    }
    asked.timescale = timescale > 0 ? timescale : MovieTrackSettings.timescale(for: time)
    let made = try VideoEncoder(asked, first: first)
    video = made
    return made
  }

  private func audioEncoder(
    _ settings: [String: Any], _ format: CMFormatDescription
  ) throws(CodecError) -> AudioEncoder {
    if let audio { return audio }
    let asked: AudioEncoderSettings
    do throws(WriterSettings.Refusal) {
      asked = try WriterSettings.audio(settings)
    } catch {
      throw CodecError(.unsuitable, error.text)
    }
    let made = try AudioEncoder(asked, source: format)
    audio = made
    return made
  }
}

package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
package import MediaFiles
internal import VideoCodecs

/// What happens to a track's samples on the queue of its file: coded where settings ask for it, and written.
package final class WriterTrack: @unchecked Sendable {  // Safe because only the writer's queue uses it.
  private let mediaType: AVMediaType
  private let settings: [String: Any]?
  private let hint: CMFormatDescription?
  /// What the track is, read when writing begins.
  package var description: () -> MovieTrackSettings
  private var video: VideoEncoder?
  private var audio: AudioEncoder?
  /// Its place in the file.
  private(set) var number: Int?
  private var isFinished = false
  private var timescale: CMTimeScale = 0

  /// A track of a kind of media; `nil` settings write samples as they are.
  package init(_ mediaType: AVMediaType, _ settings: [String: Any]?, _ hint: CMFormatDescription?) {
    self.mediaType = mediaType
    self.settings = settings
    self.hint = hint
    let code = FourCharacterCode(mediaType.rawValue)?.rawValue ?? 0
    description = { MovieTrackSettings(mediaType: code) }
  }

  /// Adds the track to a file.
  package func addTrack(to file: MovieWriter) throws(MovieFileError) {
    var track = description()
    if settings == nil { track.format = hint }
    timescale = track.timescale
    number = try file.addTrack(track)
  }

  /// Codes and writes a sample buffer.
  ///
  /// - Returns: What was handed to the file, which may be of earlier samples.
  @discardableResult
  package func append(_ sample: CMSampleBuffer, to file: MovieWriter) throws -> WrittenAmount {
    guard let number else { return WrittenAmount() }
    var amount = WrittenAmount()
    for coded in try coded(sample) {
      try file.append(coded, to: number)
      amount.add(coded)
    }
    return amount
  }

  /// Writes what encoders still hold.
  package func finish(into file: MovieWriter) throws {
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

/// How much was handed to a file.
package struct WrittenAmount: Sendable, Hashable {
  /// Bytes of media.
  package var bytes = 0
  /// Entries of the file's tables.
  package var samples = 0

  /// Nothing.
  package init() {}

  mutating func add(_ sample: CMSampleBuffer) {
    bytes += sample.dataBuffer?.dataLength ?? 0
    samples += 1
  }
}

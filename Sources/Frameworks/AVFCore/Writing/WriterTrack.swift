package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
package import MediaFiles
internal import VideoCodecs

/// A track on the queue of its file: encodes its samples where settings ask for it, and writes them.
package final class WriterTrack: @unchecked Sendable {  // Safe because only the writer's queue uses it.
  private let mediaType: AVMediaType
  private let settings: [String: Any]?
  private let hint: CMFormatDescription?
  /// The settings of the track in the file, read when writing begins.
  package var description: () -> MovieTrackSettings
  private var video: VideoEncoder?
  private var audio: AudioEncoder?
  /// Its place in the file.
  private(set) var number: Int?
  private var isFinished = false
  /// Whether a coded sample has room in the file; called once for each, in the order of writing.
  package var hasRoom: (CMSampleBuffer) -> Bool = { _ in true }
  /// When the earliest sample would be shown that has had no room; nothing is written from the first one on.
  package private(set) var firstLeftOut: CMTime?
  /// Whether the picture of a time shall be a key frame, as a segment begins with it; called once for each, in the order of coming.
  var beginsSegment: (CMTime) -> Bool = { _ in false }
  /// Whether the next picture shall be one, too.
  var wantsKeyFrame = false
  private var timescale: CMTimeScale = 0
  /// A small picture with the format and the colours of the first one, to open another encoder with.
  private var look: CVPixelBuffer?
  /// Whether the encoder has taken the place of one that was emptied, and has got no picture yet.
  private var isFresh = false
  /// Whether the encoder was opened before the first picture was known.
  private var isUnused = false
  private var lastTime: CMTime?
  private var slowPictures = 0

  /// A track of a kind of media; `nil` settings write samples as they are.
  package init(_ mediaType: AVMediaType, _ settings: [String: Any]?, _ hint: CMFormatDescription?) {
    self.mediaType = mediaType
    self.settings = settings
    self.hint = hint
    let code = FourCharacterCode(mediaType.rawValue)?.rawValue ?? 0
    description = { MovieTrackSettings(mediaType: code) }
  }

  /// Adds the track to a file.
  package func addTrack(to file: any SampleFile) throws(MovieFileError) {
    var track = description()
    if settings == nil { track.format = hint }
    timescale = track.timescale
    number = try file.addTrack(track)
  }

  /// Notes in a file that the track says what the pictures of another show; both were added, and nothing was written yet.
  package func describe(_ pictures: WriterTrack?, in file: any SampleFile) {
    guard let number, let other = pictures?.number else { return }
    file.associate(other, with: number, as: StillImageTime.reference)
  }

  /// Codes and writes a sample buffer.
  package func append(_ sample: CMSampleBuffer, to file: any SampleFile) throws {
    guard let number, settings == nil || file.takes(sample) else { return }
    try write(try coded(sample), to: file, number)
    if isTooSlow(sample.presentationTimeStamp) { try drain(into: file) }
  }

  private func write(
    _ samples: [CMSampleBuffer], to file: any SampleFile, _ number: Int
  ) throws(MovieFileError) {
    for sample in samples {
      guard firstLeftOut == nil, hasRoom(sample) else {
        let time = sample.presentationTimeStamp
        firstLeftOut = firstLeftOut.map { min($0, time) } ?? time
        continue
      }
      try file.append(sample, to: number)
    }
  }

  /// Whether pictures come so much more slowly than was expected that those in the encoder are too much to lose.
  private func isTooSlow(_ time: CMTime) -> Bool {
    guard let video else { return false }
    let interval = lastTime.map { (time - $0).seconds } ?? 0
    lastTime = time
    slowPictures = Double(video.heldCount) * interval > 0.4 ? slowPictures + 1 : 0
    return slowPictures >= 3
  }

  /// Opens the encoder before the first picture, which would have to wait for that.
  ///
  /// - Parameters:
  ///   - isFullRange: Whether pictures are expected to use all values of luma.
  ///   - units: Units of time in a second that their times are expected to have.
  package func warmUp(isFullRange: Bool, units: CMTimeScale) {
    guard mediaType == .video, let settings, video == nil, var asked = try? WriterSettings.video(settings),
      let like = try? CVPixelBuffer(
        format: isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        width: 16, height: 16)
    else { return }
    asked.timescale = movieScale(at: CMTime(value: 0, timescale: units))
    // Why none opens, the first picture will say.
    video = try? VideoEncoder(asked, first: like)
    isUnused = video != nil
  }

  /// Writes the pictures that the encoder holds, because no other comes that would push them out.
  ///
  /// The next one goes into an encoder that holds none. Nothing happens where frames may be coded in another order, or where another
  /// encoder would make another format, which the track cannot hold.
  package func drain(into file: any SampleFile) throws {
    guard let number, !isFinished, let encoder = video, encoder.heldCount > 0, !encoder.settings.isReordering,
      let next = successor(of: encoder)
    else { return }
    (video, lastTime, slowPictures, isFresh) = (next, nil, 0, true)
    try write(try coded({ () throws(CodecError) in try encoder.finish() }), to: file, number)
  }

  /// An encoder of the same format, which holds as few pictures as it can.
  private func successor(of encoder: VideoEncoder) -> VideoEncoder? {
    guard let look, let settings, var asked = try? WriterSettings.video(settings),
      let format = encoder.formatDescription
    else { return nil }
    asked.timescale = encoder.settings.timescale
    for isLowLatency in [true, asked.isLowLatency] {
      asked.isLowLatency = isLowLatency
      if let made = try? VideoEncoder(asked, first: look),
        made.formatDescription?.describesSameMedia(as: format) ?? false
      {
        return made
      }
    }
    return nil
  }

  /// Writes what encoders still hold.
  package func finish(into file: any SampleFile) throws {
    guard let number, !isFinished else { return }
    isFinished = true
    if isUnused || isFresh { video = nil }
    try write(try video?.finish() ?? [], to: file, number)
    try write(try audio?.finish() ?? [], to: file, number)
    (video, audio) = (nil, nil)
    file.finishTrack(number)
  }

  private func coded(_ sample: CMSampleBuffer) throws -> [CMSampleBuffer] {
    guard let settings else { return [sample] }
    return try coded { () throws(CodecError) in
      if let picture = sample.imageBuffer {
        let encoder = try videoEncoder(settings, first: picture, at: sample.presentationTimeStamp)
        isFresh = false
        let isFirstOfSegment = beginsSegment(sample.presentationTimeStamp) || wantsKeyFrame
        wantsKeyFrame = false
        let isKey =
          isFirstOfSegment
          || LooseNumber.truth(
            CMGetAttachment(
              sample, key: kCMSampleBufferAttachmentKey_ForceKeyFrame, attachmentModeOut: nil)) == true
        return try encoder.encode(
          picture, at: sample.presentationTimeStamp, duration: sample.duration, isKeyFrame: isKey)
      }
      guard mediaType == .audio, let format = sample.formatDescription else {
        throw CodecError(.unsuitable, "A sample without a picture cannot be coded as video.")
      }
      return try audioEncoder(settings, format).encode(sample)
    }
  }

  private func coded(_ body: () throws(CodecError) -> [CMSampleBuffer]) throws(AVError) -> [CMSampleBuffer] {
    do throws(CodecError) {
      return try body()
    } catch {
      throw AVError(error.reason == .noEncoder ? .encoderNotFound : .unknown, because: error.description)
    }
  }

  private func movieScale(at time: CMTime) -> CMTimeScale {
    timescale > 0 ? timescale : MovieTrackSettings.timescale(for: time)
  }

  private func videoEncoder(
    _ settings: [String: Any], first: CVPixelBuffer, at time: CMTime
  ) throws(CodecError) -> VideoEncoder {
    if let video, !isUnused { return video }
    var asked: VideoEncoderSettings
    do throws(WriterSettings.Refusal) {
      asked = try WriterSettings.video(settings)
    } catch {
      throw CodecError(.unsuitable, error.text)
    }
    asked.timescale = movieScale(at: time)
    let made = try encoder(asked, first: first)
    (video, isUnused, look) = (made, false, Self.look(of: first))
    return made
  }

  /// A small picture of the same format and colours: the picture itself may be one of a camera's few buffers.
  private static func look(of picture: CVPixelBuffer) -> CVPixelBuffer? {
    let look = try? CVPixelBuffer(
      format: CVPixelBufferGetPixelFormatType(picture), width: 16, height: 16)
    if let look { CVBufferPropagateAttachments(picture, look) }
    return look
  }

  private func encoder(
    _ asked: VideoEncoderSettings, first: CVPixelBuffer
  ) throws(CodecError) -> VideoEncoder {
    if let video, isUnused, video.suits(asked, first: first) { return video }
    return try VideoEncoder(asked, first: first)
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

internal import CFFmpeg
internal import MediaFiles
package import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Codes uncompressed audio, and converts rate, channels and samples on the way.
///
/// Not thread-safe.
package final class AudioEncoder {
  /// The format of the samples.
  package let formatDescription: CMFormatDescription
  /// Samples of a channel in a second, and the timescale of what comes out.
  package let rate: Int32

  private let encoder: OpenEncoder
  private var source: UncompressedAudio
  private var sourceFormat: AudioStreamBasicDescription
  private let isCompressed: Bool
  private var clock: AudioTimeline
  /// By how many millionths what comes out is longer; `nil` while it is what came in.
  private var stretched: Int32?
  private var isFirst = true
  private let priming: Int

  /// Opens the encoder.
  ///
  /// - Parameter format: What comes in: linear PCM.
  /// - Throws: ``CodecError``: `noEncoder`, `unsuitable` for what is no linear PCM.
  package init(_ settings: AudioEncoderSettings, source format: CMFormatDescription) throws(CodecError) {
    guard let basic = format.audioStreamBasicDescription, let source = UncompressedAudio(basic) else {
      throw CodecError(.unsuitable, "Only linear PCM can be coded as audio.")
    }
    guard let name = settings.encoderName else {
      throw CodecError(
        .noEncoder, "There is no encoder of audio '\(FourCharacterCode(rawValue: settings.formatID))'.")
    }
    let rate = settings.rate ?? Int(basic.mSampleRate)
    let channels = settings.channels ?? Int(basic.mChannelsPerFrame)
    guard (4000...192_000).contains(rate), (1...8).contains(channels) else {
      throw CodecError(.unsuitable, "Audio with \(rate) Hz and \(channels) channels cannot be coded.")
    }
    let opened = name.withCString { name in
      var asked = cam_audio_settings()
      asked.name = name
      asked.rate = Int32(rate)
      asked.channels = Int32(channels)
      asked.bit_rate = Int64(settings.bitRate ?? 0)
      asked.source_rate = Int32(basic.mSampleRate)
      asked.source_channels = Int32(basic.mChannelsPerFrame)
      asked.source_samples = source.samples
      return LibraryStatus.withReason { cam_encoder_open_audio(&asked, $0, $1) }
    }
    guard let codec = opened.value else {
      throw CodecError(
        .noEncoder, "The encoder \(name) refuses \(rate) Hz and \(channels) channels: \(opened.reason).",
        refusals: [EncoderRefusal(encoder: name, reason: opened.reason)])
    }
    encoder = OpenEncoder(codec, name: name)
    self.source = source
    sourceFormat = basic
    self.rate = Int32(rate)
    isCompressed = settings.formatID != kAudioFormatLinearPCM
    priming = isCompressed ? Int(cam_encoder_priming(codec)) : 0
    clock = AudioTimeline(rate: Int32(rate))
    formatDescription = try Self.describe(settings, encoder, rate: rate, channels: channels)
  }

  private static func describe(
    _ settings: AudioEncoderSettings, _ encoder: OpenEncoder, rate: Int, channels: Int
  ) throws(CodecError) -> CMFormatDescription {
    var basic = AudioStreamBasicDescription()
    basic.mSampleRate = Double(rate)
    basic.mFormatID = settings.formatID
    basic.mChannelsPerFrame = UInt32(channels)
    var cookie: Data?
    let extra = Data(encoder.extradata)
    switch settings.formatID {
    case kAudioFormatLinearPCM:
      basic.mFormatFlags =
        kAudioFormatFlagIsPacked
        | (settings.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
        | (settings.isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
      basic.mBitsPerChannel = UInt32(settings.bits)
      basic.mBytesPerFrame = UInt32(settings.bits / 8 * channels)
      basic.mBytesPerPacket = basic.mBytesPerFrame
      basic.mFramesPerPacket = 1
    case kAudioFormatMPEG4AAC:
      basic.mFramesPerPacket = UInt32(cam_encoder_frame_size(encoder.codec))
      cookie = AudioCookie.descriptor(configuration: extra, bitRate: settings.bitRate ?? 64_000 * channels)
    default:
      basic.mFramesPerPacket = UInt32(cam_encoder_frame_size(encoder.codec))
      cookie = extra
    }
    do {
      return try CMFormatDescription(audioStreamBasicDescription: basic, magicCookie: cookie)
    } catch {
      throw CodecError(.failed, "The coded audio cannot be described: \(error)")
    }
  }

  /// Codes audio that follows what was coded before; where its time says that there is a gap, later packets are later.
  ///
  /// Audio whose clock is not quite that of its times is made longer or shorter, by some millionths, so that it stays with them.
  /// Audio of another rate, other channels or other samples than before is converted, too; what comes out does not change.
  ///
  /// - Returns: The packets that are ready; of linear PCM as many samples as there are moments.
  /// - Throws: ``CodecError``: `unsuitable`, `failed`.
  package func encode(_ sample: CMSampleBuffer) throws(CodecError) -> [CMSampleBuffer] {
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric else {
      throw CodecError(.unsuitable, "Audio without data or time cannot be coded.")
    }
    try change(to: sample.formatDescription)
    let bytes: Data
    do { bytes = try data.dataBytes() } catch {
      throw CodecError(.unsuitable, "The audio's data cannot be had: \(error)")
    }
    let frames = source.frames(in: bytes.count)
    guard frames > 0 else { return [] }
    clock.add(at: sample.presentationTimeStamp, behind: cam_encoder_audio_nanoseconds(encoder.codec))
    try follow(clock.stretch)
    let status = source.interleaved(bytes).withUnsafeBytes {
      cam_encoder_send_audio(encoder.codec, $0.baseAddress, Int32(clamping: frames))
    }
    try encoder.check(status)
    return try encoder.receive(makeSample)
  }

  /// Takes another form of samples from now on, where it is another one.
  private func change(to format: CMFormatDescription?) throws(CodecError) {
    guard let format, format.audioStreamBasicDescription != sourceFormat else { return }
    guard let basic = format.audioStreamBasicDescription, let source = UncompressedAudio(basic) else {
      throw CodecError(
        .unsuitable, "The audio's format changed to one that is no linear PCM that can be coded.")
    }
    try encoder.check(
      cam_encoder_change_source(
        encoder.codec, Int32(basic.mSampleRate), Int32(basic.mChannelsPerFrame), source.samples))
    (self.source, sourceFormat, stretched) = (source, basic, nil)
  }

  private func follow(_ stretch: Double?) throws(CodecError) {
    let millionths = stretch.map { Int32(($0 * 1e6).rounded()) }
    guard let millionths, millionths != stretched else { return }
    try encoder.check(cam_encoder_stretch_audio(encoder.codec, millionths))
    stretched = millionths
  }

  /// Says that no audio comes any more.
  ///
  /// - Returns: What was still inside.
  package func finish() throws(CodecError) -> [CMSampleBuffer] {
    try encoder.finish()
    return try encoder.receive(makeSample)
  }

  private func makeSample(_ packet: OpaquePointer) -> CMSampleBuffer {
    let facts = cam_packet_look(packet)
    let data = PacketMemory.block(packet, UnsafeRawBufferPointer(start: facts.data, count: facts.size))
    let begin = clock.time(ofFrame: facts.presentation)
    guard isCompressed else {
      let size = Int(formatDescription.audioStreamBasicDescription?.mBytesPerFrame ?? 1)
      return CMSampleBuffer(
        data: data, formatDescription: formatDescription, sampleCount: facts.size / size, sampleSize: size,
        timing: CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: rate), presentationTimeStamp: begin, decodeTimeStamp: .invalid
        ))
    }
    let length = facts.duration > 0 ? facts.duration : Int64(cam_encoder_frame_size(encoder.codec))
    let sample = CMSampleBuffer.coded(
      data, formatDescription: formatDescription,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: length, timescale: rate), presentationTimeStamp: begin,
        decodeTimeStamp: .invalid), isKeyFrame: true)
    if isFirst, priming > 0 {
      CMSetAttachment(
        sample, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart,
        value: CMTimeCopyAsDictionary(CMTime(value: Int64(priming), timescale: rate), allocator: nil),
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    isFirst = false
    return sample
  }
}

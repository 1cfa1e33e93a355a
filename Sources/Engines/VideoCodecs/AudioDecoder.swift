internal import CFFmpeg
internal import MediaFiles
package import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Decodes audio into linear PCM, and converts rate, channels and samples on the way.
///
/// Not thread-safe.
package final class AudioDecoder {
  /// The format that comes in.
  package let inputFormat: CMFormatDescription
  /// The format of the output: interleaved.
  package let formatDescription: CMFormatDescription

  /// The most that counted times may differ from the source's own, in seconds.
  private static let slack = 0.005

  private let codec: OpaquePointer
  private let basic: AudioStreamBasicDescription
  private let input: AudioStreamBasicDescription
  /// When the next moment is; known from the first packet on.
  private var next: CMTime?

  /// Opens the decoder of a format.
  ///
  /// - Parameters:
  ///   - format: What comes in.
  ///   - isFloat: Whether 32-bit floating-point numbers come out, instead of integers.
  ///   - bits: Of integers: 16 or 32.
  ///   - rate: Moments in a second; `nil` is the source's.
  ///   - channels: How many; `nil` is the source's.
  /// - Throws: ``CodecError``: `noDecoder`.
  package init(
    _ format: CMFormatDescription, isFloat: Bool = false, bits: Int = 16, rate: Double? = nil,
    channels: Int? = nil
  ) throws(CodecError) {
    guard let input = format.audioStreamBasicDescription, let name = Self.codecName(input) else {
      throw CodecError(
        .noDecoder,
        "There is no decoder of audio '\(FourCharacterCode(rawValue: CMFormatDescriptionGetMediaSubType(format)))'."
      )
    }
    self.input = input
    inputFormat = format
    var basic = AudioStreamBasicDescription()
    basic.mFormatID = kAudioFormatLinearPCM
    basic.mSampleRate = rate ?? input.mSampleRate
    basic.mChannelsPerFrame = UInt32(channels ?? Int(input.mChannelsPerFrame))
    basic.mBitsPerChannel = isFloat ? 32 : bits == 32 ? 32 : 16
    basic.mFormatFlags =
      kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    basic.mBytesPerFrame = basic.mBitsPerChannel / 8 * basic.mChannelsPerFrame
    basic.mBytesPerPacket = basic.mBytesPerFrame
    basic.mFramesPerPacket = 1
    self.basic = basic
    let cookie = format.magicCookie ?? Data()
    let extra = name == "aac" ? AudioCookie.decoderConfiguration(cookie) ?? cookie : cookie
    let samples =
      isFloat ? cam_samples_float : basic.mBitsPerChannel == 32 ? cam_samples_s32 : cam_samples_s16
    let opened = extra.withUnsafeBytes { bytes in
      name.withCString { name in
        var asked = cam_decoder_settings()
        asked.codec = name
        asked.extradata = bytes.bindMemory(to: UInt8.self).baseAddress
        asked.extradata_size = bytes.count
        asked.rate = Int32(input.mSampleRate)
        asked.channels = Int32(input.mChannelsPerFrame)
        asked.bits = Int32(input.mBitsPerChannel)
        asked.block_align = Int32(input.mBytesPerPacket)
        asked.timescale = Int32(input.mSampleRate)
        asked.threads = 1
        return LibraryStatus.withReason {
          cam_decoder_open_audio(
            &asked, samples, Int32(basic.mSampleRate), Int32(basic.mChannelsPerFrame), $0, $1)
        }
      }
    }
    guard let codec = opened.value else {
      throw CodecError(.noDecoder, "The decoder of \(name) cannot be opened: \(opened.reason).")
    }
    self.codec = codec
    do {
      formatDescription = try CMFormatDescription(audioStreamBasicDescription: basic)
    } catch {
      throw CodecError(.failed, "The decoded audio cannot be described: \(error)")
    }
  }

  deinit {
    cam_codec_close(codec)
  }

  private static func codecName(_ basic: AudioStreamBasicDescription) -> String? {
    let names: [AudioFormatID: String] = [
      kAudioFormatMPEG4AAC: "aac", kAudioFormatMPEG4AAC_HE: "aac", kAudioFormatMPEG4AAC_HE_V2: "aac",
      kAudioFormatOpus: "opus", kAudioFormatMPEGLayer3: "mp3", kAudioFormatMPEGLayer2: "mp2",
      kAudioFormatAppleLossless: "alac", kAudioFormatFLAC: "flac", kAudioFormatAC3: "ac3",
      kAudioFormatEnhancedAC3: "eac3", kAudioFormatULaw: "pcm_mulaw", kAudioFormatALaw: "pcm_alaw",
      kAudioFormatAppleIMA4: "adpcm_ima_qt",
    ]
    guard basic.mFormatID == kAudioFormatLinearPCM else { return names[basic.mFormatID] }
    let isFloat = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isSigned = basic.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
    let end = basic.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? "be" : "le"
    switch (isFloat, basic.mBitsPerChannel) {
    case (true, 32), (true, 64): return "pcm_f\(basic.mBitsPerChannel)\(end)"
    case (false, 8): return isSigned ? "pcm_s8" : "pcm_u8"
    case (false, 16), (false, 24), (false, 32): return "pcm_s\(basic.mBitsPerChannel)\(end)"
    default: return nil
    }
  }

  /// Decodes one sample buffer; what its attachments trim is left out.
  ///
  /// - Returns: Buffers of linear PCM.
  /// - Throws: ``CodecError``: `damaged`, `unsuitable` for samples without data or time.
  package func decode(_ sample: CMSampleBuffer) throws(CodecError) -> [CMSampleBuffer] {
    guard let data = sample.dataBuffer, sample.presentationTimeStamp.isNumeric else {
      throw CodecError(.unsuitable, "Audio without data or time cannot be decoded.")
    }
    let bytes: Data
    do { bytes = try data.dataBytes() } catch {
      throw CodecError(.unsuitable, "The audio's data cannot be had: \(error)")
    }
    let trimmed = trim(sample, kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    if next == nil {
      next = sample.presentationTimeStamp + CMTime(value: Int64(trimmed), timescale: Int32(input.mSampleRate))
    }
    let moment = sample.presentationTimeStamp.convertScale(
      Int32(input.mSampleRate), method: .roundHalfAwayFromZero)
    let status = bytes.withUnsafeBytes {
      cam_decoder_send(
        codec, $0.baseAddress, $0.count, moment.value, moment.value, 0, true, UInt32(clamping: trimmed),
        UInt32(clamping: trim(sample, kCMSampleBufferAttachmentKey_TrimDurationAtEnd)))
    }
    guard status >= 0 else { throw failure(status) }
    return try receive()
  }

  /// Says that nothing comes any more, and returns what was still inside.
  package func finish() throws(CodecError) -> [CMSampleBuffer] {
    let status = cam_decoder_send(codec, nil, 0, 0, 0, 0, false, 0, 0)
    guard status >= 0 else { throw failure(status) }
    return try receive()
  }

  /// Forgets what was sent, so that decoding may begin elsewhere.
  package func flush() {
    cam_decoder_flush(codec)
    next = nil
  }

  private func trim(_ sample: CMSampleBuffer, _ key: String) -> Int {
    guard let said = CMGetAttachment(sample, key: key, attachmentModeOut: nil) as? [String: Any] else {
      return 0
    }
    let time = CMTimeMakeFromDictionary(said)
    return time.isNumeric ? Int((time.seconds * input.mSampleRate).rounded()) : 0
  }

  private func receive() throws(CodecError) -> [CMSampleBuffer] {
    var buffers: [CMSampleBuffer] = []
    while true {
      var samples: UnsafePointer<UInt8>?
      var frames: Int32 = 0
      var presentation: Int64 = 0
      let status = cam_decoder_receive_audio(codec, &samples, &frames, &presentation)
      guard status >= 0 else { throw failure(status) }
      guard status == 0 else { return buffers }
      guard frames > 0, let samples else { continue }
      let size = Int(basic.mBytesPerFrame)
      let begin = time(of: presentation)
      buffers.append(
        CMSampleBuffer(
          data: CMBlockBuffer(copying: UnsafeRawBufferPointer(start: samples, count: Int(frames) * size)),
          formatDescription: formatDescription, sampleCount: Int(frames), sampleSize: size,
          timing: CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: Int32(basic.mSampleRate)), presentationTimeStamp: begin,
            decodeTimeStamp: .invalid)))
      next = begin + CMTime(value: Int64(frames), timescale: Int32(basic.mSampleRate))
    }
  }

  /// When what came out begins: behind what came before, unless the source has a gap there.
  private func time(of presentation: Int64) -> CMTime {
    let counted = next ?? .zero
    guard presentation != cam_no_time else { return counted }
    let said = CMTime(value: presentation, timescale: Int32(input.mSampleRate))
    // Times of files are rounded, and a change of the rate holds some samples back.
    return abs((said - counted).seconds) > Self.slack ? said : counted
  }

  private func failure(_ status: Int32) -> CodecError {
    CodecError(.damaged, "The audio could not be decoded: \(LibraryStatus.text(status)).")
  }
}

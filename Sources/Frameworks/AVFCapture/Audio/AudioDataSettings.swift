internal import AVFAudio
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
package import AudioTransforms

/// The value of `AVCaptureAudioDataOutput.audioSettings`, read and checked: uncompressed audio in another layout.
package struct AudioDataSettings: Sendable, Hashable {
  /// Samples a second; `nil` for the device's.
  package var rate: Double?
  /// 1 or 2; `nil` for the device's.
  package var channels: Int?
  /// The number format of a sample.
  package var sample: AudioFormat.Sample
  /// Whether the byte of most weight comes first.
  package var isBigEndian: Bool
  /// Whether each channel lies by itself.
  package var isNonInterleaved: Bool

  /// The sample rates that can be made.
  private static let rates = 8000.0...192_000.0

  private static let keys: Set<String> = [
    AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey,
    AVLinearPCMIsBigEndianKey, AVLinearPCMIsNonInterleaved,
  ]

  /// Reads the dictionary; missing keys mean the device's rate and channels, and interleaved 16-bit integers.
  ///
  /// - Returns: `nil` when it has a key or a value that cannot be honoured.
  package init?(_ settings: [String: Any]) {
    guard Set(settings.keys).isSubset(of: Self.keys),
      LooseNumber.code(settings[AVFormatIDKey]) == kAudioFormatLinearPCM,
      let isFloat = Self.boolean(settings[AVLinearPCMIsFloatKey]),
      let isBigEndian = Self.boolean(settings[AVLinearPCMIsBigEndianKey]),
      let isNonInterleaved = Self.boolean(settings[AVLinearPCMIsNonInterleaved])
    else { return nil }
    if let value = settings[AVSampleRateKey] {
      guard let rate = LooseNumber.double(value), Self.rates.contains(rate), rate == rate.rounded() else {
        return nil
      }
      self.rate = rate
    }
    if let value = settings[AVNumberOfChannelsKey] {
      guard let channels = LooseNumber.integer(value), (1...2).contains(channels) else { return nil }
      self.channels = channels
    }
    let bits = settings[AVLinearPCMBitDepthKey].map { LooseNumber.integer($0) ?? 0 } ?? (isFloat ? 32 : 16)
    switch (bits, isFloat) {
    case (8, false): sample = .integer8
    case (16, false): sample = .integer16
    case (24, false): sample = .integer24
    case (32, false): sample = .integer32
    case (32, true): sample = .float32
    default: return nil
    }
    self.isBigEndian = isBigEndian
    self.isNonInterleaved = isNonInterleaved
  }

  /// A Boolean or a number that stands for one; `false` for a missing key, `nil` for anything else.
  private static func boolean(_ value: Any?) -> Bool? {
    value == nil ? false : LooseNumber.truth(value)
  }

  /// The format that a device's audio is converted to.
  package func format(rate: Double, channels: Int) -> AudioFormat {
    AudioFormat(
      rate: self.rate ?? rate, channels: self.channels ?? channels, sample: sample, isBigEndian: isBigEndian,
      isInterleaved: !isNonInterleaved)
  }
}

extension CMFormatDescription {
  /// The Core Media description of uncompressed audio.
  static func audio(_ format: AudioFormat) -> CMFormatDescription {
    var flags = kAudioFormatFlagIsPacked
    flags |= format.sample == .float32 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if format.isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if !format.isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    let bytes = UInt32(format.isInterleaved ? format.frameSize : format.sample.size)
    let audio = AudioStreamBasicDescription(
      mSampleRate: format.rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(format.channels), mBitsPerChannel: UInt32(8 * format.sample.size),
      mReserved: 0)
    do {
      return try CMFormatDescription(audioStreamBasicDescription: audio)
    } catch {
      preconditionFailure("Uncompressed sound has a description: \(error)")
    }
  }
}

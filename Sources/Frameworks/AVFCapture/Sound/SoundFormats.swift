internal import CaptureDevice
internal import CoreMedia

/// The formats of a microphone: the device contract has no list of them, every microphone sends one or two channels of
/// 16-bit integers at 48 kHz.
enum SoundFormats {
  /// Samples of one channel in a second.
  static let sampleRate = 48_000.0
  /// The numbers of the formats; the first is one channel, what speech needs and phones deliver unasked.
  static let indices = 0..<2

  /// How many channels a format has.
  static func channels(ofFormat index: Int) -> Int {
    indices.contains(index) ? index + 1 : 1
  }
}

extension CMFormatDescription {
  /// What Core Media says of sound as devices deliver it: interleaved 16-bit integers in the machine's byte order.
  static func sound(rate: Double, channels: Int) -> CMFormatDescription {
    let frame = UInt32(2 * channels)
    let sound = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: frame,
      mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 16,
      mReserved: 0)
    do {
      return try CMFormatDescription(audioStreamBasicDescription: sound)
    } catch {
      preconditionFailure("Plain sound has a description: \(error)")
    }
  }
}

extension DeviceFacts {
  /// Whether the device delivers sound and no pictures.
  var isMicrophone: Bool { !media.contains(.video) && media.contains(.audio) }
}

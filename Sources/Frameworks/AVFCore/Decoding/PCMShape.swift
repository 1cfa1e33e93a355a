internal import AVFAudio
internal import CoreMedia

/// Describes linear PCM whose samples of one moment lie together.
enum PCMShape {
  static func describe(
    _ rate: Double, _ channels: Int, isFloat: Bool, bits: Int
  ) -> AudioStreamBasicDescription {
    var basic = AudioStreamBasicDescription()
    basic.mFormatID = kAudioFormatLinearPCM
    basic.mSampleRate = rate
    basic.mFormatFlags =
      kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    basic.mBitsPerChannel = UInt32(bits)
    basic.mChannelsPerFrame = UInt32(channels)
    basic.mBytesPerFrame = UInt32(bits / 8 * channels)
    basic.mBytesPerPacket = basic.mBytesPerFrame
    basic.mFramesPerPacket = 1
    return basic
  }
}

internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras

extension AVCaptureDevice.Format {
  /// What CoreMedia says of a format's pictures.
  ///
  /// MJPEG is `dmb1`, as cameras on other systems say it; outputs decode it.
  static func description(of format: StreamFormat) -> CMFormatDescription {
    let codec: CMVideoCodecType =
      switch format.encoding {
      case .pixels(let pixelFormat): pixelFormat
      case .motionJPEG: kCMVideoCodecType_JPEG_OpenDML
      }
    return CMFormatDescription(
      pictures: .video, mediaSubType: .init(rawValue: codec),
      dimensions: CMVideoDimensions(width: Int32(format.size.width), height: Int32(format.size.height)))
  }

  /// What CoreMedia says of the sound that devices deliver: 16-bit integers, 48 kHz, one channel.
  static func plainSound() -> CMFormatDescription {
    var sound = AudioStreamBasicDescription()
    sound.mSampleRate = 48_000
    sound.mFormatID = kAudioFormatLinearPCM
    sound.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    sound.mBytesPerPacket = 2
    sound.mFramesPerPacket = 1
    sound.mBytesPerFrame = 2
    sound.mChannelsPerFrame = 1
    sound.mBitsPerChannel = 16
    do {
      return try CMFormatDescription(audioStreamBasicDescription: sound)
    } catch {
      preconditionFailure("Plain sound has a description: \(error)")
    }
  }
}

extension StreamFormat {
  /// The encoding's four characters.
  var encodingName: String {
    switch encoding {
    case .pixels(let pixelFormat): FourCharacterCode(rawValue: pixelFormat).description
    case .motionJPEG: "dmb1"
    }
  }
}

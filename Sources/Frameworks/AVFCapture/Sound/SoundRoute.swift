internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux

/// The way from one connection to an audio data output: what of a stretch of sound repeats from one to the next and is
/// therefore made once.
final class SoundRoute: @unchecked Sendable {  // Safe because what changes is under `cache`.
  let connection: AVCaptureConnection

  private let cache = Locked<CMAudioFormatDescription?>(nil)

  init(connection: AVCaptureConnection) {
    self.connection = connection
  }

  /// The stretch as the client gets it, its samples the device's own memory; `nil` for a stretch without samples.
  ///
  /// Its time is the first sample's own stamp, the others follow at the sample rate.
  func sampleBuffer(for stretch: SoundDelivery.Stretch) -> CMSampleBuffer? {
    let sound = stretch.sound
    guard sound.frameCount > 0, let description = description(of: sound) else { return nil }
    let sample = CMSampleBuffer(
      data: sound.samples, formatDescription: description, sampleCount: sound.frameCount,
      sampleSize: 2 * sound.channels,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: CMTimeScale(sound.sampleRate.rounded())),
        presentationTimeStamp: CMTime(sound.timestamp), decodeTimeStamp: .invalid))
    if stretch.followsGap {
      CMSetAttachment(
        sample, key: kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence, value: true,
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    return sample
  }

  private func description(of sound: CapturedSound) -> CMAudioFormatDescription? {
    cache.withLock { cache in
      if let cache, let known = cache.audioStreamBasicDescription, known.mSampleRate == sound.sampleRate,
        known.mChannelsPerFrame == UInt32(sound.channels)
      {
        return cache
      }
      cache = CMFormatDescription.sound(rate: sound.sampleRate, channels: sound.channels)
      return cache
    }
  }
}

internal import AVFAudio
public import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras

extension AVCaptureAudioDataOutput {
  /// Settings with which a writer makes a file of the output's audio that is worth keeping; `nil` while no enabled
  /// connection brings any, and for files that hold no audio.
  ///
  /// AAC with 64 thousand bits a second and channel in movies and `.m4a`, 16-bit integers in `.wav`; rate and channels are
  /// those in which the output delivers. AAC has no rates above 48 kHz here, which every encoder and player has.
  /// `AVAssetWriterInput` takes them.
  ///
  /// - Parameter outputFileType: What is written.
  ///
  /// Apple: `AVCaptureAudioDataOutput.recommendedAudioSettingsForAssetWriter(writingTo:)`.
  public func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
    guard let plan = presentConnectionPlan else { return nil }
    let audio = plan.stream.audio
    let format = deliveredFormat(rate: Double(audio.rate), channels: audio.channels)
    switch outputFileType {
    case .mov, .mp4, .m4v, .m4a:
      let rates = [48_000.0, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]
      return BoxedNumbers.boxed([
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rates.first { $0 <= format.rate } ?? 8000,
        AVNumberOfChannelsKey: format.channels, AVEncoderBitRateKey: 64_000 * format.channels,
      ])
    case .wav:
      return BoxedNumbers.boxed([
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: format.rate,
        AVNumberOfChannelsKey: format.channels, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
        AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
      ])
    default: return nil
    }
  }
}

import AVFAudio
import CoreMedia
import Foundation
import FoundationExtras
import Testing

@Suite("Settings of audio")
struct AudioSettingTests {
  /// Apple's MPEG 5.1 A.
  private static let fiveOne: AudioChannelLayoutTag = 121 << 16 | 6

  private func layout(_ tag: AudioChannelLayoutTag) -> Data {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    return Data(bytes: &layout, count: MemoryLayout<AudioChannelLayout>.size)
  }

  private func settings(_ channels: Int, _ layout: Data?) -> [String: Any] {
    var settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: channels,
    ]
    settings[AVChannelLayoutKey] = layout
    return settings
  }

  @Test func `a channel layout is read from settings and written back`() throws {
    #expect(AVAudioFormat(settings: settings(6, nil)) == nil, "nothing says how six channels are arranged")
    let six = try #require(AVAudioFormat(settings: settings(6, layout(Self.fiveOne))))
    #expect(six.channelLayout?.layoutTag == Self.fiveOne && six.channelCount == 6)
    let again = try #require(AVAudioFormat(settings: six.settings))
    #expect(again.channelLayout?.layoutTag == Self.fiveOne)
    #expect(AVAudioFormat(settings: settings(2, layout(Self.fiveOne))) == nil)
    #expect(AVAudioFormat(settings: settings(2, Data([1, 2, 3]))) == nil)
  }

  @Test func `a layout that names more descriptions than its bytes hold is refused`() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
    layout.mNumberChannelDescriptions = 500
    let bytes = Data(bytes: &layout, count: MemoryLayout<AudioChannelLayout>.size)
    #expect(AVAudioFormat(settings: settings(2, bytes)) == nil)
  }

  @Test func `a rate counts before one of a channel, and that before a quality`() {
    func rate(_ settings: [String: Any]) -> Int? { AudioBitRate.asked(settings, channels: 2) }
    #expect(rate([:]) == nil)
    #expect(rate([AVEncoderAudioQualityKey: AVAudioQuality.min.rawValue]) == 64_000)
    #expect(rate([AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue]) == 256_000)
    #expect(rate([AVEncoderAudioQualityKey: AVAudioQuality.high]) == 192_000)
    #expect(
      rate([AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue, AVEncoderBitRatePerChannelKey: 40_000])
        == 80_000)
    #expect(rate([AVEncoderBitRatePerChannelKey: 40_000, AVEncoderBitRateKey: 96_000]) == 96_000)
    #expect(
      rate([
        AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Variable,
        AVEncoderAudioQualityForVBRKey: AVAudioQuality.low.rawValue,
        AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
      ]) == 96_000)
  }

  @Test func `kinds of files have the characters of their names`() {
    func text(_ type: AudioFileTypeID) -> String { FourCharacterCode(rawValue: type).description }
    #expect(text(kAudioFileWAVEType) == "WAVE" && text(kAudioFileCAFType) == "caff")
    #expect(text(kAudioFileM4AType) == "m4af" && text(kAudioFileAIFFType) == "AIFF")
    #expect(text(kAudioFileMP3Type) == "MPG3" && text(kAudioFileAAC_ADTSType) == "adts")
  }
}

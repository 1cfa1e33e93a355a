import AVFAudio
import CoreMedia
import FoundationExtras
import MovieTools
import Testing

@Suite("AVAudioFormat and AVAudioPCMBuffer")
struct AudioFormatTests {
  @Test("The standard format is 32-bit floats, each channel by itself")
  func standard() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
    #expect(format.streamDescription.pointee.mBytesPerFrame == 4)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6) == nil)
    let again = try #require(AVAudioFormat(settings: format.settings))
    #expect(again.isEqual(format))
  }

  @Test("A format of Core Media is taken over")
  func coreMedia() throws {
    var basic = TestMovie.stereo(rate: 44_100)
    let described = try CMFormatDescription(audioStreamBasicDescription: basic)
    let format = AVAudioFormat(cmAudioFormatDescription: described)
    #expect(format.commonFormat == .pcmFormatInt16 && format.isInterleaved && !format.isStandard)
    #expect(format.sampleRate == 44_100 && format.channelCount == 2)
    let same = try #require(AVAudioFormat(streamDescription: &basic))
    #expect(same.isEqual(format))
  }

  @Test("A buffer's channels lie where its format says", arguments: [true, false])
  func buffer(isInterleaved: Bool) throws {
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: isInterleaved))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    #expect(buffer.frameLength == 0)
    buffer.frameLength = 60
    #expect(ProgrammingMistake.collect { buffer.frameLength = 101 }.count == 1)
    #expect(buffer.frameLength == 60, "more than fits changes nothing")
    buffer.frameLength = 100
    #expect(buffer.frameLength == 100)
    let channels = try #require(buffer.int16ChannelData)
    #expect(buffer.floatChannelData == nil && buffer.stride == (isInterleaved ? 2 : 1))
    for frame in 0..<100 { channels[1][frame * buffer.stride] = Int16(frame) }
    let lists = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(lists.count == (isInterleaved ? 1 : 2))
    let data = try #require(lists[lists.count - 1].mData).assumingMemoryBound(to: Int16.self)
    #expect(data[isInterleaved ? 7 : 3] == 3)
  }
}

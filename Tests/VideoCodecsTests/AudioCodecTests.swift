import CoreMedia
import Foundation
import MovieTools
import Testing
import VideoCodecs

@Suite("Coded audio")
struct AudioCodecTests {
  private func encode(
    _ settings: AudioEncoderSettings, chunks: [(start: Int, count: Int)]
  ) throws -> [CMSampleBuffer] {
    let encoder = try AudioEncoder(
      settings, source: #require(TestMovie.tone(from: 0, count: 1).formatDescription))
    var packets: [CMSampleBuffer] = []
    for chunk in chunks {
      packets += try encoder.encode(TestMovie.tone(from: chunk.start, count: chunk.count))
    }
    return packets + (try encoder.finish())
  }

  private func decode(_ packets: [CMSampleBuffer]) throws -> (samples: [Int16], start: CMTime) {
    let decoder = try AudioDecoder(#require(packets[0].formatDescription))
    var buffers: [CMSampleBuffer] = []
    for packet in packets { buffers += try decoder.decode(packet) }
    buffers += try decoder.finish()
    var samples: [Int16] = []
    for buffer in buffers {
      try buffer.dataBuffer?.dataBytes().withUnsafeBytes { samples += Array($0.bindMemory(to: Int16.self)) }
    }
    return (samples, buffers[0].presentationTimeStamp)
  }

  private let chunks = (0..<20).map { (start: 4800 + $0 * 1000, count: 1000) }

  @Test("AAC and Opus give back the tone at its time", arguments: [kAudioFormatMPEG4AAC, kAudioFormatOpus])
  func roundTrip(format: AudioFormatID) throws {
    let packets = try encode(AudioEncoderSettings(formatID: format), chunks: chunks)
    let (samples, start) = try decode(packets)
    #expect(abs(start.seconds - 0.1) < 0.001)
    #expect(samples.count / 2 >= 20_000 && samples.count / 2 < 22_000)
    // In the middle the tone has its period and about its loudness.
    let left = stride(from: 10_000, to: 14_800, by: 2).map { Int(samples[$0]) }
    let crossings = zip(left, left.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect((49...51).contains(crossings))
    #expect((8000...11_000).contains(left.max() ?? 0))
  }

  @Test("AAC's packets begin before the audio by what the decoder needs, and say how much to leave out")
  func priming() throws {
    let packets = try encode(AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC), chunks: chunks)
    #expect(packets[0].presentationTimeStamp == CMTime(value: 4800 - 1024, timescale: 48_000))
    let trim = CMGetAttachment(
      packets[0], key: kCMSampleBufferAttachmentKey_TrimDurationAtStart, attachmentModeOut: nil)
    #expect(CMTimeMakeFromDictionary(trim as? [String: Any]) == CMTime(value: 1024, timescale: 48_000))
    #expect(packets.dropLast().allSatisfy { $0.duration == CMTime(value: 1024, timescale: 48_000) })
    #expect(packets[0].formatDescription?.magicCookie?.first == 3)
  }

  @Test(
    "Linear PCM is bit-exact in 16, 24 and 32 bits of either byte order",
    arguments: [16, 24, 32], [false, true])
  func uncompressed(bits: Int, isBigEndian: Bool) throws {
    var settings = AudioEncoderSettings(formatID: kAudioFormatLinearPCM)
    settings.bits = bits
    settings.isBigEndian = isBigEndian
    let buffers = try encode(settings, chunks: chunks)
    #expect(buffers.reduce(0) { $0 + $1.numSamples } == 20_000)
    let (samples, start) = try decode(buffers)
    #expect(start == CMTime(value: 4800, timescale: 48_000))
    let expected = try TestMovie.tone(from: 4800, count: 20_000).dataBuffer?.dataBytes()
    #expect(samples.withUnsafeBytes { Data($0) } == expected)
  }

  @Test("Rate and channels are converted")
  func conversion() throws {
    var settings = AudioEncoderSettings(formatID: kAudioFormatLinearPCM)
    settings.rate = 16_000
    settings.channels = 1
    let buffers = try encode(settings, chunks: chunks)
    let frames = buffers.reduce(0) { $0 + $1.numSamples }
    #expect((6600...6680).contains(frames))
    #expect(buffers[0].formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame == 1)
  }

  @Test("After a gap, packets are later by the gap")
  func gap() throws {
    let packets = try encode(
      AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC),
      chunks: [(0, 10_240), (58_240, 10_240)])
    let steps = zip(packets, packets.dropFirst()).map { $1.presentationTimeStamp - $0.presentationTimeStamp }
    #expect(steps.filter { $0 == CMTime(value: 1024, timescale: 48_000) }.count == steps.count - 1)
    #expect(steps.max() == CMTime(value: 49_024, timescale: 48_000))
  }

  @Test("What is no linear PCM is refused with its reason")
  func refusal() throws {
    let coded = try encode(AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC), chunks: [(0, 4096)])
    let error = #expect(throws: CodecError.self) {
      try AudioEncoder(
        AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC), source: #require(coded[0].formatDescription))
    }
    #expect(error?.reason == .unsuitable)
    #expect(throws: CodecError.self) {
      try AudioEncoder(
        AudioEncoderSettings(formatID: kAudioFormatMPEG4CELP),
        source: #require(TestMovie.tone(from: 0, count: 1).formatDescription))
    }
  }
}

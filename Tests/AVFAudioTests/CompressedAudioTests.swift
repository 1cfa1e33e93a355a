import AVFAudio
import CoreMedia
import Foundation
import Testing

@Suite("AVAudioConverter: packets")
struct CompressedAudioTests {
  private func aac(_ rate: Double, _ channels: Int) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
      ]))
  }

  /// The packets of a second of a tone, and the configuration for a decoder.
  private func coded(bitRate: Int = 0) throws -> (packets: [Data], cookie: Data) {
    let source = try standard(48_000, 1)
    let target = try aac(48_000, 1)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    if bitRate > 0 { converter.bitRate = bitRate }
    var packets: [Data] = []
    var place = 0
    while true {
      let output = AVAudioCompressedBuffer(
        format: target, packetCapacity: 8, maximumPacketSize: converter.maximumOutputPacketSize)
      var failure: NSError?
      let status = converter.convert(to: output, error: &failure) { _, status in
        guard place < 48_000, let piece = try? tone(source, 1000, from: place) else {
          status.pointee = .endOfStream
          return nil
        }
        place += 1000
        status.pointee = .haveData
        return piece
      }
      #expect(failure == nil)
      guard status != .endOfStream else { break }
      #expect(status == .haveData)
      let places = try #require(output.packetDescriptions)
      for index in 0..<Int(output.packetCount) {
        packets.append(
          Data(bytes: output.data + Int(places[index].mStartOffset), count: Int(places[index].mDataByteSize)))
      }
    }
    return (packets, try #require(converter.magicCookie))
  }

  @Test("PCM becomes AAC and AAC becomes PCM again, as long and as loud")
  func roundTrip() throws {
    let (packets, cookie) = try coded()
    #expect((46...49).contains(packets.count))
    let source = try aac(48_000, 1)
    let target = try standard(48_000, 1)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    converter.magicCookie = cookie
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 60_000))
    var next = 0
    let status = converter.convert(to: output, error: nil) { _, status in
      guard next < packets.count else {
        status.pointee = .endOfStream
        return nil
      }
      let packet = packets[next]
      next += 1
      let input = AVAudioCompressedBuffer(format: source, packetCapacity: 1, maximumPacketSize: packet.count)
      packet.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { input.data.copyMemory(from: base, byteCount: bytes.count) }
      }
      input.byteLength = UInt32(packet.count)
      input.packetCount = 1
      input.packetDescriptions?[0] = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
      status.pointee = .haveData
      return input
    }
    #expect(status == .haveData)
    #expect((47_000...50_200).contains(output.frameLength))
    #expect(abs(level(samples(output).dropFirst(4000).prefix(40_000)) - 0.3536) < 0.01)
  }

  @Test("More bits in a second make larger packets")
  func bitRate() throws {
    let few = try coded(bitRate: 32_000).packets.reduce(0) { $0 + $1.count }
    let many = try coded(bitRate: 128_000).packets.reduce(0) { $0 + $1.count }
    #expect(Double(few) < 0.6 * Double(many))
  }

  @Test("A packet that has no room is an error with a sentence, and is not lost")
  func room() throws {
    let source = try standard(48_000, 1)
    let target = try aac(48_000, 1)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    func convert(_ size: Int) throws -> (AVAudioConverterOutputStatus, AVAudioPacketCount, NSError?) {
      let output = AVAudioCompressedBuffer(format: target, packetCapacity: 1, maximumPacketSize: size)
      var failure: NSError?
      let status = converter.convert(to: output, error: &failure) { _, status in
        status.pointee = .haveData
        return try? tone(source, 1024)
      }
      return (status, output.packetCount, failure)
    }
    let small = try convert(2)
    #expect(small.0 == .error && small.2?.localizedDescription.contains("room") == true)
    let large = try convert(2000)
    #expect(large.0 == .haveData && large.1 == 1)
  }

  @Test("There is no way from one coding to another, nor to a coding without an encoder")
  func refusals() throws {
    #expect(AVAudioConverter(from: try aac(48_000, 1), to: try aac(44_100, 1)) == nil)
    let lossless = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
      ]))
    #expect(AVAudioConverter(from: try standard(48_000, 1), to: lossless) == nil)
  }

  @Test("A channel layout goes with its format, and must have as many channels")
  func layouts() throws {
    let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(stereo.channelCount == 2 && stereo.layoutTag == kAudioChannelLayoutTag_Stereo)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: stereo)
    #expect(format.channelCount == 2 && format.channelLayout == stereo && format.isStandard)
    let six = try #require(AVAudioChannelLayout(layoutTag: 121 << 16 | 6))
    var basic = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: six).streamDescription
      .pointee
    #expect(basic.mChannelsPerFrame == 6)
    #expect(AVAudioFormat(streamDescription: &basic) == nil)
    #expect(AVAudioFormat(streamDescription: &basic, channelLayout: stereo) == nil)
    #expect(AVAudioFormat(streamDescription: &basic, channelLayout: six)?.channelLayout == six)
  }

  @Test("Moments are worked out from an anchor by samples and by the host's clock")
  func times() {
    let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 480, atRate: 48_000)
    #expect(anchor.isHostTimeValid && anchor.isSampleTimeValid)
    let later = AVAudioTime(sampleTime: 48_480, atRate: 48_000).extrapolateTime(fromAnchor: anchor)
    #expect(later == AVAudioTime(hostTime: 2_000_000_000, sampleTime: 48_480, atRate: 48_000))
    let host = AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: 1.5)).extrapolateTime(
      fromAnchor: anchor)
    #expect(host?.sampleTime == 24_480)
    #expect(AVAudioTime(sampleTime: 1, atRate: 44_100).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(AVAudioTime(hostTime: 7).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 5)) == nil)
    #expect(AVAudioTime.seconds(forHostTime: 2_500_000_000) == 2.5)
  }
}

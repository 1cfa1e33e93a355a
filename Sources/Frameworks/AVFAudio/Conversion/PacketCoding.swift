internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import VideoCodecs

/// Codes PCM into packets, for a converter.
final class PacketEncoding {
  private let encoder: AudioEncoder
  private let source: AVAudioFormat
  private var place: Int64 = 0
  private var ready: [Data] = []
  private var hasEnded = false
  /// The magic cookie of the packets.
  var cookie: Data? { encoder.formatDescription.magicCookie }

  init(from source: AVAudioFormat, to target: AVAudioFormat, bitRate: Int) throws(CodecError) {
    let basic = target.streamDescription.pointee
    var settings = AudioEncoderSettings(formatID: basic.mFormatID)
    settings.rate = Int(basic.mSampleRate)
    settings.channels = Int(basic.mChannelsPerFrame)
    settings.bitRate = bitRate > 0 ? bitRate : nil
    encoder = try AudioEncoder(settings, source: source.formatDescription)
    self.source = source
  }

  var isDrained: Bool { hasEnded && ready.isEmpty }

  func take() -> Data? { ready.isEmpty ? nil : ready.removeFirst() }

  /// Puts a packet back that had no room.
  func put(back packet: Data) { ready.insert(packet, at: 0) }

  func add(_ input: AVAudioPCMBuffer) throws {
    let basic = source.streamDescription.pointee
    let bytes = input.planes(from: 0).reduce(into: Data()) { data, plane in
      if let plane {
        data.append(Data(bytes: plane, count: Int(input.frameLength) * Int(basic.mBytesPerFrame)))
      }
    }
    let sample = try CMSampleBuffer(
      dataBuffer: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) },
      formatDescription: source.formatDescription,
      numSamples: CMItemCount(input.frameLength),
      presentationTimeStamp: CMTime(value: place, timescale: CMTimeScale(basic.mSampleRate)),
      packetDescriptions: [])
    place += Int64(input.frameLength)
    ready += try encoder.encode(sample).compactMap { try $0.dataBuffer?.dataBytes() }
  }

  func finish() throws {
    guard !hasEnded else { return }
    hasEnded = true
    ready += try encoder.finish().compactMap { try $0.dataBuffer?.dataBytes() }
  }
}

/// Decodes packets into PCM, for a converter.
final class PacketDecoding {
  private let decoder: AudioDecoder
  private let source: AVAudioFormat
  private var place: Int64 = 0
  /// Interleaved samples of 32-bit floating-point numbers.
  private var ready: [Float] = []
  private var hasEnded = false
  private let channels: Int

  init(from source: AVAudioFormat, to target: AVAudioFormat) throws(CodecError) {
    let basic = target.streamDescription.pointee
    channels = Int(basic.mChannelsPerFrame)
    decoder = try AudioDecoder(
      source.formatDescription, isFloat: true, rate: basic.mSampleRate, channels: channels)
    self.source = source
  }

  var frames: Int { ready.count / channels }
  var isDrained: Bool { hasEnded && ready.isEmpty }

  func take(_ count: Int) -> [Float] {
    let samples = Array(ready.prefix(count * channels))
    ready.removeFirst(samples.count)
    return samples
  }

  func add(_ input: AVAudioCompressedBuffer) throws {
    let basic = source.streamDescription.pointee
    let rate = CMTimeScale(basic.mSampleRate)
    for packet in input.packets {
      let sample = CMSampleBuffer.coded(
        packet.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: source.formatDescription,
        timing: CMSampleTimingInfo(
          duration: CMTime(value: Int64(basic.mFramesPerPacket), timescale: rate),
          presentationTimeStamp: CMTime(value: place, timescale: rate), decodeTimeStamp: .invalid),
        isKeyFrame: true)
      place += Int64(basic.mFramesPerPacket)
      try keep(decoder.decode(sample))
    }
  }

  func finish() throws {
    guard !hasEnded else { return }
    hasEnded = true
    try keep(decoder.finish())
  }

  private func keep(_ samples: [CMSampleBuffer]) throws {
    for sample in samples {
      guard let bytes = try sample.dataBuffer?.dataBytes() else { continue }
      ready += bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
  }
}

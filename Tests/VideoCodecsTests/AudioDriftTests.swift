import CoreMedia
import Foundation
import MovieTools
import Testing
import VideoCodecs

/// Audio of a microphone whose clock is not the one of the times.
@Suite("Audio whose clock drifts")
struct AudioDriftTests {
  /// Codes `seconds` of clicks, one in each second of the times, from chunks of 10 ms whose clock is off; the times at which a
  /// player that counts samples hears them.
  private func clicks(
    _ settings: AudioEncoderSettings, seconds: Int, drift: Double
  ) throws -> (heard: [Double], packets: [CMSampleBuffer]) {
    let format = try CMFormatDescription(audioStreamBasicDescription: TestMovie.stereo(rate: 48_000))
    let encoder = try AudioEncoder(settings, source: format)
    var packets: [CMSampleBuffer] = []
    for chunk in 0..<seconds * 100 {
      let begin = Double(chunk) * 0.01 / (1 + drift)
      let samples = (0..<480).flatMap { frame -> [Int16] in
        let time = begin + Double(frame) / 48_000 / (1 + drift)
        let value: Int16 = time >= 0.5 && (time - 0.5).truncatingRemainder(dividingBy: 1) < 0.002 ? 20_000 : 0
        return [value, value]
      }
      packets += try encoder.encode(
        CMSampleBuffer(
          data: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format,
          sampleCount: 480, sampleSize: 4,
          timing: CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 48_000),
            presentationTimeStamp: CMTime(value: Int64((begin * 1e9).rounded()), timescale: 1_000_000_000),
            decodeTimeStamp: .invalid)))
    }
    packets += try encoder.finish()
    let decoder = try AudioDecoder(#require(packets[0].formatDescription))
    var heard: [Double] = []
    var count = 0
    for buffer in try packets.flatMap({ try decoder.decode($0) }) + (try decoder.finish()) {
      try buffer.dataBuffer?.dataBytes().withUnsafeBytes { bytes in
        let values = bytes.bindMemory(to: Int16.self)
        for frame in 0..<values.count / 2 where abs(Int(values[2 * frame])) > 8000 {
          let moment = Double(count + frame) / 48_000
          if heard.last.map({ moment - $0 > 0.3 }) ?? true { heard.append(moment) }
        }
        count += values.count / 2
      }
    }
    return (heard, packets)
  }

  @Test(
    "is made longer or shorter, so that who counts samples hears it in time",
    arguments: [kAudioFormatLinearPCM, kAudioFormatMPEG4AAC], [200e-6, -200e-6])
  func counted(format: AudioFormatID, drift: Double) throws {
    // Without it the last click would be 12 ms off.
    let (heard, packets) = try clicks(AudioEncoderSettings(formatID: format), seconds: 60, drift: drift)
    #expect(heard.count == 60)
    for (number, moment) in heard.enumerated() {
      #expect(abs(moment - Double(number) - 0.5) < 0.0025, "click \(number)")
    }
    // Nor has it gaps, which players would fill with silence.
    for (packet, next) in zip(packets, packets.dropFirst()) {
      let length = packet.duration.convertScale(48_000, method: .roundHalfAwayFromZero)
      let end =
        packet.presentationTimeStamp
        + (format == kAudioFormatLinearPCM
          ? CMTime(value: Int64(packet.numSamples), timescale: 48_000) : length)
      #expect(next.presentationTimeStamp == end)
    }
  }

  @Test("has no steps when it begins to be made longer")
  func isSmooth() throws {
    let format = try CMFormatDescription(audioStreamBasicDescription: TestMovie.stereo(rate: 48_000))
    let wave = (0..<960).map { Int16((10_000 * sin(Double($0 / 2) * 2 * .pi / 48)).rounded()) }
    let encoder = try AudioEncoder(AudioEncoderSettings(formatID: kAudioFormatLinearPCM), source: format)
    var buffers: [CMSampleBuffer] = []
    // 1000 ppm, for half a minute.
    for chunk in 0..<3000 {
      buffers += try encoder.encode(
        CMSampleBuffer(
          data: wave.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format,
          sampleCount: 480, sampleSize: 4,
          timing: CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 48_000),
            presentationTimeStamp: CMTime(value: Int64(chunk) * 10_010, timescale: 1_000_000),
            decodeTimeStamp: .invalid)))
    }
    var samples: [Int16] = []
    for buffer in try buffers + encoder.finish() {
      try buffer.dataBuffer?.dataBytes().withUnsafeBytes { samples += $0.bindMemory(to: Int16.self) }
    }
    #expect(abs(Double(samples.count / 2) / 48_000 - 30.03) < 0.002)
    // The bend of a tone of 1 kHz is its loudness by the square of 2π/48; a click would be many times that.
    let left = stride(from: 0, to: samples.count, by: 2).map { Int(samples[$0]) }
    let bends = zip(zip(left, left.dropFirst()), left.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }
    #expect((150...200).contains(try #require(bends.dropFirst(48).dropLast(48).max())))
  }

  @Test("is not touched as long as its clock is that of the times")
  func exact() throws {
    let encoder = try AudioEncoder(
      AudioEncoderSettings(formatID: kAudioFormatLinearPCM),
      source: #require(TestMovie.tone(from: 0, count: 1).formatDescription))
    var data = Data()
    for chunk in 0..<500 {
      for buffer in try encoder.encode(TestMovie.tone(from: chunk * 480, count: 480)) {
        data += try buffer.dataBuffer?.dataBytes() ?? Data()
      }
    }
    #expect(try data == TestMovie.tone(from: 0, count: 240_000).dataBuffer?.dataBytes().prefix(data.count))
    #expect(data.count > 4 * 238_000)
  }

  @Test("is found at the file's times, where another program wrote packets that are late or early")
  func foreignTimes() throws {
    let encoder = try AudioEncoder(
      AudioEncoderSettings(formatID: kAudioFormatMPEG4AAC),
      source: #require(TestMovie.tone(from: 0, count: 1).formatDescription))
    var packets = try encoder.encode(TestMovie.tone(from: 0, count: 480_000)) + encoder.finish()
    // 2000 ppm slower than they are.
    packets = try packets.enumerated().map { number, packet in
      let time = packet.presentationTimeStamp + CMTime(value: Int64(number) * 2, timescale: 48_000)
      let moved = try CMSampleBuffer(
        copying: packet,
        withNewTiming: [
          CMSampleTimingInfo(
            duration: packet.duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        ])
      return moved
    }
    let decoder = try AudioDecoder(#require(packets[0].formatDescription))
    var place = 0
    for buffer in try packets.flatMap({ try decoder.decode($0) }) {
      let written = Double(place) / 48_000 * (1 + 2.0 / 1024)
      #expect(abs(buffer.presentationTimeStamp.seconds - written) < 0.007)
      place += buffer.numSamples
    }
    #expect(place > 470_000)
  }
}

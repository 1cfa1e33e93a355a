import AVFAudio
import CoreMedia
import Foundation
import FoundationExtras
import Testing

@Suite("AVAudioConverter")
struct AudioConverterTests {
  private func format(
    _ kind: AVAudioCommonFormat, _ rate: Double, _ channels: AVAudioChannelCount, interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved))
  }

  private func buffer(_ format: AVAudioFormat, _ frames: Int) throws -> AVAudioPCMBuffer {
    let made = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    made.frameLength = AVAudioFrameCount(frames)
    return made
  }

  /// A tone in the first channel, its negative in a second one.
  private func tone(_ format: AVAudioFormat, _ frames: Int, hertz: Double = 440) throws -> AVAudioPCMBuffer {
    let made = try buffer(format, frames)
    let channels = try #require(made.floatChannelData)
    for frame in 0..<frames {
      let value = Float(0.5 * sin(2 * .pi * hertz * Double(frame) / format.sampleRate))
      for channel in 0..<Int(format.channelCount) { channels[channel][frame] = channel == 0 ? value : -value }
    }
    return made
  }

  @Test("Samples change their form without a change of their values")
  func samples() throws {
    let from = try format(.pcmFormatFloat32, 48_000, 2)
    let to = try format(.pcmFormatInt16, 48_000, 2, interleaved: true)
    let converter = try #require(AVAudioConverter(from: from, to: to))
    let input = try tone(from, 480)
    let output = try buffer(to, 480)
    try converter.convert(to: output, from: input)
    #expect(output.frameLength == 480)
    let (was, now) = (try #require(input.floatChannelData), try #require(output.int16ChannelData))
    for frame in stride(from: 0, to: 480, by: 7) {
      #expect(abs(Float(now[0][2 * frame]) / 32768 - was[0][frame]) < 0.0001)
      #expect(abs(Float(now[1][2 * frame]) / 32768 - was[1][frame]) < 0.0001)
    }
    #expect(throws: NSError.self) { try converter.convert(to: try buffer(to, 100), from: input) }
  }

  /// All that a converter makes of a buffer, asked for in small parts.
  private func converted(
    _ converter: AVAudioConverter, _ input: AVAudioPCMBuffer, part: Int = 1000
  ) throws -> (samples: [Float], statuses: [AVAudioConverterOutputStatus]) {
    var samples: [Float] = []
    var statuses: [AVAudioConverterOutputStatus] = []
    var given = false
    let source: AVAudioConverterInputBlock = { packets, status in
      #expect(packets > 0)
      if given {
        status.pointee = .endOfStream
        return nil
      }
      given = true
      status.pointee = .haveData
      return input
    }
    while statuses.last != .endOfStream {
      let output = try buffer(converter.outputFormat, part)
      var error: NSError?
      let status = converter.convert(to: output, error: &error, withInputFrom: source)
      #expect(error == nil)
      statuses.append(status)
      let data = try #require(output.floatChannelData)
      samples += (0..<Int(output.frameLength)).map { data[0][$0] }
      if statuses.count > 1000 { break }
    }
    return (samples, statuses)
  }

  @Test(
    "A change of the rate keeps tone, length and beginning",
    arguments: [(44_100.0, 48_000.0), (48_000, 16_000)])
  func rate(from: Double, to: Double) throws {
    let source = try format(.pcmFormatFloat32, from, 1)
    let converter = try #require(AVAudioConverter(from: source, to: try format(.pcmFormatFloat32, to, 1)))
    let (samples, statuses) = try converted(converter, try tone(source, Int(from / 2)))
    #expect(abs(samples.count - Int(to / 2)) <= 2)
    #expect(statuses.dropLast().allSatisfy { $0 == .haveData } && statuses.last == .endOfStream)
    for frame in stride(from: 200, to: samples.count - 400, by: 37) {
      #expect(abs(samples[frame] - Float(0.5 * sin(2 * .pi * 440 * Double(frame) / to))) < 0.01)
    }
    converter.reset()
    #expect(try converted(converter, try tone(source, 1000)).samples.count > 100)
  }

  @Test("An input that has nothing now is asked again at the next call")
  func dry() throws {
    let source = try format(.pcmFormatFloat32, 48_000, 1)
    let converter = try #require(AVAudioConverter(from: source, to: try format(.pcmFormatFloat32, 24_000, 1)))
    let input = try tone(source, 2000)
    let output = try buffer(converter.outputFormat, 4000)
    var isFirst = true
    let status = converter.convert(to: output, error: nil) { _, status in
      defer { isFirst = false }
      status.pointee = isFirst ? .haveData : .noDataNow
      return isFirst ? input : nil
    }
    #expect(status == .inputRanDry)
    #expect((900...1000).contains(output.frameLength))
  }

  @Test("Channels are mapped, mixed where that is asked for, and one goes into all")
  func channels() throws {
    let stereo = try format(.pcmFormatFloat32, 48_000, 2), mono = try format(.pcmFormatFloat32, 48_000, 1)
    let input = try tone(stereo, 100, hertz: 1000)
    let was = try #require(input.floatChannelData)
    let converter = try #require(AVAudioConverter(from: stereo, to: mono))
    let output = try buffer(mono, 100)
    func first(_ change: (AVAudioConverter) -> Void) throws -> Float {
      change(converter)
      try converter.convert(to: output, from: input)
      return try #require(output.floatChannelData)[0][10]
    }
    #expect(try first { _ in } == was[0][10])
    #expect(try first { $0.channelMap = [1] } == was[1][10])
    #expect(try first { $0.channelMap = [-1] } == 0)
    let mixed = try first { $0.downmix = true }
    #expect(abs(mixed) < 0.0001)
    let widening = try #require(AVAudioConverter(from: mono, to: stereo))
    let wide = try buffer(stereo, 100)
    let single = try tone(mono, 100)
    try widening.convert(to: wide, from: single)
    let now = try #require(wide.floatChannelData)
    #expect(now[0][33] == now[1][33] && now[0][33] != 0)
  }

  @Test("Better quality comes closer to the source, and priming shifts what comes out")
  func quality() throws {
    let source = try format(.pcmFormatFloat32, 44_100, 1), target = try format(.pcmFormatFloat32, 48_000, 1)
    func error(_ quality: AVAudioQuality) throws -> Float {
      let converter = try #require(AVAudioConverter(from: source, to: target))
      converter.sampleRateConverterQuality = quality.rawValue
      let samples = try converted(converter, try tone(source, 4410, hertz: 15_000)).samples
      return (500..<4000).map { frame in
        abs(samples[frame] - Float(0.5 * sin(2 * .pi * 15_000 * Double(frame) / 48_000)))
      }.max() ?? 1
    }
    let (best, worst) = (try error(.max), try error(.min))
    #expect(best * 2 < worst)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let reach = converter.primeInfo
    #expect(
      reach.leadingFrames > 0
        && reach
          == AVAudioConverterPrimeInfo(
            leadingFrames: reach.leadingFrames, trailingFrames: reach.leadingFrames)
    )
    let input = try tone(source, 4410)
    let normal = try converted(converter, input).samples
    converter.reset()
    converter.primeMethod = .pre
    let early = try converted(converter, input).samples
    converter.reset()
    converter.primeMethod = .none
    let late = try converted(converter, input).samples
    let shift = Int((Double(reach.leadingFrames) * 48 / 44.1).rounded())
    #expect(abs(normal.count - early.count - shift) <= 1 && abs(late.count - normal.count - shift) <= 2)
    #expect(abs(early[1000] - normal[1000 + shift]) < 0.02)
    let whole = try #require(AVAudioConverter(from: source, to: source))
    #expect(whole.primeInfo.leadingFrames == 0)
  }

  @Test("Dithering adds noise where bits are lost")
  func dither() throws {
    let from = try format(.pcmFormatFloat32, 48_000, 1), to = try format(.pcmFormatInt16, 48_000, 1)
    let quiet = try buffer(from, 1000)
    let data = try #require(quiet.floatChannelData)
    for frame in 0..<1000 { data[0][frame] = 0.4 / 32768 }
    func values(_ dithers: Bool) throws -> Set<Int16> {
      let converter = try #require(AVAudioConverter(from: from, to: to))
      converter.dither = dithers
      let output = try buffer(to, 1000)
      try converter.convert(to: output, from: quiet)
      let now = try #require(output.int16ChannelData)
      return Set((0..<Int(output.frameLength)).map { now[0][$0] })
    }
    #expect(try values(false) == [0])
    #expect(try values(true).count > 1)
  }
}

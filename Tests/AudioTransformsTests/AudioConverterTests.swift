import AudioTransforms
import Testing

@Suite("SoundConverter")
struct AudioConverterTests {
  private func convert(
    _ samples: [Int16], channels: Int = 1, to target: AudioFormat, gains: [Float] = [1, 1]
  ) -> AudioConverter.Output {
    var converter = AudioConverter(inputRate: 48_000, inputChannels: channels, target: target)
    return samples.withUnsafeBufferPointer { converter.convert($0, gains: gains) }
  }

  private let samples: [Int16] = [0, 1, -1, 12_345, .max, .min]

  @Test
  func `integers keep every bit`() {
    let output = convert(samples, to: AudioFormat(rate: 48_000, channels: 1))
    #expect(
      output.bytes == samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    #expect(output.frameCount == 6 && output.offset == 0)
  }

  @Test
  func `wider integers and the other byte order`() {
    let wide = convert([0x1234, -2], to: AudioFormat(rate: 48_000, channels: 1, sample: .integer24))
    #expect(wide.bytes == [0, 0x34, 0x12, 0, 0xFE, 0xFF])
    let big = convert(
      [0x1234, -2], to: AudioFormat(rate: 48_000, channels: 1, sample: .integer32, isBigEndian: true))
    #expect(big.bytes == [0x12, 0x34, 0, 0, 0xFF, 0xFE, 0, 0])
    let narrow = convert([0x1234, .min, .max], to: AudioFormat(rate: 48_000, channels: 1, sample: .integer8))
    #expect(narrow.bytes == [0x12, 0x80, 0x7F])
  }

  @Test
  func `floating-point numbers are between minus one and one`() {
    let output = convert(samples, to: AudioFormat(rate: 48_000, channels: 1, sample: .float32))
    let floats = output.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(floats == samples.map { Float($0) / 32_768 })
    #expect(floats.min() == -1)
  }

  @Test
  func `one channel becomes two equal ones, two their mean`() {
    let two = convert([3, -4], to: AudioFormat(rate: 48_000, channels: 2))
    #expect(two.bytes == [3, 0, 3, 0, 0xFC, 0xFF, 0xFC, 0xFF] && two.frameCount == 2)
    let one = convert([10, 20, -6, -10], channels: 2, to: AudioFormat(rate: 48_000, channels: 1))
    #expect(one.bytes == [15, 0, 0xF8, 0xFF] && one.frameCount == 2)
  }

  @Test
  func `channels that lie apart follow each other`() {
    let output = convert(
      [1, 2, 3, 4], channels: 2, to: AudioFormat(rate: 48_000, channels: 2, isInterleaved: false))
    #expect(output.bytes == [1, 0, 3, 0, 2, 0, 4, 0])
  }

  @Test
  func `each channel has a gain of its own`() {
    let output = convert(
      [100, 100, -100, -100], channels: 2, to: AudioFormat(rate: 48_000, channels: 2), gains: [0.5, 0])
    #expect(output.bytes == [50, 0, 0, 0, 0xCE, 0xFF, 0, 0])
  }

  @Test
  func `another rate says when its samples lie, and loses none`() {
    var converter = AudioConverter(
      inputRate: 48_000, inputChannels: 2, target: AudioFormat(rate: 44_100, channels: 2))
    let stretch = [Int16](repeating: 1000, count: 960)
    var frames = 0
    for index in 0..<100 {
      let output = stretch.withUnsafeBufferPointer { converter.convert($0, gains: [1, 1]) }
      // The samples lie at whole periods of the new rate, counted from the first.
      let begin = Double(index) * 0.01 + output.offset
      #expect(abs(begin - Double(frames) / 44_100) < 1e-9)
      #expect(output.bytes.count == output.frameCount * 4)
      frames += output.frameCount
    }
    #expect((44_070...44_100).contains(frames))
  }
}

@Suite("SoundMeter")
struct AudioMeterTests {
  private func hear(
    _ samples: [Int16], channel: Int = 0, of channels: Int = 1, gain: Float = 1, times: Int = 100
  )
    -> AudioMeter
  {
    var meter = AudioMeter()
    for _ in 0..<times {
      samples.withUnsafeBufferPointer {
        meter.hear($0, channel: channel, of: channels, gain: gain, rate: 48_000)
      }
    }
    return meter
  }

  @Test
  func `a square wave of half the range is six decibels down in both`() {
    let meter = hear((0..<480).map { $0 % 2 == 0 ? 16_384 : -16_384 })
    #expect(abs(meter.averageLevel + 6.0206) < 0.01)
    #expect(abs(meter.peakLevel + 6.0206) < 0.01)
  }

  @Test
  func `silence is the lowest level, and gain counts`() {
    #expect(hear([Int16](repeating: 0, count: 480)).averageLevel == AudioMeter.silence)
    #expect(AudioMeter().peakLevel == AudioMeter.silence)
    let half = hear([Int16](repeating: 16_384, count: 480), gain: 0.5)
    #expect(abs(half.peakLevel + 12.0412) < 0.01)
    #expect(hear([.min, .max], gain: 0).peakLevel == AudioMeter.silence)
  }

  @Test
  func `channels are distinguished`() {
    let samples: [Int16] = (0..<960).map { $0 % 2 == 0 ? 32_767 : 327 }
    #expect(abs(hear(samples, channel: 0, of: 2).averageLevel) < 0.01)
    #expect(abs(hear(samples, channel: 1, of: 2).averageLevel + 40) < 0.1)
  }

  @Test
  func `a peak is held for a second, and the mean is gone by then`() {
    var meter = hear([Int16](repeating: 32_767, count: 480), times: 10)
    let quiet = [Int16](repeating: 33, count: 480)
    func hearQuiet(_ times: Int) {
      for _ in 0..<times {
        quiet.withUnsafeBufferPointer { meter.hear($0, channel: 0, of: 1, gain: 1, rate: 48_000) }
      }
    }
    hearQuiet(99)
    #expect(abs(meter.peakLevel) < 0.01 && meter.averageLevel < -35)
    hearQuiet(3)
    #expect(abs(meter.peakLevel + 60) < 0.2)
  }
}

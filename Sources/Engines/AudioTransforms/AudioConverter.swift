/// Turns a device's sound (interleaved 16-bit integers in the machine's byte order) into another format, stretch by stretch.
///
/// One channel becomes two equal ones, two become their mean. Integers are rounded to the nearest and cut off at full scale,
/// without dither; where only the layout differs no bit changes. Not thread-safe.
package struct AudioConverter {
  /// The output of one buffer.
  package struct Output {
    /// The samples as ``AudioConverter/target`` says, in memory of their own.
    package var bytes: [UInt8]
    /// Samples of one channel.
    package var frameCount: Int
    /// The time of the first of them, in seconds from the first input sample of the buffer; below zero where output had to
    /// wait for this buffer.
    package var offset: Double
  }

  /// Samples of one channel in a second of input.
  package let inputRate: Double
  /// 1 or 2.
  package let inputChannels: Int
  /// The format of the output.
  package let target: AudioFormat
  private var resamplers: [Resampler]

  /// From so many channels at a rate to `target`.
  package init(inputRate: Double, inputChannels: Int, target: AudioFormat) {
    self.inputRate = inputRate
    self.inputChannels = inputChannels
    self.target = target
    let (from, to) = (Int(inputRate.rounded()), Int(target.rate.rounded()))
    resamplers =
      from == to
      ? [] : Array(repeating: Resampler(from: from, to: to), count: target.channels)
  }

  /// Converts one stretch that follows the one before without a gap.
  ///
  /// - Parameters:
  ///   - samples: Interleaved, ``inputChannels`` for each moment.
  ///   - gains: What each input channel is multiplied with.
  package mutating func convert(_ samples: UnsafeBufferPointer<Int16>, gains: [Float]) -> Output {
    let frames = samples.count / inputChannels
    var channels = mixed(samples, frames: frames, gains: gains)
    var offset = 0.0
    if !resamplers.isEmpty {
      offset = resamplers[0].nextPosition / inputRate
      for channel in channels.indices {
        var resampled: [Float] = []
        resampled.reserveCapacity(Int(Double(frames) * target.rate / inputRate) + 2)
        resamplers[channel].process(channels[channel], into: &resampled)
        channels[channel] = resampled
      }
    }
    let count = channels[0].count
    return Output(bytes: packed(channels, count: count), frameCount: count, offset: offset)
  }

  /// The target's channels as numbers between -1 and 1.
  private func mixed(_ samples: UnsafeBufferPointer<Int16>, frames: Int, gains: [Float]) -> [[Float]] {
    let inputs = (0..<inputChannels).map { channel -> [Float] in
      let gain = (gains.indices.contains(channel) ? gains[channel] : 1) / 32768
      return (0..<frames).map { Float(samples[$0 * inputChannels + channel]) * gain }
    }
    if inputs.count == target.channels { return inputs }
    if inputs.count == 1 { return Array(repeating: inputs[0], count: target.channels) }
    return [zip(inputs[0], inputs[1]).map { ($0 + $1) / 2 }]
  }

  private func packed(_ channels: [[Float]], count: Int) -> [UInt8] {
    let size = target.sample.size
    return [UInt8](unsafeUninitializedCapacity: count * target.frameSize) { memory, filled in
      for (channel, samples) in channels.enumerated() {
        var place = target.isInterleaved ? channel * size : channel * count * size
        let step = target.isInterleaved ? target.frameSize : size
        for sample in samples {
          write(bits(of: sample), at: place, into: memory)
          place += step
        }
      }
      filled = count * target.frameSize
    }
  }

  /// The sample's bits at the low end.
  @inline(__always)
  private func bits(of sample: Float) -> UInt32 {
    switch target.sample {
    case .integer8: UInt32(bitPattern: integer(sample, scale: 0x80))
    case .integer16: UInt32(bitPattern: integer(sample, scale: 0x8000))
    case .integer24: UInt32(bitPattern: integer(sample, scale: 0x80_0000))
    case .integer32: UInt32(bitPattern: integer(sample, scale: 0x8000_0000))
    case .float32: sample.bitPattern
    }
  }

  @inline(__always)
  private func integer(_ sample: Float, scale: Double) -> Int32 {
    Int32(max(-scale, min(scale - 1, (Double(sample) * scale).rounded(.toNearestOrEven))))
  }

  @inline(__always)
  private func write(_ bits: UInt32, at place: Int, into memory: UnsafeMutableBufferPointer<UInt8>) {
    let size = target.sample.size
    for byte in 0..<size {
      let shift = UInt32(8 * (target.isBigEndian ? size - 1 - byte : byte))
      memory[place + byte] = UInt8(truncatingIfNeeded: bits >> shift)
    }
  }
}

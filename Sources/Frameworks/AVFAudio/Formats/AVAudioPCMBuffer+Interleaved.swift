extension AVAudioPCMBuffer {
  /// Writes interleaved numbers at the beginning, as the buffer's own samples, and sets its length.
  func write(_ samples: [Float], frames: Int) {
    frameLength = AVAudioFrameCount(frames)
    let channels = Int(format.channelCount)
    let planes = planes(from: 0)
    let isTogether = format.isInterleaved
    func each(_ body: (UnsafeMutableRawPointer, Int, Float) -> Void) {
      for channel in 0..<channels {
        guard let plane = planes[isTogether ? 0 : channel] else { continue }
        for frame in 0..<frames {
          body(plane, isTogether ? frame * channels + channel : frame, samples[frame * channels + channel])
        }
      }
    }
    switch format.commonFormat {
    case .pcmFormatFloat32: each { $0.storeBytes(of: $2, toByteOffset: $1 * 4, as: Float.self) }
    case .pcmFormatFloat64: each { $0.storeBytes(of: Double($2), toByteOffset: $1 * 8, as: Double.self) }
    case .pcmFormatInt16:
      each {
        $0.storeBytes(
          of: Int16((max(-1, min(1, $2)) * 32_767).rounded()), toByteOffset: $1 * 2, as: Int16.self)
      }
    case .pcmFormatInt32:
      each {
        let value = (Double(max(-1, min(1, $2))) * 2_147_483_647).rounded()
        $0.storeBytes(of: Int32(value), toByteOffset: $1 * 4, as: Int32.self)
      }
    case .otherFormat: frameLength = 0
    }
  }

  /// A buffer of interleaved numbers; `nil` when there is no room for it.
  package convenience init?(interleaved samples: [Float], format: AVAudioFormat) {
    let frames = samples.count / max(1, Int(format.channelCount))
    self.init(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames))
    write(samples, frames: frames)
  }

  /// The samples as interleaved numbers.
  package var interleavedSamples: [Float] { interleaved() }

  /// The samples as interleaved numbers.
  func interleaved() -> [Float] {
    let (channels, frames) = (Int(format.channelCount), Int(frameLength))
    var samples = [Float](repeating: 0, count: frames * channels)
    let planes = planes(from: 0)
    let isTogether = format.isInterleaved
    func each(_ read: (UnsafeMutableRawPointer, Int) -> Float) {
      for channel in 0..<channels {
        guard let plane = planes[isTogether ? 0 : channel] else { continue }
        for frame in 0..<frames {
          samples[frame * channels + channel] = read(plane, isTogether ? frame * channels + channel : frame)
        }
      }
    }
    switch format.commonFormat {
    case .pcmFormatFloat32: each { $0.load(fromByteOffset: $1 * 4, as: Float.self) }
    case .pcmFormatFloat64: each { Float($0.load(fromByteOffset: $1 * 8, as: Double.self)) }
    case .pcmFormatInt16: each { Float($0.load(fromByteOffset: $1 * 2, as: Int16.self)) / 32_768 }
    case .pcmFormatInt32: each { Float($0.load(fromByteOffset: $1 * 4, as: Int32.self)) / 2_147_483_648 }
    case .otherFormat: break
    }
    return samples
  }
}

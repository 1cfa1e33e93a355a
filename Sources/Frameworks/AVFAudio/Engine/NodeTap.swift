internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Gathers the audio that passes a node into buffers of one size, and hands them to a block.
final class NodeTap: Sendable {
  private struct State {
    /// Interleaved.
    var waiting: [Float] = []
    var format: AVAudioFormat?
    /// Samples of a channel that were handed over.
    var count: AVAudioFramePosition = 0
    var heardAt: Int64 = 0
    var converter: ChunkConverter?
    var hasEnded = false
  }

  private static let queue = DispatchQueue(label: "obscura.audio-taps", qos: .userInitiated)
  private let size: Int
  private let format: AVAudioFormat?
  private let block: AVAudioNodeTapBlock
  private let state = Locked(State())

  init(size: Int, format: AVAudioFormat?, block: @escaping AVAudioNodeTapBlock) {
    (self.size, self.format, self.block) = (size, format, block)
  }

  static func flush() { queue.sync {} }

  func end() {
    let old = state.withLock { state in
      defer {
        state = State()
        state.hasEnded = true
      }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// Takes audio that passes; called from one thread at a time.
  ///
  /// - Parameter heardAt: When its first moment is heard, in nanoseconds of the machine's clock.
  func hear(_ passing: AVAudioPCMBuffer, heardAt: Int64) {
    let target = format ?? passing.format
    let buffer: AVAudioPCMBuffer
    if target.isEqual(passing.format) {
      buffer = passing
    } else {
      let converter = state.withLock { $0.converter } ?? ChunkConverter(passing.format, target)
      state.withLock { $0.converter = converter }
      guard let converted = converter?.convert(passing) else { return }
      buffer = converted
    }
    let samples = buffer.interleaved()
    let channels = Int(target.channelCount)
    let ready = state.withLock { state -> [(samples: [Float], count: AVAudioFramePosition, heardAt: Int64)] in
      guard !state.hasEnded else { return [] }
      if state.waiting.isEmpty { state.heardAt = heardAt }
      state.waiting += samples
      var ready: [(samples: [Float], count: AVAudioFramePosition, heardAt: Int64)] = []
      while state.waiting.count >= size * channels {
        ready.append((Array(state.waiting.prefix(size * channels)), state.count, state.heardAt))
        state.waiting.removeFirst(size * channels)
        state.count += AVAudioFramePosition(size)
        state.heardAt += Int64(Double(size) / target.sampleRate * 1e9)
      }
      return ready
    }
    guard !ready.isEmpty else { return }
    let hold = InFlight.hold()
    Self.queue.async { [self] in
      InFlight.run(under: hold) {
        for part in ready {
          guard !state.withLock({ $0.hasEnded }),
            let buffer = AVAudioPCMBuffer(pcmFormat: target, frameCapacity: AVAudioFrameCount(size))
          else { continue }
          buffer.write(part.samples, frames: size)
          block(
            buffer,
            AVAudioTime(
              hostTime: UInt64(max(0, part.heardAt)), sampleTime: part.count, atRate: target.sampleRate))
        }
      }
    }
  }
}

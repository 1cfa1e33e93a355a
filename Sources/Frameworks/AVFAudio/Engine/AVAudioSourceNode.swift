public import CoreMedia
public import Foundation
public import FoundationExtras
internal import Linux

/// Makes audio: says whether it is silence, when it is heard, how many samples are wanted, and where they go.
public typealias AVAudioSourceNodeRenderBlock = (
  _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>,
  _ frameCount: AVAudioFrameCount, _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A node whose audio a block makes.
///
/// The block is called on the engine's thread, which it must not keep waiting. Apple: `AVAudioSourceNode`.
public final class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  // Safe: locked state, and a block that one thread calls at a time.
  private struct State {
    var mixing = MixingFacts()
    var count: AVAudioFramePosition = 0
  }

  private let block: AVAudioSourceNodeRenderBlock
  private let format: AVAudioFormat?
  private let state = Locked(State())

  /// A node that makes audio in the format of its connection.
  ///
  /// Apple: `AVAudioSourceNode.init(renderBlock:)`.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    (self.block, format) = (block, nil)
    super.init()
  }

  /// A node that makes audio in a format of its own, which is converted to that of its connection.
  ///
  /// Apple: `AVAudioSourceNode.init(format:renderBlock:)`.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    (self.block, self.format) = (block, format)
    super.init()
  }

  /// How loud it is mixed, 0 to 1; 1 at first.
  public var volume: Float {
    get { state.withLock { $0.mixing.volume } }
    set { state.withLock { $0.mixing.volume = max(0, newValue) } }
  }

  /// Where it is heard, from -1 on the left to 1 on the right; 0 at first.
  public var pan: Float {
    get { state.withLock { $0.mixing.pan } }
    set { state.withLock { $0.mixing.pan = max(-1, min(1, newValue)) } }
  }

  private let converter = Locked<PullConverter?>(nil)

  override func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? {
    let outer = outputFormat(forBus: 0)
    let inner = format ?? outer
    var converter = self.converter.withLock { $0 }
    if converter?.serves(inner, outer) != true {
      converter = PullConverter(inner, outer)
      let old = self.converter.withLock { kept in
        defer { kept = converter }
        return kept
      }
      withExtendedLifetime(old) {}
    }
    return converter?.pull(frames, heardAt: heardAt) { count, time in make(count, time, inner) }
  }

  private func make(_ frames: AVAudioFrameCount, _ heardAt: Int64, _ format: AVAudioFormat)
    -> AVAudioPCMBuffer?
  {
    guard let buffer = RenderPass.silence(frames, format) else { return nil }
    let count = state.withLock { state in
      defer { state.count += AVAudioFramePosition(frames) }
      return state.count
    }
    let time = AVAudioTime(hostTime: UInt64(max(0, heardAt)), sampleTime: count, atRate: format.sampleRate)
    noteRender(time)
    var stamp = time.audioTimeStamp
    var isSilent = ObjCBool(false)
    let status = block(&isSilent, &stamp, frames, buffer.mutableAudioBufferList)
    return status == noErr && !isSilent.boolValue ? buffer : nil
  }
}

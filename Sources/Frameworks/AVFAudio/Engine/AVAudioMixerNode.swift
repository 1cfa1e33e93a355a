internal import Foundation
internal import Linux

/// What a node that is mixed says of its loudness and its place.
///
/// Apple: `AVAudioMixing`.
public protocol AVAudioMixing: AnyObject {
  /// How loud it is mixed, 0 to 1; 1 at first.
  ///
  /// Apple: `AVAudioMixing.volume`.
  var volume: Float { get set }
  /// Where it is heard, from -1 on the left to 1 on the right; 0 at first.
  ///
  /// Apple: `AVAudioMixing.pan`.
  var pan: Float { get set }
}

/// The loudness and place of a node, thread-safe.
struct MixingFacts: Sendable {
  var volume: Float = 1
  var pan: Float = 0

  /// The factors of the left and the right channel; louder in the middle of the way by no more than at its ends.
  var gains: (left: Float, right: Float) {
    let (left, right) = (min(1, 1 - pan), min(1, 1 + pan))
    return (volume * left, volume * right)
  }
}

/// Mixes its inputs into one output, and converts their rates and channels.
///
/// Apple: `AVAudioMixerNode`.
public final class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {  // Safe: locked state.
  private struct State {
    var outputVolume: Float = 1
    var mixing = MixingFacts()
    var converters: [AVAudioNodeBus: PullConverter] = [:]
  }

  private let state = Locked(State())

  /// A mixer without inputs.
  ///
  /// Apple: `AVAudioMixerNode.init()`.
  public override init() {
    super.init()
  }

  /// As many as are connected, and one more.
  public override var numberOfInputs: Int { nextAvailableInputBus + 1 }

  /// The first input that is not connected.
  ///
  /// Apple: `AVAudioMixerNode.nextAvailableInputBus`.
  public var nextAvailableInputBus: AVAudioNodeBus { engine?.freeInput(of: self) ?? 0 }

  /// How loud the mix is, 0 to 1; 1 at first.
  ///
  /// Apple: `AVAudioMixerNode.outputVolume`.
  public var outputVolume: Float {
    get { state.withLock { $0.outputVolume } }
    set { state.withLock { $0.outputVolume = max(0, newValue) } }
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

  public override func reset() {
    let old = state.withLock { state in
      defer { state.converters = [:] }
      return state.converters
    }
    withExtendedLifetime(old) {}
  }

  override func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? {
    let format = outputFormat(forBus: 0)
    guard let output = RenderPass.silence(frames, format), let mix = output.floatChannelData else {
      return nil
    }
    let volume = outputVolume
    for line in pass.inputs(of: self) {
      let converter = converter(line, format)
      guard
        let heard = converter.pull(
          frames, heardAt: heardAt, { count, time in pass.pull(line, count, heardAt: time) }),
        let samples = heard.floatChannelData
      else { continue }
      var facts = MixingFacts()
      if let source = line.source as? any AVAudioMixing {
        (facts.volume, facts.pan) = (source.volume, source.pan)
      }
      let gains = facts.gains
      for channel in 0..<Int(format.channelCount) {
        let isStereo = format.channelCount == 2
        let gain =
          volume * (isStereo ? channel == 0 ? gains.left : gains.right : max(gains.left, gains.right))
        let step = mixStride(format)
        for frame in 0..<Int(frames) { mix[channel][frame * step] += gain * samples[channel][frame * step] }
      }
    }
    noteRender(AVAudioTime(hostTime: UInt64(max(0, heardAt))))
    return output
  }

  private func mixStride(_ format: AVAudioFormat) -> Int {
    format.isInterleaved ? Int(format.channelCount) : 1
  }

  private func converter(_ line: RenderPass.Connection, _ format: AVAudioFormat) -> PullConverter {
    let kept = state.withLock { $0.converters[line.targetBus] }
    if let kept, kept.serves(line.format, format) { return kept }
    let made = PullConverter(line.format, format)
    let old = state.withLock { $0.converters.updateValue(made, forKey: line.targetBus) }
    return withExtendedLifetime(old) { made }
  }
}

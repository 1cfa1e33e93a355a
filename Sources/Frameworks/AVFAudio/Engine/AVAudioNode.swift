public import Foundation
internal import FoundationExtras
internal import Linux

/// The number of a node's input or output.
public typealias AVAudioNodeBus = Int
/// Gets the audio that passes a node: a buffer, and when its first sample is heard.
public typealias AVAudioNodeTapBlock = @Sendable (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void

/// A part of an ``AVAudioEngine``: it makes, changes or takes audio.
///
/// Thread-safe. Apple: `AVAudioNode`.
open class AVAudioNode: NSObject, @unchecked Sendable {  // Safe: locked state.
  private struct State {
    weak var engine: AVAudioEngine?
    var inputs: [AVAudioNodeBus: AVAudioFormat] = [:]
    var outputs: [AVAudioNodeBus: AVAudioFormat] = [:]
    var taps: [AVAudioNodeBus: NodeTap] = [:]
    var lastRender: AVAudioTime?
  }

  private let state = Locked(State())

  override init() {
    super.init()
  }

  /// The engine to which it is attached; `nil` for none.
  ///
  /// Apple: `AVAudioNode.engine`.
  public var engine: AVAudioEngine? { state.withLock { $0.engine } }

  func setEngine(_ engine: AVAudioEngine?) {
    let old = state.withLock { state in
      defer { state.engine = engine }
      return state.engine
    }
    withExtendedLifetime(old) {}
  }

  /// How many inputs it has.
  ///
  /// Apple: `AVAudioNode.numberOfInputs`.
  public var numberOfInputs: Int { 0 }

  /// How many outputs it has.
  ///
  /// Apple: `AVAudioNode.numberOfOutputs`.
  public var numberOfOutputs: Int { 1 }

  /// The format that an input takes: that of its connection, or 44.1 kHz stereo before it has one.
  ///
  /// Apple: `AVAudioNode.inputFormat(forBus:)`.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    state.withLock { $0.inputs[bus] } ?? Self.usual
  }

  /// The format that an output gives: that of its connection, or 44.1 kHz stereo before it has one.
  ///
  /// Apple: `AVAudioNode.outputFormat(forBus:)`.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    state.withLock { $0.outputs[bus] } ?? Self.usual
  }

  private static let usual =
    AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) ?? AVAudioFormat(noneWith: nil)

  func setInputFormat(_ format: AVAudioFormat, _ bus: AVAudioNodeBus) {
    let old = state.withLock { $0.inputs.updateValue(format, forKey: bus) }
    withExtendedLifetime(old) {}
  }

  func setOutputFormat(_ format: AVAudioFormat, _ bus: AVAudioNodeBus) {
    let old = state.withLock { $0.outputs.updateValue(format, forKey: bus) }
    withExtendedLifetime(old) {}
  }

  /// Forgets audio that waits inside.
  ///
  /// Apple: `AVAudioNode.reset()`.
  open func reset() {}

  /// When it was last asked for audio; `nil` while the engine does not run.
  ///
  /// Apple: `AVAudioNode.lastRenderTime`.
  public var lastRenderTime: AVAudioTime? {
    let (time, engine) = state.withLock { ($0.lastRender, $0.engine) }
    return engine?.isRunning == true ? time : nil
  }

  func noteRender(_ time: AVAudioTime?) {
    let old = state.withLock { state in
      defer { state.lastRender = time }
      return state.lastRender
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Rendering

  /// Makes audio in the output's format; called on the engine's thread.
  ///
  /// - Parameter heardAt: When the first moment is heard, in nanoseconds of the machine's clock.
  /// - Returns: As many moments as are asked for; `nil` for silence.
  func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? { nil }

  /// What is called before an engine renders and after it has stopped.
  func engineDidStart() {}
  func engineDidStop() {}

  // MARK: Taps

  /// Has a block get the audio of an output, while the engine runs and the node is asked for audio; of the input node, all that comes.
  ///
  /// A second tap on an output, and a buffer of no samples, are programming mistakes.
  ///
  /// - Parameters:
  ///   - bufferSize: Samples of a channel in each buffer.
  ///   - format: The format of the buffers; `nil` for the output's own.
  ///   - tapBlock: Called on a queue of the engine's, one buffer after the other.
  ///
  /// Apple: `AVAudioNode.installTap(onBus:bufferSize:format:block:)`.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    guard bufferSize > 0 else {
      ProgrammingMistake.report(rule: "A tap's buffers hold one sample at least.")
      return
    }
    let tap = NodeTap(size: Int(bufferSize), format: format, block: tapBlock)
    let isNew = state.withLock { state in
      guard state.taps[bus] == nil else { return false }
      state.taps[bus] = tap
      return true
    }
    guard isNew else {
      ProgrammingMistake.report(
        rule: "An output of a node takes one tap; remove the one that is there first.")
      return
    }
    tapsChanged()
  }

  /// Takes the tap of an output away.
  ///
  /// Apple: `AVAudioNode.removeTap(onBus:)`.
  public func removeTap(onBus bus: AVAudioNodeBus) {
    let old = state.withLock { $0.taps.removeValue(forKey: bus) }
    old?.end()
    tapsChanged()
  }

  /// Waits until the buffers that taps have heard are handed over.
  package static func flushTaps() { NodeTap.flush() }

  func tap(_ bus: AVAudioNodeBus) -> NodeTap? { state.withLock { $0.taps[bus] } }
  func tapsChanged() {}
}

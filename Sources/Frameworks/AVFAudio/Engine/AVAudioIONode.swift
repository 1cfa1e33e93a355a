public import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A node at the edge of an engine: its input or its output.
///
/// Apple: `AVAudioIONode`.
public class AVAudioIONode: AVAudioNode, @unchecked Sendable {}  // Safe: as the class above.

/// The end of an engine, whose audio is heard.
///
/// Apple: `AVAudioOutputNode`.
public final class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {  // Safe: locked.
  private let converter = Locked<PullConverter?>(nil)

  public override var numberOfInputs: Int { 1 }

  /// The hardware's format: stereo at 48 kHz; that of manual rendering while it is on.
  public override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    engine?.renderedFormat ?? super.outputFormat(forBus: bus)
  }

  override func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? {
    guard let line = pass.inputs(of: self).first else { return nil }
    let format = outputFormat(forBus: 0)
    var converter = self.converter.withLock { $0 }
    if converter?.serves(line.format, format) != true {
      converter = PullConverter(line.format, format)
      let old = self.converter.withLock { kept in
        defer { kept = converter }
        return kept
      }
      withExtendedLifetime(old) {}
    }
    noteRender(AVAudioTime(hostTime: UInt64(max(0, heardAt))))
    return converter?.pull(frames, heardAt: heardAt) { count, time in pass.pull(line, count, heardAt: time) }
  }
}

/// Where an engine's input gets its audio from: a microphone.
package protocol AudioInputSource: AnyObject, Sendable {
  /// The format of the audio; `nil` without a microphone.
  var format: (rate: Double, channels: Int)? { get }
  /// Begins.
  ///
  /// - Parameters:
  ///   - receive: Gets interleaved samples in that format, and when the first was heard, in nanoseconds of the machine's clock;
  ///   called on one thread at a time.
  ///   - lost: Called once when the microphone is gone, with why.
  /// - Throws: Why the microphone cannot be used, in a sentence.
  func start(
    _ receive: @escaping @Sendable (_ samples: [Float], _ heardAt: Int64) -> Void,
    lost: @escaping @Sendable (any Error) -> Void
  ) throws
  /// Ends.
  func stop()
}

/// Gives so many samples for an engine's input; the memory stays until the block is called again.
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount) -> UnsafePointer<
  AudioBufferList
>?

/// A client's block that gives the input of manual rendering.
private final class ManualInput: @unchecked Sendable {  // Safe because one thread renders at a time.
  let format: AVAudioFormat
  private let block: AVAudioIONodeInputBlock

  init(block: @escaping AVAudioIONodeInputBlock, format: AVAudioFormat) {
    (self.block, self.format) = (block, format)
  }

  func buffer(_ frames: AVAudioFrameCount) -> AVAudioPCMBuffer? {
    guard let given = block(frames), let buffer = RenderPass.silence(frames, format) else { return nil }
    let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: given))
    let target = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    for (from, to) in zip(source, target) {
      guard let bytes = from.mData, let room = to.mData else { continue }
      room.copyMemory(from: bytes, byteCount: Int(min(from.mDataByteSize, to.mDataByteSize)))
    }
    return buffer
  }
}

/// The beginning of an engine: what the microphone hears.
///
/// A tap on it gets all that comes. Apple: `AVAudioInputNode`.
public final class AVAudioInputNode: AVAudioIONode, @unchecked Sendable {  // Safe: locked state.
  private struct State {
    /// Interleaved.
    var waiting: [Float] = []
    var manual: ManualInput?
  }

  /// Audio that waits to be pulled is as much as this: half a second.
  private static let mostSeconds = 0.5
  private let source: any AudioInputSource
  private let state = Locked(State())

  init(_ source: any AudioInputSource) {
    self.source = source
  }

  public override var numberOfInputs: Int { 1 }

  /// The format of the microphone; no rate and no channels without one.
  public override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

  /// The format of the microphone; no rate and no channels without one.
  public override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    if let manual = state.withLock({ $0.manual }) { return manual.format }
    guard let format = source.format,
      let made = AVAudioFormat(
        standardFormatWithSampleRate: format.rate, channels: AVAudioChannelCount(format.channels))
    else { return AVAudioFormat(noneWith: nil) }
    return made
  }

  /// Gives the audio that an engine takes while it renders by hand.
  ///
  /// - Parameter block: Gives so many samples in that format, whose memory stays until it is called again; `nil` where it has none.
  /// - Returns: Whether the engine renders by hand.
  ///
  /// Apple: `AVAudioInputNode.setManualRenderingInputPCMFormat(_:inputBlock:)`.
  public func setManualRenderingInputPCMFormat(
    _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
  ) -> Bool {
    guard engine?.isInManualRenderingMode == true else { return false }
    let give = ManualInput(block: block, format: format)
    let old = state.withLock { state in
      defer { state.manual = give }
      return state.manual
    }
    return withExtendedLifetime(old) { true }
  }

  /// Begins to listen.
  func begin(lost: @escaping @Sendable () -> Void) throws {
    guard source.format != nil else {
      throw AVAudioFile.error(
        AVAudioEngine.cannotStart, "There is no microphone that the engine's input could listen to.")
    }
    try source.start(
      { [weak self] samples, heardAt in self?.receive(samples, heardAt) }, lost: { _ in lost() })
  }

  func end() {
    source.stop()
    state.withLock { $0.waiting = [] }
  }

  private func receive(_ samples: [Float], _ heardAt: Int64) {
    let format = outputFormat(forBus: 0)
    let channels = Int(format.channelCount)
    guard channels > 0 else { return }
    if let tap = tap(0),
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count / channels))
    {
      buffer.write(samples, frames: samples.count / channels)
      tap.hear(buffer, heardAt: heardAt)
    }
    noteRender(AVAudioTime(hostTime: UInt64(max(0, heardAt))))
    let most = Int(format.sampleRate * Self.mostSeconds) * channels
    state.withLock { state in
      state.waiting += samples
      if state.waiting.count > most { state.waiting.removeFirst(state.waiting.count - most) }
    }
  }

  override func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? {
    if let manual = state.withLock({ $0.manual }) { return manual.buffer(frames) }
    let format = outputFormat(forBus: 0)
    let channels = Int(format.channelCount)
    guard channels > 0, let buffer = RenderPass.silence(frames, format) else { return nil }
    var samples = state.withLock { state in
      let count = min(state.waiting.count, Int(frames) * channels)
      defer { state.waiting.removeFirst(count) }
      return Array(state.waiting.prefix(count))
    }
    samples += [Float](repeating: 0, count: Int(frames) * channels - samples.count)
    buffer.write(samples, frames: Int(frames))
    return buffer
  }
}

internal import Foundation
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// How a scheduled buffer behaves toward others.
///
/// Apple: `AVAudioPlayerNodeBufferOptions`.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  /// The option bits, with Apple's values.
  public let rawValue: UInt

  /// The options with these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// It is played over and over, until another one interrupts it.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
  /// It takes the place of all that is scheduled.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
  /// It takes the place of a buffer that loops, at the end of its turn.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// When the closure of scheduled audio is called.
///
/// Apple: `AVAudioPlayerNodeCompletionCallbackType`.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The node has taken all of it: the buffer may be used anew.
  case dataConsumed = 0
  /// It has left the node.
  case dataRendered = 1
  /// It has been heard.
  case dataPlayedBack = 2
}

/// Is called when scheduled audio is done, or was taken back; the type says how far it came.
public typealias AVAudioPlayerNodeCompletionHandler =
  @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// A node that plays buffers and files, one behind the other or at their times.
///
/// Thread-safe; closures are called on a queue of the engine's. Apple: `AVAudioPlayerNode`.
public final class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {  // Safe: locked.
  let player = Locked(PlayerQueue())
  private let mixing = Locked(MixingFacts())
  static let queue = DispatchQueue(label: "obscura.audio-players", qos: .userInitiated)

  /// A player without audio.
  ///
  /// Apple: `AVAudioPlayerNode.init()`.
  public override init() {
    super.init()
  }

  /// How loud it is mixed, 0 to 1; 1 at first.
  public var volume: Float {
    get { mixing.withLock { $0.volume } }
    set { mixing.withLock { $0.volume = max(0, newValue) } }
  }

  /// Where it is heard, from -1 on the left to 1 on the right; 0 at first.
  public var pan: Float {
    get { mixing.withLock { $0.pan } }
    set { mixing.withLock { $0.pan = max(-1, min(1, newValue)) } }
  }

  // MARK: Playing

  /// Whether it plays, or would if there were audio.
  ///
  /// Apple: `AVAudioPlayerNode.isPlaying`.
  public var isPlaying: Bool { player.withLock { $0.isPlaying } }

  /// Plays what is scheduled; before the engine runs it is a programming mistake without effect.
  ///
  /// Apple: `AVAudioPlayerNode.play()`.
  public func play() { play(at: nil) }

  /// Plays what is scheduled, from a moment of the host clock on.
  ///
  /// Apple: `AVAudioPlayerNode.play(at:)`.
  public func play(at when: AVAudioTime?) {
    guard let engine, engine.isRunning else {
      ProgrammingMistake.report(
        rule: "A player plays once it is attached to an engine that runs; call start() first.")
      return
    }
    player.withLock { player in
      player.isPlaying = true
      player.startsAt = when.flatMap { $0.isHostTimeValid ? Int64($0.hostTime) : nil }
    }
  }

  /// Stands still, until it plays on.
  ///
  /// Apple: `AVAudioPlayerNode.pause()`.
  public func pause() { player.withLock { $0.isPlaying = false } }

  /// Ends, and takes back what is scheduled; its closures are called.
  ///
  /// Apple: `AVAudioPlayerNode.stop()`.
  public func stop() {
    let old = player.withLock { player in
      defer { player.clear() }
      return player
    }
    call(old.items.compactMap(\.done) + old.unheard.map(\.done))
  }

  public override func reset() { stop() }

  /// A moment of this node's rendering as a moment of what it plays; `nil` while it does not play.
  ///
  /// Apple: `AVAudioPlayerNode.playerTime(forNodeTime:)`.
  public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
    let (isPlaying, count, first) = player.withLock { ($0.isPlaying, $0.rendered, $0.played) }
    guard isPlaying, nodeTime.isSampleTimeValid else { return nil }
    let apart = nodeTime.sampleTime - count
    return nodeTime.isHostTimeValid
      ? AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: first + apart, atRate: nodeTime.sampleRate)
      : AVAudioTime(sampleTime: first + apart, atRate: nodeTime.sampleRate)
  }

  /// A moment of what it plays as a moment of its rendering; `nil` while it does not play.
  ///
  /// Apple: `AVAudioPlayerNode.nodeTime(forPlayerTime:)`.
  public func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    let (isPlaying, count, first) = player.withLock { ($0.isPlaying, $0.rendered, $0.played) }
    guard isPlaying, playerTime.isSampleTimeValid else { return nil }
    return AVAudioTime(sampleTime: playerTime.sampleTime - first + count, atRate: playerTime.sampleRate)
  }

  // MARK: Rendering

  override func render(
    _ frames: AVAudioFrameCount, heardAt: Int64, bus: AVAudioNodeBus, _ pass: RenderPass
  ) -> AVAudioPCMBuffer? {
    let format = outputFormat(forBus: 0)
    // Taken out and put back, so that files are read under no lock; one thread renders at a time.
    let (isPlaying, count) = player.withLock { player in
      (player.isPlaying && (player.startsAt ?? .min) <= heardAt, player.rendered)
    }
    noteRender(
      AVAudioTime(hostTime: UInt64(max(0, heardAt)), sampleTime: count, atRate: format.sampleRate))
    var buffer: AVAudioPCMBuffer?
    if isPlaying {
      let samples = take(Int(frames), format, heardAt)
      buffer = RenderPass.silence(frames, format)
      buffer?.write(samples, frames: Int(frames))
    }
    let heard = player.withLock { player -> [@Sendable () -> Void] in
      player.rendered += AVAudioFramePosition(frames)
      defer { player.unheard.removeAll { $0.at <= heardAt } }
      return player.unheard.filter { $0.at <= heardAt }.map(\.done)
    }
    call(heard)
    return buffer
  }

  /// The next samples of what is scheduled, interleaved; silence where there is nothing.
  private func take(_ frames: Int, _ format: AVAudioFormat, _ heardAt: Int64) -> [Float] {
    let channels = Int(format.channelCount)
    var samples = [Float](repeating: 0, count: frames * channels)
    var done = 0
    while done < frames {
      let step = player.withLock { $0.next(frames - done) }
      switch step {
      case .nothing:
        player.withLock { $0.played += AVAudioFramePosition(frames - done) }
        return samples
      case .silence(let count):
        player.withLock { $0.played += AVAudioFramePosition(count) }
        done += count
      case .item(let item, let count):
        let part = item.source.read(from: item.place, frames: count, format)
        let got = part.count / channels
        samples.replaceSubrange(done * channels..<done * channels + part.count, with: part)
        let end = heardAt + Int64(Double(done + got) / format.sampleRate * 1e9)
        let finished = player.withLock { $0.advance(item, by: got, isOver: got < count, heardAt: end) }
        call(finished)
        done += got
      }
    }
    return samples
  }

  /// Waits until the closures that are due have returned.
  package static func flush() { queue.sync {} }

  /// Calls closures of a client's, one behind the other.
  func call(_ closures: [@Sendable () -> Void]) {
    guard !closures.isEmpty else { return }
    let hold = InFlight.hold()
    Self.queue.async { InFlight.run(under: hold) { for closure in closures { closure() } } }
  }
}

internal import AVFAudio
internal import AVFCore
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// One recording of an audio recorder: its microphone, its file, and how far it is.
///
/// Thread-safe; audio is written on a queue of its own.
final class RecorderTake: @unchecked Sendable {  // Safe: locked state, and what `queue` alone reaches.
  private struct State {
    var isRecording = false
    var isOpen = false
    /// When it begins and how many seconds it takes.
    var startsAt: Int64?
    var most: Double?
    var frames: AVAudioFramePosition = 0
    var measured: AudioLevels
    var onEnd: @Sendable ((any Error)?, Bool) -> Void = { _, _ in }
  }

  private let url: URL
  private let settings: [String: Any]
  private let rate: Double
  private let input = CaptureAudioInput()
  private let queue = DispatchQueue(label: "obscura.audio-recorder", qos: .userInitiated)
  private let state: Locked<State>
  private var file: AVAudioFile?
  private var converter: ChunkConverter?
  private var source: AVAudioFormat?

  init(_ url: URL, _ settings: [String: Any], _ format: AVAudioFormat) {
    (self.url, self.settings, rate) = (url, settings, format.sampleRate)
    state = Locked(State(measured: AudioLevels(channels: Int(format.channelCount))))
  }

  /// The format of settings, tried on a file of the same extension that is nowhere.
  static func checked(_ url: URL, _ settings: [String: Any]) throws -> AVAudioFormat {
    try AVAudioFile.format(ofWriting: url, settings: settings)
  }

  var onEnd: @Sendable ((any Error)?, Bool) -> Void {
    get { state.withLock { $0.onEnd } }
    set { state.withLock { $0.onEnd = newValue } }
  }
  var isRecording: Bool { state.withLock { $0.isRecording } }
  var isOpen: Bool { state.withLock { $0.isOpen } }
  var seconds: TimeInterval { state.withLock { $0.isOpen ? Double($0.frames) / rate : 0 } }
  var levels: [AudioLevel] { state.withLock { $0.measured.levels } }

  func prepare() -> Bool {
    queue.sync {
      if file != nil { return true }
      guard let made = try? AVAudioFile(forWriting: url, settings: settings) else { return false }
      file = made
      state.withLock { ($0.isOpen, $0.frames) = (true, 0) }
      return true
    }
  }

  func record(at seconds: TimeInterval?, for duration: TimeInterval?) -> Bool {
    // Without a microphone a file that is there stays.
    guard isOpen || input.format != nil, prepare() else { return false }
    let starts = state.withLock { state in
      state.startsAt = seconds.map { Int64($0 * 1e9) }
      state.most = duration
      defer { state.isRecording = true }
      return !state.isRecording
    }
    guard starts else { return true }
    do {
      try input.start(
        { [weak self] samples, heardAt in self?.receive(samples, heardAt) },
        lost: { [weak self] _ in self?.finish(nil, isWhole: false) })
      return true
    } catch {
      state.withLock { $0.isRecording = false }
      return false
    }
  }

  func pause() {
    state.withLock { $0.isRecording = false }
    input.stop()
  }

  func stop() {
    guard isOpen else { return }
    input.stop()
    finish(nil, isWhole: true)
  }

  /// Ends without a word, for a recorder that is let go of.
  func end() {
    input.stop()
    state.withLock { $0.onEnd = { _, _ in } }
    finish(nil, isWhole: true)
  }

  /// Completes the file, once; what ends it by itself comes here from another thread.
  private func finish(_ error: (any Error)?, isWhole: Bool) {
    let wasOpen = state.withLock { state in
      defer { (state.isRecording, state.isOpen) = (false, false) }
      return state.isOpen
    }
    guard wasOpen else { return }
    let failure = queue.sync { () -> (any Error)? in
      defer { (file, converter, source) = (nil, nil, nil) }
      do { try file?.finish() } catch { return error }
      return nil
    }
    onEnd(error ?? failure, isWhole && failure == nil)
  }

  private func receive(_ samples: [Float], _ heardAt: Int64) {
    guard case .ended(let error) = queue.sync(execute: { write(samples, heardAt) }) else { return }
    // The microphone is not stopped on its own queue.
    let hold = InFlight.hold()
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      InFlight.run(under: hold) {
        input.stop()
        finish(error, isWhole: error == nil)
      }
    }
  }

  /// What became of a recording with a piece of audio.
  private enum Outcome {
    case goesOn
    /// By its duration, or by an error.
    case ended((any Error)?)
  }

  /// Writes a piece; on `queue`.
  private func write(_ samples: [Float], _ heardAt: Int64) -> Outcome {
    guard let file, let format = input.format else { return .goesOn }
    let state = self.state.withLock { $0 }
    guard state.isRecording, (state.startsAt ?? .min) <= heardAt else { return .goesOn }
    do {
      guard let piece = buffer(samples, format, file.processingFormat) else { return .goesOn }
      let most = state.most.map { AVAudioFramePosition(($0 * rate).rounded()) - state.frames }
      if let most, AVAudioFramePosition(piece.frameLength) > most {
        piece.frameLength = AVAudioFrameCount(max(0, most))
      }
      try file.write(from: piece)
      let heard = piece.interleavedSamples
      self.state.withLock { state in
        state.frames += AVAudioFramePosition(piece.frameLength)
        state.measured.hear(heard, rate: rate)
      }
      let isOver = most.map { $0 <= AVAudioFramePosition(piece.frameLength) } ?? false
      return isOver ? .ended(nil) : .goesOn
    } catch {
      return .ended(error)
    }
  }

  private func buffer(
    _ samples: [Float], _ format: (rate: Double, channels: Int), _ target: AVAudioFormat
  ) -> AVAudioPCMBuffer? {
    if source == nil || source?.sampleRate != format.rate || Int(source?.channelCount ?? 0) != format.channels
    {
      source = AVAudioFormat(
        standardFormatWithSampleRate: format.rate, channels: AVAudioChannelCount(format.channels))
      converter = source.flatMap { ChunkConverter($0, target) }
    }
    guard let source,
      let piece = AVAudioPCMBuffer(interleaved: samples, format: source)
    else { return nil }
    return source.isEqual(target) ? piece : converter?.convert(piece)
  }
}

internal import CoreMedia
internal import Linux

/// Keeps a writer's inputs close together in time: what is shown together lies side by side in the file.
///
/// Only pictures and audio wait, for each other: other media is small, and may be silent for long. Live sources bring what they bring.
/// Thread-safe.
final class Interleaving: Sendable {
  /// How much further than the slowest input another may be, in seconds.
  static let lead = 1.0

  private struct State {
    var start: CMTime?
    /// How far those inputs are that are not finished, in seconds from the session's start; 0 before their first sample.
    var ends: [ObjectIdentifier: Double] = [:]
  }

  private let state = Locked(State())

  /// An input will bring samples.
  func join(_ input: AVAssetWriterInput) {
    guard [.video, .audio].contains(input.mediaType), !input.expectsMediaDataInRealTime else { return }
    state.withLock { $0.ends[ObjectIdentifier(input)] = 0 }
  }

  /// The session begins at a time of the samples.
  func begin(at time: CMTime) { state.withLock { $0.start = time } }

  /// An input has brought a sample.
  func note(_ sample: CMSampleBuffer, of input: AVAssetWriterInput) {
    let duration = sample.duration
    let end = duration.isNumeric ? sample.presentationTimeStamp + duration : sample.presentationTimeStamp
    guard end.isNumeric else { return }
    state.withLock { state in
      guard let start = state.start else { return }
      let key = ObjectIdentifier(input)
      guard let known = state.ends[key] else { return }
      state.ends[key] = max((end - start).seconds, known)
    }
  }

  /// An input brings nothing more.
  func leave(_ input: AVAssetWriterInput) {
    state.withLock { _ = $0.ends.removeValue(forKey: ObjectIdentifier(input)) }
  }

  /// Whether an input may bring more before others do.
  func mayGoOn(_ input: AVAssetWriterInput) -> Bool {
    state.withLock { state in
      let key = ObjectIdentifier(input)
      guard let own = state.ends[key] else { return true }
      return state.ends.allSatisfy { $0.key == key || own < $0.value + Self.lead }
    }
  }
}

extension AVAssetWriter {
  /// Lets the inputs beside one notice whether they may go on.
  func announceOthers(than input: AVAssetWriterInput) {
    for other in inputs where other !== input { other.announce() }
  }
}

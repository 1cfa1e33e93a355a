internal import CoreMedia
internal import Linux

/// Coded samples that wait for the network: at most two seconds of them, begun by a key frame.
///
/// Where the network is slower, whole groups of pictures go. Thread-safe.
final class StreamQueue: Sendable {
  struct Item: Sendable {
    let sample: CMSampleBuffer
    /// Its place among the stream's formats: 0 is video.
    let track: Int
  }

  fileprivate struct State {
    var items: [Item] = []
    var isOpen = false
    var isEnded = false
    var needsKeyFrame = true
    var dropped = 0
    var late = 0
  }

  private static let longest = 2.0

  private let state = Monitor(State())

  /// Video frames that were dropped.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Video frames that came while another one was coded, and were not waited for.
  var late: Int { state.withLock { $0.late } }

  /// Whether the next picture must be a key frame.
  var needsKeyFrame: Bool { state.withLock { $0.isOpen && $0.needsKeyFrame } }

  /// Whether something takes what is put.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Counts a frame that was not coded because nothing takes it.
  func drop() { state.withLock { $0.dropped += 1 } }

  /// Counts a frame that nothing had time for.
  func noteLate() { state.withLock { $0.late += 1 } }

  /// Begins to take samples, from the next key frame on; or no longer.
  func setOpen(_ isOpen: Bool) {
    state.withLock { state in
      state.dropped += state.items.count { $0.track == 0 }
      state.items = []
      state.isOpen = isOpen
      state.needsKeyFrame = true
    }
  }

  /// Ends every wait.
  func end() { state.withLock { $0.isEnded = true } }

  /// Puts a sample behind the others.
  func put(_ sample: CMSampleBuffer, track: Int) {
    state.withLock { state in
      guard state.isOpen else {
        if track == 0 { state.dropped += 1 }
        return
      }
      let isKey = track == 0 && sample.isKeyFrame()
      if isKey { state.needsKeyFrame = false }
      guard !state.needsKeyFrame else {
        if track == 0 { state.dropped += 1 }
        return
      }
      state.items.append(Item(sample: sample, track: track))
      state.shorten(to: Self.longest)
    }
  }

  /// The next sample; `nil` when none has come by then, and at the end.
  func take(until deadline: MonotonicInstant) -> Item? {
    state.wait(
      until: deadline, for: { $0.isEnded || !$0.items.isEmpty },
      then: { state -> Item? in state.isEnded || state.items.isEmpty ? nil : state.items.removeFirst() })
      ?? nil
  }
}

extension StreamQueue.State {
  /// Drops groups of pictures while the samples that wait are longer.
  fileprivate mutating func shorten(to longest: Double) {
    guard let first = items.first, let last = items.last,
      (last.sample.presentationTimeStamp - first.sample.presentationTimeStamp).seconds > longest
    else { return }
    let newest = items.lastIndex { $0.track == 0 && $0.sample.isKeyFrame() }
    let count = newest.flatMap { $0 > 0 ? $0 : nil } ?? items.count
    dropped += items[..<count].count { $0.track == 0 }
    items.removeFirst(count)
    if items.isEmpty { needsKeyFrame = true }
  }
}

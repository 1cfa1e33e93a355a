internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import VideoCodecs

/// The pictures of an item from a time on, forwards or backwards, decoded a little ahead on a queue of its own.
///
/// Thread-safe.
final class PictureFeed: Sendable {
  /// The target of decoding: a time with tolerances, and a number of steps from there.
  struct Target: Sendable {
    var time: CMTime
    var before = CMTime.zero
    var after = CMTime.zero
    /// How many pictures further, or back.
    var steps = 0
  }

  private struct State {
    var generation = 0
    var isBackward = false
    /// In the order in which they are shown.
    var ready: [PlayedFrame] = []
    /// The time for which a picture was wanted last; of playing backwards.
    var wanted: CMTime?
    /// The time at which decoding has begun: the target, or what the tolerances allowed.
    var landed: CMTime?
    var isOver = true
    var error: AVError?
    var isDecoding = false
    /// How many pictures may wait.
    var limit = 0

    /// Forgets what was shown before the picture on show at a time.
    mutating func drop(to time: CMTime) -> [PlayedFrame] {
      var old: [PlayedFrame] = []
      while ready.count >= 2, isBackward ? ready[0].time > time : ready[1].time <= time {
        old.append(ready.removeFirst())
      }
      return old
    }

    /// The picture on show at a time; `nil` where it is not decoded.
    func shown(at time: CMTime) -> PlayedFrame? {
      isBackward ? ready.first { $0.time <= time } : ready.last { $0.time <= time }
    }

    /// Whether decoding more would not change what is on show at a time.
    func isSettled(at time: CMTime) -> Bool {
      if isOver || error != nil { return true }
      return ready.last.map { isBackward ? $0.time <= time : $0.time > time } ?? false
    }
  }

  private let pictures: PictureSource
  private let state = Monitor(State())
  private let queue = DispatchQueue(label: "obscura.player-decoding", qos: .userInitiated)
  /// Called after pictures have come, or it has ended.
  private let changed: @Sendable (_ generation: Int) -> Void
  // Safe because they are reached on `queue` alone.
  nonisolated(unsafe) private var source: (any PictureSequence)?
  nonisolated(unsafe) private var backward: BackwardPictures?
  private let limits: (forward: Int, backward: Int)
  /// How many pictures of a stretch that is played backwards wait behind those that are ready.
  private let held = Locked(0)

  init(_ pictures: PictureSource, changed: @escaping @Sendable (_ generation: Int) -> Void) {
    self.pictures = pictures
    self.changed = changed
    let most = max(3, 96_000_000 / pictures.pictureSize)
    // Backwards, as many again are decoded while these are shown: the longer the stretches, the less is decoded twice.
    limits = (min(16, most), min(32, most))
  }

  /// Begins at a time; what was decoded is forgotten.
  @discardableResult
  func restart(at target: Target, backward isBackward: Bool = false) -> Int {
    let limit = isBackward ? limits.backward : limits.forward
    let (generation, old) = state.withLock { state in
      state.generation += 1
      let old = state.ready
      state.isBackward = isBackward
      state.limit = limit
      state.wanted = nil
      state.ready = []
      state.landed = nil
      state.isOver = false
      state.error = nil
      state.isDecoding = true
      return (state.generation, old)
    }
    withExtendedLifetime(old) {}
    queue.async { [weak self] in self?.open(target, isBackward, generation) }
    return generation
  }

  /// Ends; pictures that are held stay with those that hold them.
  func end() {
    let old = state.withLock { state in
      state.generation += 1
      state.isOver = true
      defer { state.ready = [] }
      return state.ready
    }
    withExtendedLifetime(old) {}
    queue.async { [weak self] in self?.close() }
  }

  private func close() {
    source = nil
    backward = nil
    held.withLock { $0 = 0 }
  }

  // MARK: For the player

  var isBackward: Bool { state.withLock { $0.isBackward } }
  /// How many decoded pictures are held.
  var count: Int { state.withLock { $0.ready.count } + held.withLock { $0 } }

  /// Whether the first picture is there, or it is known that none will come.
  var isPrimed: Bool { state.withLock { $0.isOver || $0.error != nil || !$0.ready.isEmpty } }
  /// Whether as many pictures wait as may.
  var isFull: Bool { state.withLock { $0.isOver || $0.error != nil || $0.ready.count >= $0.limit } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var error: AVError? { state.withLock { $0.error } }
  var landed: CMTime? { state.withLock { $0.landed } }
  var generation: Int { state.withLock { $0.generation } }

  /// When another picture is due than at a time, if it is there.
  func nextTime(after time: CMTime) -> CMTime? {
    state.withLock { state in
      guard state.isBackward else { return state.ready.first { $0.time > time }?.time }
      guard let index = state.ready.firstIndex(where: { $0.time <= time }), index + 1 < state.ready.count
      else { return nil }
      return TimeMargin.justBefore(state.ready[index].time)
    }
  }

  /// The picture on show at a time, as far as decoded; nothing is forgotten.
  func frame(at time: CMTime) -> PlayedFrame? { state.withLock { $0.shown(at: time) } }

  /// Waits until the first picture is there, or it is known that none will come.
  func waitUntilPrimed() {
    _ = state.wait(for: { $0.isOver || $0.error != nil || !$0.ready.isEmpty }, then: { _ in })
  }

  /// The first picture, which may begin later than the time that was asked for.
  var first: PlayedFrame? { state.withLock { $0.ready.first } }

  /// Forgets what was shown before the picture on show at `time`, and returns that.
  ///
  /// - Parameter waits: Whether to wait until it is decoded; else the newest before it serves.
  func advance(to time: CMTime, waits: Bool) -> PlayedFrame? {
    while true {
      let (frame, old, isSettled, starts, generation) = state.withLock { state in
        let old = state.drop(to: time)
        if state.isBackward { state.wanted = time }
        let starts =
          !state.isDecoding && !state.isOver && state.error == nil && state.ready.count < state.limit
        if starts { state.isDecoding = true }
        let frame = state.ready.first.flatMap { $0.time <= time ? $0 : nil }
        return (frame, old, state.isSettled(at: time), starts, state.generation)
      }
      withExtendedLifetime(old) {}
      if starts { queue.async { [weak self] in self?.fill(generation) } }
      guard waits, !isSettled else { return frame }
      _ = state.wait(
        for: {
          $0.ready.count >= 2 || $0.isOver || $0.error != nil || $0.generation != generation
        }, then: { _ in })
    }
  }

  // MARK: On the decoding queue

  private func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  private func open(_ target: Target, _ isBackward: Bool, _ generation: Int) {
    guard isCurrent(generation) else { return }
    close()
    do {
      let time =
        try target.steps == 0
        ? pictures.cheapestStart(before: target.time, tolerance: target.before) : stepped(target)
      var frames: [PlayedFrame] = []
      var isOver = false
      if isBackward {
        backward = BackwardPictures(pictures, from: time, limit: limits.backward)
        let first = try nextFrame(generation)
        guard isCurrent(generation) else { return }
        isOver = first == nil
        // Before the first picture of all, that one is on show.
        frames = try [first ?? pictures.reading(from: time).nextPicture().flatMap(PlayedFrame.init)]
          .compactMap { $0 }
      } else {
        source = try pictures.reading(from: time)
        let first = try nextFrame(generation)
        isOver = first == nil
        frames = [first].compactMap { $0 }
        if first.map({ $0.time > time }) ?? true, time > .zero,
          let earlier = try pictures.frame(before: time)
        {
          frames.insert(earlier, at: 0)
        }
      }
      state.withLock { state in
        guard state.generation == generation else { return }
        state.landed = time
        state.ready = frames
        state.isOver = isOver
        state.isDecoding = !isOver
      }
    } catch {
      fail(error, generation)
    }
    changed(generation)
    fill(generation)
  }

  /// The time of the picture so many before or after the one on show.
  private func stepped(_ target: Target) throws -> CMTime {
    let here = try pictures.frame(before: target.time)?.time ?? target.time
    if target.steps > 0 {
      let reading = try pictures.reading(from: here)
      var time = here
      var left = target.steps
      while left > 0, let sample = try reading.nextPicture() {
        guard sample.presentationTimeStamp > time else { continue }
        time = sample.presentationTimeStamp
        left -= 1
      }
      return time
    }
    // Ever longer stretches before it, until there are pictures enough.
    var length = CMTime(seconds: Double(-target.steps) / 24 + 0.5, preferredTimescale: 90_000)
    while true {
      let begin = max(here - length, .zero)
      let reading = try pictures.reading(from: begin)
      var times: [CMTime] = []
      while let sample = try reading.nextPicture(), sample.presentationTimeStamp < here {
        times.append(sample.presentationTimeStamp)
      }
      if times.count >= -target.steps { return times[times.count + target.steps] }
      if begin == .zero { return times.first ?? here }
      length = length + length
    }
  }

  private func fill(_ generation: Int) {
    while true {
      let isWanted = state.withLock { state in
        guard state.generation == generation else { return false }
        let isWanted = !state.isOver && state.error == nil && state.ready.count < state.limit
        if !isWanted { state.isDecoding = false }
        return isWanted
      }
      guard isWanted, source != nil || backward != nil else { return }
      do {
        let frame = try nextFrame(generation)
        state.withLock { state in
          guard state.generation == generation else { return }
          if let frame { state.ready.append(frame) } else { state.isOver = true }
        }
        if frame == nil { close() }
      } catch {
        fail(error, generation)
      }
      changed(generation)
    }
  }

  /// The next picture in the direction of playing; `nil` behind the last one.
  private func nextFrame(_ generation: Int) throws -> PlayedFrame? {
    if let backward {
      let wanted = state.withLock { $0.generation == generation ? $0.wanted : nil }
      defer { held.withLock { $0 = backward.count } }
      return try backward.next(skippingTo: wanted, while: { isCurrent(generation) })
    }
    while let sample = try source?.nextPicture() {
      if let frame = PlayedFrame(sample) { return frame }
    }
    return nil
  }

  private func fail(_ error: any Error, _ generation: Int) {
    let error = TrackDecoding.error(error)
    state.withLock { state in
      guard state.generation == generation else { return }
      state.error = error
      state.isDecoding = false
    }
  }
}

internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import VideoCodecs

/// The pictures of an item from a time on, decoded a little ahead on a queue of its own.
///
/// Thread-safe.
final class PictureFeed: Sendable {
  /// Where decoding shall begin.
  struct Target: Sendable {
    var time: CMTime
    var before = CMTime.zero
    var after = CMTime.zero
    /// How many pictures further, or back.
    var steps = 0
  }

  private struct State {
    var generation = 0
    var ready: [PlayedFrame] = []
    /// Where decoding has begun: the target, or what the tolerances allowed.
    var landed: CMTime?
    var isOver = true
    var error: AVError?
    var isDecoding = false
    var limit = 8
  }

  private let pictures: PictureSource
  private let state = Monitor(State())
  private let queue = DispatchQueue(label: "obscura.player-decoding", qos: .userInitiated)
  /// Called after pictures have come, or it has ended.
  private let changed: @Sendable (_ generation: Int) -> Void
  // Safe because it is reached on `queue` alone.
  nonisolated(unsafe) private var source: (any PictureReading)?

  init(_ pictures: PictureSource, changed: @escaping @Sendable (_ generation: Int) -> Void) {
    self.pictures = pictures
    self.changed = changed
    let size = pictures.size
    let bytes = max(1, Int(size.width * size.height * 1.5))
    state.withLock { $0.limit = min(16, max(3, 96_000_000 / bytes)) }
  }

  /// Begins at a time; what was decoded is forgotten.
  @discardableResult
  func restart(at target: Target) -> Int {
    let (generation, old) = state.withLock { state in
      state.generation += 1
      let old = state.ready
      state.ready = []
      state.landed = nil
      state.isOver = false
      state.error = nil
      state.isDecoding = true
      return (state.generation, old)
    }
    withExtendedLifetime(old) {}
    queue.async { [weak self] in self?.open(target, generation) }
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
    queue.async { [weak self] in self?.source = nil }
  }

  // MARK: For the player

  /// Whether the first picture is there, or it is known that none will come.
  var isPrimed: Bool { state.withLock { $0.isOver || $0.error != nil || !$0.ready.isEmpty } }
  /// Whether as many pictures wait as may.
  var isFull: Bool { state.withLock { $0.isOver || $0.error != nil || $0.ready.count >= $0.limit } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var error: AVError? { state.withLock { $0.error } }
  var landed: CMTime? { state.withLock { $0.landed } }
  var generation: Int { state.withLock { $0.generation } }
  /// The time of the newest picture.
  var decodedTime: CMTime? {
    state.withLock { $0.ready.last.map { $0.duration.isNumeric ? $0.time + $0.duration : $0.time } }
  }

  /// When the next picture is due, if it is there.
  func nextTime(after time: CMTime) -> CMTime? {
    state.withLock { state in state.ready.first { $0.time > time }?.time }
  }

  /// The picture on show at a time, as far as decoded; nothing is forgotten.
  func frame(at time: CMTime) -> PlayedFrame? {
    state.withLock { state in state.ready.last { $0.time <= time } }
  }

  /// The first picture, which may begin later than the time that was asked for.
  var first: PlayedFrame? { state.withLock { $0.ready.first } }

  /// Forgets what comes before the picture on show at `time`, and returns that.
  ///
  /// - Parameter waits: Whether to wait until it is decoded; else the newest before it serves.
  func advance(to time: CMTime, waits: Bool) -> PlayedFrame? {
    while true {
      let (frame, old, isSettled, starts, generation) = state.withLock { state in
        var old: [PlayedFrame] = []
        while state.ready.count >= 2, state.ready[1].time <= time { old.append(state.ready.removeFirst()) }
        let isSettled =
          state.isOver || state.error != nil || state.ready.last.map { $0.time > time } ?? false
        let starts =
          !state.isDecoding && !state.isOver && state.error == nil && state.ready.count < state.limit
        if starts { state.isDecoding = true }
        let frame = state.ready.first.flatMap { $0.time <= time ? $0 : nil }
        return (frame, old, isSettled, starts, state.generation)
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

  private func open(_ target: Target, _ generation: Int) {
    guard isCurrent(generation) else { return }
    do {
      let time =
        try target.steps == 0
        ? pictures.cheapestStart(before: target.time, tolerance: target.before) : stepped(target)
      var frames: [PlayedFrame] = []
      source = try pictures.reading(from: time)
      var isOver = false
      if let sample = try source?.nextPicture() {
        frames = [PlayedFrame(sample)].compactMap { $0 }
      } else {
        isOver = true
      }
      if frames.first.map({ $0.time > time }) ?? true, time > .zero,
        let earlier = try pictures.frame(before: time)
      {
        frames.insert(earlier, at: 0)
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
      guard isWanted, let source else { return }
      do {
        let sample = try source.nextPicture()
        let frame = sample.flatMap(PlayedFrame.init)
        state.withLock { state in
          guard state.generation == generation else { return }
          if let frame { state.ready.append(frame) }
          if sample == nil { state.isOver = true }
        }
        if sample == nil { self.source = nil }
      } catch {
        fail(error, generation)
      }
      changed(generation)
    }
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

internal import AudioTransforms
internal import CoreMedia
internal import Foundation
internal import Linux

/// The audio of a player: what is heard when, at which tempo and loudness.
///
/// Thread-safe: the player's queue sets, the sink's thread renders.
final class PlayerAudio: Sendable {
  private struct State {
    var item: AVPlayerItem?
    var clock: CMClock?
    var gain: Float = 1
    var sink: (any AudioSink)?
    var isRunning = false
  }

  /// The state that the rendering thread keeps from one call to the next.
  private struct Course {
    var timebase: CMTimebase?
    /// The place in the item of what is rendered next.
    var place = 0
    var gain: Float = 0
    var tempo = 1.0
    var stretcher: TempoStretcher?
    var stretched: [Float] = []
    /// The place where the stretcher began, and how much of its output is gone.
    var origin = 0
    var taken = 0
  }

  private let state = Locked(State())
  private let course = Locked(Course())
  /// Farther apart than this, audio jumps to where time is: 30 ms.
  private static let most = AudioFeed.rate * 3 / 100

  /// Lets audio go elsewhere; the default output unless this is called.
  func setSink(_ sink: any AudioSink) {
    let old = state.withLock { state in
      defer { state.sink = sink }
      return state.sink
    }
    old?.stop()
  }

  /// Begins to play an item's audio.
  func play(_ item: AVPlayerItem, core: PlayerCore) {
    guard item.audioFeed != nil else { return stop() }
    let clock = core.clock
    let (sink, starts, old) = state.withLock { state in
      let old = state.item
      state.item = item
      state.clock = clock
      // A clock that moves by hand is heard only by a test's own sink.
      if state.sink == nil, !clock.movesByHand { state.sink = DefaultAudioSink() }
      defer { state.isRunning = true }
      return (state.sink, !state.isRunning, old)
    }
    withExtendedLifetime(old) {}
    guard starts, let sink else { return }
    course.withLock { $0.gain = 0 }
    sink.start { [weak self] frames, heardAt in
      self?.render(frames, heardAt) ?? [Float](repeating: 0, count: frames * 2)
    }
  }

  func stop() {
    let (sink, old) = state.withLock { state in
      defer {
        state.isRunning = false
        state.item = nil
      }
      return (state.isRunning ? state.sink : nil, state.item)
    }
    sink?.stop()
    withExtendedLifetime(old) {}
  }

  func setGain(_ gain: Float) { state.withLock { $0.gain = gain } }

  // MARK: On the sink's thread

  private func render(_ frames: Int, _ heardAt: CMTime) -> [Float] {
    let silence = [Float](repeating: 0, count: frames * 2)
    let (item, clock, gain) = state.withLock { ($0.item, $0.clock, $0.gain) }
    guard let item, let clock, let feed = item.audioFeed, item.hearsAudio else {
      // What is heard next begins where time is then, not where audio ended.
      let old = course.withLock { course in
        defer { course.timebase = nil }
        return course.timebase
      }
      return withExtendedLifetime(old) { silence }
    }
    let timebase = item.ownTimebase
    let rate = timebase.rate
    let time = CMSyncConvertTime(heardAt, from: clock, to: timebase)
    guard rate >= 0.25, rate <= 4, time.isNumeric else { return silence }
    let wanted = Int((time.seconds * Double(AudioFeed.rate)).rounded())
    let keepsPitch = item.audioTimePitchAlgorithm != .varispeed
    let waits = clock.movesByHand
    // Copied out and in: nothing is decoded or waited for under the lock, and one thread renders at a time.
    var course = course.withLock { $0 }
    if course.timebase !== timebase || course.tempo != rate {
      course = Course(timebase: timebase, place: wanted, gain: course.gain, tempo: rate)
    }
    var samples =
      rate == 1
      ? plain(&course, feed, frames, wanted, waits)
      : keepsPitch
        ? stretched(&course, feed, frames, wanted, waits) : faster(&course, feed, frames, wanted, waits)
    // The loudness goes over evenly, for a step would be heard.
    let begin = course.gain
    for frame in 0..<frames {
      let share = begin + (gain - begin) * Float(frame + 1) / Float(frames)
      samples[2 * frame] *= share
      samples[2 * frame + 1] *= share
    }
    course.gain = gain
    let result = course
    let old = self.course.withLock { kept in
      defer { kept = result }
      return kept.timebase
    }
    withExtendedLifetime(old) {}
    return samples
  }

  private func plain(
    _ course: inout Course, _ feed: AudioFeed, _ frames: Int, _ wanted: Int, _ waits: Bool
  ) -> [Float] {
    let apart = wanted - course.place
    if abs(apart) > Self.most {
      course.place = wanted
    } else if abs(apart) > AudioFeed.rate / 1000 {
      // The card's clock is not the host's: one sample more or less is not heard.
      course.place += apart.signum()
    }
    defer { course.place += frames }
    return feed.read(from: course.place, frames: frames, waits: waits)
  }

  private func stretched(
    _ course: inout Course, _ feed: AudioFeed, _ frames: Int, _ wanted: Int, _ waits: Bool
  ) -> [Float] {
    let heard = Double(course.origin) + Double(course.taken) * course.tempo
    if course.stretcher == nil || abs(Double(wanted) - heard) > Double(2 * Self.most) {
      course.stretcher = TempoStretcher(tempo: course.tempo, rate: AudioFeed.rate, channels: 2)
      course.stretched = []
      (course.origin, course.place, course.taken) = (wanted, wanted, 0)
    }
    while course.stretched.count < frames * 2 {
      let more = feed.read(from: course.place, frames: 480, waits: waits)
      course.place += 480
      course.stretcher?.process(more, into: &course.stretched)
    }
    defer {
      course.stretched.removeFirst(frames * 2)
      course.taken += frames
    }
    return Array(course.stretched.prefix(frames * 2))
  }

  /// As a tape does; between two samples lies the line from one to the other.
  private func faster(
    _ course: inout Course, _ feed: AudioFeed, _ frames: Int, _ wanted: Int, _ waits: Bool
  ) -> [Float] {
    let heard = Double(course.origin) + Double(course.taken) * course.tempo
    if abs(Double(wanted) - heard) > Double(Self.most) || course.taken == 0 {
      (course.origin, course.taken) = (wanted, 0)
    }
    let begin = Double(course.origin) + Double(course.taken) * course.tempo
    let first = Int(begin.rounded(.down))
    let source = feed.read(
      from: first, frames: Int((Double(frames) * course.tempo).rounded(.up)) + 2, waits: waits)
    course.taken += frames
    return (0..<frames).flatMap { frame -> [Float] in
      let place = begin - Double(first) + Double(frame) * course.tempo
      let (whole, share) = (Int(place), Float(place - place.rounded(.down)))
      return (0..<2).map { source[2 * whole + $0] * (1 - share) + source[2 * whole + 2 + $0] * share }
    }
  }
}

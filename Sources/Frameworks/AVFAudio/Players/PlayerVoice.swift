internal import AudioTransforms
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A file that is heard: where it is, how loud and how fast.
///
/// Thread-safe. Levels are those of the audio, before its volume.
final class PlayerVoice: Sendable {
  private struct State {
    var isPlaying = false
    var loops = 0
    /// How often it has begun again.
    var turns = 0
    /// The next moment, at the output's rate.
    var place: AVAudioFramePosition = 0
    /// When what was rendered last is over, in nanoseconds of the machine's clock.
    var renderedUntil: Int64 = 0
    var startsAt: Int64?
    /// When the last moment is over.
    var endsAt: Int64?
    var gain: Float = 1
    var goal: Float = 1
    /// How much the gain changes in a moment.
    var slope: Float = 0
    var pan: Float = 0
    var hasRate = false
    var rate: Float = 1
    var output: (any AudioOutput)?
    var onEnd: @Sendable () -> Void = {}
    var measured = AudioLevels(channels: 2)
  }

  /// What the thread that renders keeps.
  private struct Course {
    var stretcher: TempoStretcher?
    var tempo = 1.0
    var stretched: [Float] = []
    /// Where the stretcher reads next; what it gives belongs to an earlier place.
    var ahead: AVAudioFramePosition = 0
    var isOver = false
  }

  private static let format =
    AVAudioFormat(standardFormatWithSampleRate: Double(AudioOutputFormat.rate), channels: 2)
    ?? AVAudioFormat(noneWith: nil)
  private static let queue = DispatchQueue(label: "obscura.audio-player", qos: .userInitiated)
  private let source: FileSource
  private let channels: Int
  private let state = Locked(State())
  private let course = Locked(Course())
  /// Moments at the output's rate.
  private let length: AVAudioFramePosition

  init(_ file: AVAudioFile) {
    source = FileSource(file, from: 0, count: file.length)
    channels = Int(file.processingFormat.channelCount)
    length = AVAudioFramePosition(
      (Double(file.length) * Double(AudioOutputFormat.rate) / file.processingFormat.sampleRate).rounded())
  }

  /// Seconds of the clock at whose pace audio is heard.
  static var deviceTime: TimeInterval { MachineClock.current.time.seconds }

  private static var now: Int64 {
    CMTimeConvertScale(MachineClock.current.time, timescale: 1_000_000_000, method: .default).value
  }

  // MARK: Settings

  var onEnd: @Sendable () -> Void {
    get { state.withLock { $0.onEnd } }
    set { state.withLock { $0.onEnd = newValue } }
  }
  var loops: Int {
    get { state.withLock { $0.loops } }
    set { state.withLock { ($0.loops, $0.turns) = (newValue, 0) } }
  }
  var volume: Float { state.withLock { $0.goal } }
  var pan: Float {
    get { state.withLock { $0.pan } }
    set { state.withLock { $0.pan = newValue } }
  }
  var hasRate: Bool {
    get { state.withLock { $0.hasRate } }
    set { state.withLock { $0.hasRate = newValue } }
  }
  var rate: Float {
    get { state.withLock { $0.rate } }
    set { state.withLock { $0.rate = newValue } }
  }
  var isPlaying: Bool { state.withLock { $0.isPlaying } }
  var levels: [AudioLevel] { Array(state.withLock { $0.measured.levels }.prefix(channels)) }

  func setVolume(_ volume: Float, fadingFor seconds: TimeInterval) {
    let goal = max(0, volume)
    state.withLock { state in
      let moments = Float(max(0, seconds)) * Float(AudioOutputFormat.rate)
      state.goal = goal
      state.slope = moments > 0 ? (goal - state.gain) / moments : 0
      if moments <= 0 { state.gain = goal }
    }
  }

  /// Where what is heard now lies, in seconds.
  var time: TimeInterval {
    get {
      let now = Self.now
      return state.withLock { state in
        let waiting = state.isPlaying ? max(0, state.renderedUntil - now) : 0
        let tempo = state.hasRate ? Double(state.rate) : 1
        let seconds = Double(state.place) / Double(AudioOutputFormat.rate) - Double(waiting) / 1e9 * tempo
        return max(0, seconds)
      }
    }
    set {
      let place = AVAudioFramePosition((max(0, newValue) * Double(AudioOutputFormat.rate)).rounded())
      state.withLock { state in
        state.place = min(place, length)
        state.endsAt = nil
      }
      course.withLock { $0 = Course() }
    }
  }

  // MARK: Playing

  func play(at seconds: TimeInterval?) -> Bool {
    let output = state.withLock { state -> (any AudioOutput)? in
      state.startsAt = seconds.map { Int64($0 * 1e9) }
      if !state.isPlaying, state.place >= length { state.place = 0 }
      if !state.isPlaying { (state.turns, state.endsAt) = (0, nil) }
      state.isPlaying = true
      guard state.output == nil else { return nil }
      let output = AudioOutputFormat.output()
      state.output = output
      return output
    }
    output?.start { [weak self] frames, heardAt in
      self?.render(frames, heardAt) ?? [Float](repeating: 0, count: frames * 2)
    }
    return true
  }

  func pause() {
    let place = time
    stop()
    time = place
  }

  func stop() {
    let output = state.withLock { state in
      defer { (state.isPlaying, state.output) = (false, nil) }
      return state.output
    }
    output?.stop()
  }

  // MARK: On the output's thread

  private func render(_ frames: Int, _ heardAt: Int64) -> [Float] {
    let state = self.state.withLock { $0 }
    guard state.isPlaying, (state.startsAt ?? .min) <= heardAt else {
      return [Float](repeating: 0, count: frames * 2)
    }
    var course = self.course.withLock { $0 }
    let tempo = state.hasRate ? Double(state.rate) : 1
    var (place, turns) = (state.place, state.turns)
    var samples: [Float] = []
    var hasEnded = state.endsAt != nil
    while !hasEnded, samples.count < frames * 2 {
      let wanted = frames - samples.count / 2
      let part = tempo == 1 ? plain(&course, place, wanted) : stretched(&course, place, wanted, tempo)
      samples += part
      place = min(length, place + AVAudioFramePosition((Double(part.count / 2) * tempo).rounded()))
      guard part.count / 2 < wanted else { break }
      if state.loops < 0 || turns < state.loops, length > 0 {
        turns += 1
        place = 0
        course = Course()
      } else {
        place = length
        hasEnded = true
      }
    }
    let heardUntil = heardAt + Int64(samples.count / 2) * 1_000_000_000 / Int64(AudioOutputFormat.rate)
    samples += [Float](repeating: 0, count: frames * 2 - samples.count)
    let (result, kept) = (samples, course)
    self.course.withLock { $0 = kept }
    return finish(result, from: state, to: (place, turns), heardUntil, hasEnded)
  }

  /// Puts down how far it came, and gives the samples as loud as they are to be.
  private func finish(
    _ samples: [Float], from old: State, to new: (place: AVAudioFramePosition, turns: Int),
    _ heardUntil: Int64,
    _ hasEnded: Bool
  ) -> [Float] {
    var out = samples
    let now = Self.now
    let ended = state.withLock { state -> (any AudioOutput)? in
      // What a client set meanwhile stays.
      if state.place == old.place { state.place = new.place }
      if state.turns == old.turns { state.turns = new.turns }
      state.renderedUntil = heardUntil
      state.measured.hear(samples, rate: Double(AudioOutputFormat.rate))
      let sides = (min(1, 1 - state.pan), min(1, 1 + state.pan))
      for frame in 0..<out.count / 2 {
        out[2 * frame] *= state.gain * sides.0
        out[2 * frame + 1] *= state.gain * sides.1
        guard state.slope != 0 else { continue }
        state.gain += state.slope
        if (state.slope > 0) == (state.gain >= state.goal) { (state.gain, state.slope) = (state.goal, 0) }
      }
      guard hasEnded else { return nil }
      let end = state.endsAt ?? heardUntil
      state.endsAt = end
      guard now >= end else { return nil }
      defer { (state.isPlaying, state.output, state.place, state.endsAt) = (false, nil, 0, nil) }
      return state.output
    }
    guard let ended else { return out }
    // An output does not end on its own thread.
    let hold = InFlight.hold()
    let onEnd = onEnd
    Self.queue.async {
      ended.stop()
      InFlight.run(under: hold) { onEnd() }
    }
    return out
  }

  private func plain(_ course: inout Course, _ place: AVAudioFramePosition, _ frames: Int) -> [Float] {
    course.stretcher = nil
    return source.read(from: place, frames: frames, Self.format)
  }

  private func stretched(
    _ course: inout Course, _ place: AVAudioFramePosition, _ frames: Int, _ tempo: Double
  ) -> [Float] {
    if course.stretcher == nil || course.tempo != tempo {
      course = Course(
        stretcher: TempoStretcher(tempo: tempo, rate: AudioOutputFormat.rate, channels: 2), tempo: tempo,
        ahead: place)
    }
    while course.stretched.count < frames * 2, !course.isOver {
      let more = source.read(from: course.ahead, frames: AudioOutputFormat.chunk, Self.format)
      course.ahead += AVAudioFramePosition(more.count / 2)
      if more.count < AudioOutputFormat.chunk * 2 {
        // Silence brings out what is inside.
        let rest = Int(Double(length - place) / tempo) * 2
        let silence = [Float](repeating: 0, count: AudioOutputFormat.rate / 5)
        course.stretcher?.process(more + silence, into: &course.stretched)
        course.isOver = true
        course.stretched = Array(course.stretched.prefix(rest))
      } else {
        course.stretcher?.process(more, into: &course.stretched)
      }
    }
    let part = Array(course.stretched.prefix(frames * 2))
    course.stretched.removeFirst(part.count)
    return part
  }
}

internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux
internal import StreamParts

/// The microphone's stream: 48 kHz, 16 bits, one or two channels, in chunks of 10 ms.
///
/// Quiet noise from the seed, and the scene's clicks: 1 ms of a full-scale square, beginning on the sample nearest to
/// the click's moment. A drifting clock makes its chunks a little shorter in time than they say.
final class AudioEngine: StreamEngine {
  static let sampleRate = 48_000
  static let framesPerChunk = 480
  /// The audio that a card keeps when it is not read in time.
  private static let bufferNanoseconds: Int64 = 1_000_000_000
  /// More lost chunks than this, a minute, are not reported one by one.
  private static let longestGap = 6000

  /// The progress of a run: its next chunk and sequence number; the ticks follow each other.
  private final class Position: @unchecked Sendable {  // Safe because the ticks of a run follow each other.
    let start: MonotonicInstant
    var chunk: Int64 = 0
    var sequence: UInt32 = 0
    var interruption = InterruptionChanges()

    init(start: MonotonicInstant) {
      self.start = start
    }
  }

  let configuration: StreamConfiguration
  private let name: String
  private let world: SimulatedWorld
  private let faults: StreamFaults
  private let runs = TickedRun()
  private let counts = Locked(StreamStatistics())
  private let noise: UInt64

  init(_ name: String, _ world: SimulatedWorld, _ faults: StreamFaults, _ configuration: StreamConfiguration)
  {
    self.name = name
    self.world = world
    self.faults = faults
    self.configuration = configuration
    noise = Chance.start(world.scene.seed, "sound")
  }

  var statistics: StreamStatistics { counts.withLock { $0 } }

  func start(_ receiver: @escaping StreamRun.Receiver) throws(CaptureDeviceError) {
    let run = try runs.begin(name, receiver)
    counts.withLock { $0 = StreamStatistics() }
    let position = Position(start: world.clock.now.advanced(by: faults.startDelay))
    try runs.tick(run, name: "sim-microphone", clock: world.clock, first: time(of: 1, position)) {
      [weak self] in self?.tick(position, run)
    }
  }

  func stop() {
    _ = runs.stop()
  }

  func fail(_ error: CaptureDeviceError) {
    _ = runs.fail(error)
  }

  var isBehind: Bool { runs.isBehind }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    throw CaptureDeviceError(.formatUnsupported, "\(name) is a microphone and has no frame rate.")
  }

  func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError) {
    throw CaptureDeviceError(.formatUnsupported, "\(name) is a microphone and steadies no pictures.")
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    completion(
      .failure(
        CaptureDeviceError(.formatUnsupported, "\(name) is a microphone and takes no pictures.")))
  }

  /// When chunk `index` begins by the scene's clock; the microphone's own may run faster.
  private func time(of index: Int64, _ position: Position) -> MonotonicInstant {
    let nanoseconds = index * Int64(Self.framesPerChunk) * 1_000_000_000 / Int64(Self.sampleRate)
    guard faults.audioRate != 1 else { return position.start.advanced(byNanoseconds: nanoseconds) }
    return position.start.advanced(byNanoseconds: Int64((Double(nanoseconds) / faults.audioRate).rounded()))
  }

  private func tick(_ position: Position, _ run: StreamRun) -> MonotonicInstant? {
    guard !run.isStopping else { return nil }
    handleChunk(position, run)
    position.chunk += 1
    if !world.clock.isManual { loseOverruns(position, run) }
    return run.isStopping ? nil : time(of: position.chunk + 1, position)
  }

  /// Loses what a card's memory would not have held: a machine that is this late does not catch up by itself.
  private func loseOverruns(_ position: Position, _ run: StreamRun) {
    let oldest = world.clock.now.advanced(byNanoseconds: -Self.bufferNanoseconds)
    var lost = 0
    while time(of: position.chunk, position) < oldest, !run.isStopping {
      // Whatever stopped the process for longer stopped the microphone with it.
      if lost < Self.longestGap { lose(time(of: position.chunk, position), position, run) }
      lost += 1
      position.chunk += 1
    }
  }

  private func handleChunk(_ position: Position, _ run: StreamRun) {
    let timestamp = time(of: position.chunk, position)
    let seconds = Double(timestamp.nanoseconds - position.start.nanoseconds) / 1e9
    if !faults.isEmpty {
      let interruption = faults.interruption(at: seconds, now: world.clock.now)
      for change in position.interruption.update(to: interruption) { run.deliver(change) }
      if interruption != nil || faults.isStalled(at: seconds) { return }
    }
    if faults.drops(position.sequence, at: seconds) { return lose(timestamp, position, run) }
    guard !run.isStopping else { return }
    let samples = samples(chunk: position.chunk, seconds: seconds)
    counts.withLock { $0.countDelivered() }
    run.deliver(
      .audio(
        CapturedAudio(
          samples: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) },
          sampleRate: Double(Self.sampleRate), channels: channels, frameCount: Self.framesPerChunk,
          timestamp: timestamp, sequence: position.sequence, inFlight: world.clock.makeToken())))
    position.sequence += 1
  }

  private func lose(_ timestamp: MonotonicInstant, _ position: Position, _ run: StreamRun) {
    guard !run.isStopping else { return }
    counts.withLock { $0.countDropped(.discontinuity) }
    run.deliver(
      .dropped(
        DroppedFrame(
          sequence: position.sequence, timestamp: timestamp, reason: .discontinuity,
          inFlight: world.clock.makeToken())))
    position.sequence += 1
  }

  private var channels: Int { configuration.audio.channels }

  /// The chunk's samples, interleaved; little-endian, as every machine that this runs on.
  private func samples(chunk: Int64, seconds: Double) -> [Int16] {
    let channels = channels
    let count = Self.framesPerChunk * channels
    let step: UInt64 = channels == 2 ? 1 : 2
    var index = UInt64(chunk) * UInt64(Self.framesPerChunk) * 2
    var result = [Int16](unsafeUninitializedCapacity: count) { memory, filled in
      // A plain loop: ten minutes of audio are made in a test, without an optimizer.
      var place = 0
      while place < count {
        let chance = Chance.bits(start: noise, index)
        // The sum of four bytes is near enough to a bell; some 50 dB below full scale.
        let sum = (chance & 0xFF) &+ (chance >> 8 & 0xFF) &+ (chance >> 16 & 0xFF) &+ (chance >> 24 & 0xFF)
        memory[place] = Int16(truncatingIfNeeded: (Int(truncatingIfNeeded: sum) &- 510) / 2)
        place &+= 1
        index &+= step
      }
      filled = count
    }
    addClicks(to: &result, seconds: seconds)
    return result
  }

  /// Adds what clicks there are in the chunk that begins at `seconds`.
  private func addClicks(to samples: inout [Int16], seconds: Double) {
    let step = 1 / (Double(Self.sampleRate) * faults.audioRate)
    guard let interval = world.scene.clickInterval,
      world.clicks(from: seconds - 0.001 - step, length: Double(Self.framesPerChunk + 2) * step + 0.001)
    else { return }
    let channels = channels
    for frame in 0..<Self.framesPerChunk {
      // Half a sample's slack puts the click on the sample nearest to its moment.
      let time = seconds + Double(frame) * step + step / 2
      let count = (time / interval).rounded(.down)
      let since = time - count * interval
      guard count >= 1, since < 0.001 else { continue }
      let value = Int(since * 4000) % 2 == 0 ? 32_000 : -32_000
      for channel in 0..<channels {
        let place = frame * channels + channel
        samples[place] = Int16(max(min(value + Int(samples[place]), 32_767), -32_768))
      }
    }
  }
}

internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

/// The microphone's stream: 48 kHz, 16 bits, one or two channels, in chunks of 10 ms.
///
/// Quiet noise from the seed, and the scene's clicks: 1 ms of a full-scale square, beginning on the sample nearest to
/// the click's moment. A drifting clock makes its chunks a little shorter in time than they say.
final class AudioEngine: StreamEngine {
  static let sampleRate = 48_000
  static let framesPerChunk = 480

  private struct Position {
    var start: MonotonicInstant
    var chunk: Int64 = 0
    var sequence: UInt32 = 0
    var interruption: StreamInterruption?
  }

  private struct State {
    var position: Position?
    var ticker: Ticker?
    var statistics = StreamStatistics()
  }

  let configuration: StreamConfiguration
  private let device: SimulatedDevice
  private let world: SimulatedWorld
  private let delivery = Delivery()
  private let state = Locked(State())
  private let faults: StreamFaults
  private let noise: UInt64

  init(device: SimulatedDevice, configuration: StreamConfiguration) {
    self.device = device
    self.configuration = configuration
    world = device.world
    faults = StreamFaults(device: device)
    noise = Chance.start(device.world.scene.seed, "sound")
  }

  var statistics: StreamStatistics { state.withLock { $0.statistics } }

  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    let now = world.clock.now
    guard let run = delivery.begin(receiver) else {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(CaptureDeviceError) {
      try device.streamStarted(at: now, configuration)
      let position = Position(start: now.advanced(by: faults.startDelay))
      state.withLock { state in
        state.position = position
        state.statistics = StreamStatistics()
      }
      let ticker = try Ticker(name: "sim-microphone", clock: world.clock, first: time(of: 1, position)) {
        [weak self] in
        self?.tick(run: run)
      }
      let isOver = state.withLock { state in
        let isOver = !delivery.isCurrent(run)
        if !isOver { state.ticker = ticker }
        return isOver
      }
      if isOver { ticker.cancel() }
    } catch {
      delivery.end()
      throw error
    }
  }

  func stop() {
    if delivery.end() { cancel() }
  }

  func fail(_ error: CaptureDeviceError) {
    if delivery.fail(error) { cancel() }
  }

  var isBehind: Bool { state.withLock { $0.ticker }?.isBehind ?? false }

  private func cancel() {
    let ticker = state.withLock { state in
      defer { state.ticker = nil }
      return state.ticker
    }
    ticker?.cancel()
  }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    throw CaptureDeviceError(
      .formatUnsupported, "\(device.facts.name) is a microphone and has no frame rate.")
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    completion(
      .failure(
        CaptureDeviceError(.formatUnsupported, "\(device.facts.name) is a microphone and takes no pictures."))
    )
  }

  /// When chunk `index` begins by the house's clock; the microphone's own may run faster.
  private func time(of index: Int64, _ position: Position) -> MonotonicInstant {
    let nanoseconds = index * Int64(Self.framesPerChunk) * 1_000_000_000 / Int64(Self.sampleRate)
    guard faults.audioRate != 1 else { return position.start.advanced(byNanoseconds: nanoseconds) }
    return position.start.advanced(byNanoseconds: Int64((Double(nanoseconds) / faults.audioRate).rounded()))
  }

  private func tick(run: UInt64) -> MonotonicInstant? {
    guard delivery.isCurrent(run), var position = state.withLock({ $0.position }) else { return nil }
    guard handleChunk(&position, run: run) else { return nil }
    position.chunk += 1
    let next = time(of: position.chunk + 1, position)
    return state.withLock { state in
      guard delivery.isCurrent(run) else { return nil }
      state.position = position
      return next
    }
  }

  private func handleChunk(_ position: inout Position, run: UInt64) -> Bool {
    let timestamp = time(of: position.chunk, position)
    let seconds = Double(timestamp.nanoseconds - position.start.nanoseconds) / 1e9
    if !faults.isEmpty {
      let interruption = faults.interruption(at: seconds, now: world.clock.now)
      if interruption != position.interruption {
        if position.interruption != nil {
          guard delivery.deliver(.resumed, run: run) else { return false }
        }
        position.interruption = interruption
        if let interruption {
          guard delivery.deliver(.interrupted(interruption), run: run) else { return false }
        }
      }
      if interruption != nil || faults.isStalled(at: seconds) { return true }
    }
    let sequence = position.sequence
    position.sequence += 1
    if faults.drops(sequence, at: seconds) {
      state.withLock { state in
        state.statistics.captured += 1
        state.statistics.droppedDiscontinuity += 1
      }
      return delivery.deliver(
        .dropped(
          DroppedFrame(
            sequence: sequence, timestamp: timestamp, reason: .discontinuity,
            inFlight: world.clock.makeToken())), run: run)
    }
    let samples = samples(chunk: position.chunk, seconds: seconds)
    let block = samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.delivered += 1
    }
    return delivery.deliver(
      .audio(
        CapturedAudio(
          samples: block, sampleRate: Double(Self.sampleRate), channels: channels,
          frameCount: Self.framesPerChunk,
          timestamp: timestamp, sequence: sequence, inFlight: world.clock.makeToken())), run: run)
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

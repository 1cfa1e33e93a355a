internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import StillCodecs

/// One camera's stream: exposes a frame at each slot of time, and loses, delays and damages as the scene says.
///
/// Slot *k* is exposed from its timestamp on and arrives one frame duration later. Timestamps lie on an exact grid
/// from the start of the stream; sequence numbers count the frames that were exposed.
final class VideoEngine: StreamEngine {
  private struct Still {
    var request: StillRequest
    var requested: MonotonicInstant
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  /// A frame that is being exposed.
  private struct HeldFrame {
    var conditions: FrameConditions
    /// The pictures that are taken with it.
    var stills: [Still]
    /// How many slots it takes.
    var slots: Int64
  }

  /// What is to be told of one exposure.
  private enum Outcome {
    case frame(FrameMoment, MonotonicInstant, FrameConditions)
    case lost(DropReason, UInt32, MonotonicInstant)
  }

  /// Where the stream is in time.
  private struct Position {
    var start: MonotonicInstant
    /// The grid's origin: the start, or the slot from which another frame duration holds.
    var base: MonotonicInstant
    var slot: Int64 = 0
    var duration: FrameDuration
    var sequence: UInt32 = 0
    var lastArrival: MonotonicInstant
    var interruption: StreamInterruption?
    /// A frame whose exposure takes longer than the slots that have passed since it began.
    var held: HeldFrame?
    /// How many slots the newest frame took.
    var filledSlots: Int64 = 1
    /// Exposures that are told when those after them have been seen, oldest first.
    var seen: [Outcome] = []

    func timestamp(_ slot: Int64) -> MonotonicInstant {
      // Split, because slot × 10⁹ × numerator overflows after some hours at 1001/240000.
      let units = slot * Int64(duration.numerator)
      let whole = units / Int64(duration.denominator)
      let rest = units % Int64(duration.denominator)
      return base.advanced(
        byNanoseconds: whole * 1_000_000_000 + rest * 1_000_000_000 / Int64(duration.denominator))
    }

    /// Seconds since the stream started.
    func seconds(_ time: MonotonicInstant) -> Double {
      Double(time.nanoseconds - start.nanoseconds) / 1e9
    }
  }

  private struct State {
    var configuration: StreamConfiguration
    var position: Position?
    var stills: [Still] = []
    /// Pictures that are exposed and being painted, by number; on the real clock only.
    var developing: [UInt64: Still] = [:]
    /// Those that are painted and not yet handed over.
    var developed: [(number: UInt64, result: Result<CapturedFrame, CaptureDeviceError>)] = []
    var nextStill: UInt64 = 0
    var ticker: Ticker?
    var statistics = StreamStatistics()
  }

  private let device: SimulatedDevice
  private let world: SimulatedWorld
  private let delivery = Delivery()
  private let state: Locked<State>
  private let ring: FrameRing
  private let painter: FramePainter
  private let isMotionJPEG: Bool
  private let faults: StreamFaults
  private let steadying: Steadying
  /// Where pictures are painted on the real clock, one after the other.
  private let darkroom = DispatchQueue(label: "sim-stills")

  init(device: SimulatedDevice, configuration: StreamConfiguration) {
    self.device = device
    world = device.world
    faults = StreamFaults(device: device)
    steadying = Steadying(configuration.stabilization)
    state = Locked(State(configuration: configuration))
    let pixelFormat: OSType
    switch configuration.format.encoding {
    case .pixels(let format):
      pixelFormat = format
      isMotionJPEG = false
    case .motionJPEG:
      pixelFormat = FourCharacterCodes.fullRange420
      isMotionJPEG = true
    }
    let key = PainterKey(
      size: configuration.size, format: pixelFormat, usesP3: configuration.usesP3,
      isPicture: isMotionJPEG || configuration.format.isPhotoQuality)
    painter = FramePainter(key, model: device.model, world: world)
    ring = FrameRing(
      format: pixelFormat, width: configuration.size.width, height: configuration.size.height,
      capacity: min(configuration.bufferCount, faults.bufferLimit), attachments: key.attachments)
  }

  var configuration: StreamConfiguration { state.withLock { $0.configuration } }
  var statistics: StreamStatistics { state.withLock { $0.statistics } }

  // MARK: Starting and stopping

  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    let duration = configuration.frameDuration
    let now = world.clock.now
    guard let run = delivery.begin(receiver) else {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(CaptureDeviceError) {
      try device.streamStarted(at: now, configuration)
    } catch {
      delivery.end()
      throw error
    }
    let begin = now.advanced(by: faults.startDelay)
    var position = Position(start: begin, base: begin, duration: duration, lastArrival: begin)
    let first = arrival(of: &position)
    state.withLock { state in
      state.position = position
      state.statistics = StreamStatistics()
    }
    let ticker: Ticker
    do throws(CaptureDeviceError) {
      ticker = try Ticker(name: "sim-camera", clock: world.clock, first: first) { [weak self] in
        self?.tick(run: run)
      }
    } catch {
      delivery.end()
      throw error
    }
    state.withLock { state in
      if delivery.isCurrent(run) { state.ticker = ticker } else { ticker.cancel() }
    }
  }

  func stop() {
    let wasRunning = delivery.end()
    let name = device.facts.name
    finish(
      CaptureDeviceError(
        .noFrames, "\(name) was stopped before it took the picture; start the stream and try again."),
      if: wasRunning)
  }

  func fail(_ error: CaptureDeviceError) {
    let wasRunning = delivery.fail(error)
    finish(error, if: wasRunning)
  }

  /// Ends ticking and answers the stills that will never be taken.
  private func finish(_ error: CaptureDeviceError, if wasRunning: Bool) {
    guard wasRunning else { return }
    device.streamStopped()
    let stills = state.withLock { state in
      state.ticker?.cancel()
      state.ticker = nil
      defer {
        state.stills = []
        state.position?.held = nil
        state.developing = [:]
        state.developed = []
      }
      let exposed = state.developing.sorted { $0.key < $1.key }.map(\.value)
      return exposed + (state.position?.held?.stills ?? []) + state.stills
    }
    for still in stills { still.completion(.failure(error)) }
  }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    let name = device.facts.name
    return try state.withLock { state throws(CaptureDeviceError) in
      let format = state.configuration.format
      guard format.frameDurations.contains(where: { $0.contains(duration) }) else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(name) cannot stream \(format.size) at \(duration.rate) frames a second; choose a rate of the format."
        )
      }
      state.configuration.frameDuration = duration
      return duration
    }
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    let name = device.facts.name
    guard configuration.format.stillSizes.contains(request.size) else {
      let sizes = configuration.format.stillSizes.map(\.description).joined(separator: ", ")
      completion(
        .failure(
          CaptureDeviceError(
            .formatUnsupported, "\(name) takes no picture of \(request.size) now; choose one of \(sizes).")))
      return
    }
    do throws(CaptureDeviceError) {
      try device.check(request, format: configuration.format)
    } catch {
      completion(.failure(error))
      return
    }
    let still = Still(request: request, requested: world.clock.now, completion: completion)
    let isQueued = state.withLock { state in
      // Under the lock that `finish` takes, so that a stop cannot miss it.
      guard delivery.isRunning else { return false }
      state.stills.append(still)
      return true
    }
    if !isQueued {
      completion(
        .failure(
          CaptureDeviceError(
            .noFrames, "\(name) takes no picture because it does not stream; start it first.")))
    }
  }

  // MARK: Frames

  /// When the frame of the position's slot reaches the client.
  private func arrival(of position: inout Position) -> MonotonicInstant {
    var time = position.timestamp(position.slot + 1)
    if faults.jitter > 0 { time = time.advanced(by: faults.delay(of: position.sequence)) }
    time = max(time, position.lastArrival)
    position.lastArrival = time
    return time
  }

  /// Handles one slot and returns when the next one arrives, or `nil` when the run is over.
  private func tick(run: UInt64) -> MonotonicInstant? {
    guard delivery.isCurrent(run), var position = state.withLock({ $0.position }) else { return nil }
    let begins = position.held == nil
    guard handOverDeveloped(run: run) else { return nil }
    guard handleSlot(&position, run: run) else { return nil }
    if begins, let held = position.held {
      // Exposed longer than a slot: it comes when its exposure is over, and the slots that it fills have no other.
      position.slot += held.slots - 1
      let later = arrival(of: &position)
      position.slot -= held.slots - 1
      return state.withLock { state in
        guard delivery.isCurrent(run) else { return nil }
        state.position = position
        return later
      }
    }
    moveOn(&position)
    var next = arrival(of: &position)
    if !world.clock.isManual {
      // A machine too slow for the rate loses frames; a camera would not wait for it either.
      while next.advanced(byNanoseconds: position.duration.nanoseconds) < world.clock.now {
        guard lose(&position, .discontinuity, run: run) else { return nil }
        moveOn(&position)
        next = arrival(of: &position)
      }
    }
    return state.withLock { state in
      guard delivery.isCurrent(run) else { return nil }
      state.position = position
      return next
    }
  }

  /// Goes to the next slot; from there on another frame duration holds, if one was asked for.
  private func moveOn(_ position: inout Position) {
    position.slot += position.filledSlots
    position.filledSlots = 1
    let wanted = state.withLock { $0.configuration.frameDuration }
    if wanted != position.duration {
      position.base = position.timestamp(position.slot)
      position.slot = 0
      position.duration = wanted
    }
  }

  private func handleSlot(_ position: inout Position, run: UInt64) -> Bool {
    let timestamp = position.timestamp(position.slot)
    let seconds = position.seconds(timestamp)
    if position.held == nil, !faults.isEmpty {
      let interruption = faults.interruption(at: seconds, now: world.clock.now)
      if interruption != position.interruption {
        if position.interruption != nil {
          guard delivery.deliver(.resumed, run: run) else { return false }
        }
        position.interruption = interruption
        if let interruption {
          guard tell(&position, allBut: 0, run: run) else { return false }
          guard delivery.deliver(.interrupted(interruption), run: run) else { return false }
        }
      }
      if interruption != nil || faults.isStalled(at: seconds) { return true }
      if faults.drops(position.sequence, at: seconds) { return lose(&position, .discontinuity, run: run) }
    }
    let exposed = position.held ?? expose(timestamp, seconds, duration: position.duration)
    if position.held == nil && exposed.slots > 1 {
      position.held = exposed
      return true
    }
    position.held = nil
    position.filledSlots = exposed.slots
    var moment = device.optics.moment(exposed.conditions.state, seconds: seconds, sequence: position.sequence)
    moment.isFlash = world.clicks(from: seconds, length: 1 / position.duration.rate)
    position.sequence += 1
    guard see(.frame(moment, timestamp, exposed.conditions), &position, run: run) else {
      fail(exposed.stills)
      return false
    }
    return complete(
      exposed.stills, moment, timestamp: timestamp, conditions: exposed.conditions, run: run)
  }

  /// Begins the exposure of the frame of `timestamp`, with the pictures that are due.
  private func expose(_ timestamp: MonotonicInstant, _ seconds: Double, duration: FrameDuration) -> HeldFrame
  {
    let stills = takeDueStills(timestamp)
    let conditions = device.exposeFrame(
      at: timestamp, seconds: seconds, frameNanoseconds: duration.nanoseconds, still: stills.first?.request)
    let exposure = conditions.state.exposure.durationNanoseconds ?? 0
    // A microsecond's slack: a third of a second is no whole number of nanoseconds.
    let slots = (exposure - 1_000 + duration.nanoseconds - 1) / max(duration.nanoseconds, 1)
    return HeldFrame(conditions: conditions, stills: stills, slots: max(slots, 1))
  }

  /// Takes an exposure, and tells the one that has waited long enough for those after it.
  private func see(_ outcome: Outcome, _ position: inout Position, run: UInt64) -> Bool {
    // Nothing is kept where nothing waits: that would be an allocation for each frame.
    guard steadying.lookAhead > 0 else { return tell(outcome, run: run) }
    position.seen.append(outcome)
    return tell(&position, allBut: steadying.lookAhead, run: run)
  }

  /// Tells what was exposed, all but the newest `count`.
  private func tell(_ position: inout Position, allBut count: Int, run: UInt64) -> Bool {
    while position.seen.count > count {
      guard tell(position.seen.removeFirst(), run: run) else { return false }
    }
    return true
  }

  private func tell(_ outcome: Outcome, run: UInt64) -> Bool {
    switch outcome {
    case .frame(let moment, let timestamp, let conditions):
      deliver(moment, timestamp: timestamp, conditions: conditions, run: run)
    case .lost(let reason, let sequence, let timestamp): report(reason, sequence, timestamp, run: run)
    }
  }

  private func deliver(
    _ moment: FrameMoment, timestamp: MonotonicInstant, conditions: FrameConditions, run: UInt64
  ) -> Bool {
    guard let (buffer, slot) = ring.take() else {
      return report(.outOfBuffers, moment.sequence, timestamp, run: run)
    }
    if !world.scene.isStill {
      painter.paint(moment.steadied(steadying), into: buffer)
    } else if !slot.isPainted {
      painter.paint(FrameMoment(seconds: 0, sequence: 0, gain: 1, iso: 100, isFlash: false), into: buffer)
      slot.isPainted = true
    }
    let picture: CapturedFrame.Picture
    do {
      picture =
        isMotionJPEG ? try compress(buffer, sequence: moment.sequence, at: moment.seconds) : .pixels(buffer)
    } catch {
      return report(.discontinuity, moment.sequence, timestamp, run: run)
    }
    let frame = CapturedFrame(
      picture: picture, timestamp: timestamp, sequence: moment.sequence, conditions: conditions,
      inFlight: world.clock.makeToken())
    // Counted before the receiver hears of it, so that a client never knows more than the statistics.
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.delivered += 1
    }
    return delivery.deliver(.frame(frame), run: run)
  }

  /// Counts and reports a frame that the device lost before anybody exposed it.
  private func lose(_ position: inout Position, _ reason: DropReason, run: UInt64) -> Bool {
    let timestamp = position.timestamp(position.slot)
    _ = device.exposeFrame(
      at: timestamp, seconds: position.seconds(timestamp), frameNanoseconds: position.duration.nanoseconds,
      still: nil)
    let sequence = position.sequence
    position.sequence += 1
    return see(.lost(reason, sequence, timestamp), &position, run: run)
  }

  private func report(
    _ reason: DropReason, _ sequence: UInt32, _ timestamp: MonotonicInstant, run: UInt64
  ) -> Bool {
    state.withLock { state in
      state.statistics.captured += 1
      switch reason {
      case .outOfBuffers: state.statistics.droppedOutOfBuffers += 1
      case .discontinuity: state.statistics.droppedDiscontinuity += 1
      }
    }
    return delivery.deliver(
      .dropped(DroppedFrame(sequence: sequence, timestamp: timestamp, reason: reason)), run: run)
  }

  private func compress(_ buffer: CVPixelBuffer, sequence: UInt32, at seconds: Double) throws
    -> CapturedFrame.Picture
  {
    var bytes = try JPEGEncoder.encode(buffer)
    if faults.corrupts(sequence, at: seconds) { bytes = faults.damaged(bytes, sequence) }
    let block = bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    return .jpeg(block, configuration.size)
  }

  // MARK: Stills

  /// The pictures that are taken with the exposure that begins at `timestamp`: those that share it, or one of its own.
  private func takeDueStills(_ timestamp: MonotonicInstant) -> [Still] {
    state.withLock { state -> [Still] in
      guard let first = state.stills.first, first.requested <= timestamp else { return [] }
      if first.request.isOwn { return [state.stills.removeFirst()] }
      let end =
        state.stills.firstIndex { $0.request.isOwn || $0.requested > timestamp } ?? state.stills.count
      defer { state.stills.removeFirst(end) }
      return Array(state.stills[..<end])
    }
  }

  /// Takes pictures with the exposure that is over.
  private func complete(
    _ stills: [Still], _ moment: FrameMoment, timestamp: MonotonicInstant, conditions: FrameConditions,
    run: UInt64
  ) -> Bool {
    guard world.clock.isManual || stills.isEmpty else {
      develop(stills, moment, timestamp: timestamp, conditions: conditions)
      return delivery.isCurrent(run)
    }
    for (index, still) in stills.enumerated() {
      let result = takeStill(still.request.size, moment, timestamp: timestamp, conditions: conditions)
      if !delivery.perform(run: run, { still.completion(result) }) {
        fail(Array(stills[index...]))
        return false
      }
    }
    return delivery.isCurrent(run)
  }

  /// Paints pictures beside the camera's thread, so that frames go on; a later tick hands them over.
  ///
  /// What is painted follows from the moment alone, whenever that is.
  private func develop(
    _ stills: [Still], _ moment: FrameMoment, timestamp: MonotonicInstant, conditions: FrameConditions
  ) {
    for still in stills {
      let number = state.withLock { state -> UInt64? in
        // Under the lock that `finish` takes, so that a stop answers it or sees it here.
        guard delivery.isRunning else { return nil }
        state.nextStill += 1
        state.developing[state.nextStill] = still
        return state.nextStill
      }
      guard let number else {
        fail([still])
        continue
      }
      darkroom.async { [weak self] in
        guard let self, state.withLock({ $0.developing[number] != nil }) else { return }
        let result = takeStill(still.request.size, moment, timestamp: timestamp, conditions: conditions)
        state.withLock { state in
          if state.developing[number] != nil { state.developed.append((number, result)) }
        }
      }
    }
  }

  /// Hands painted pictures to those who asked for them, on the thread of the events.
  private func handOverDeveloped(run: UInt64) -> Bool {
    let ready = state.withLock { state -> [(Still, Result<CapturedFrame, CaptureDeviceError>)] in
      guard !state.developed.isEmpty else { return [] }
      defer { state.developed = [] }
      return state.developed.compactMap { number, result in
        state.developing.removeValue(forKey: number).map { ($0, result) }
      }
    }
    for (index, (still, result)) in ready.enumerated() {
      if !delivery.perform(run: run, { still.completion(result) }) {
        fail(ready[index...].map(\.0))
        return false
      }
    }
    return true
  }

  /// Answers pictures that will never be taken because the stream has stopped.
  private func fail(_ stills: [Still]) {
    let name = device.facts.name
    for still in stills {
      still.completion(
        .failure(
          CaptureDeviceError(
            .noFrames, "\(name) was stopped while it took the picture; start it and try again.")))
    }
  }

  private func takeStill(
    _ size: FrameSize, _ moment: FrameMoment, timestamp: MonotonicInstant, conditions: FrameConditions
  ) -> Result<CapturedFrame, CaptureDeviceError> {
    let configuration = configuration
    let key = PainterKey(
      size: size, format: FourCharacterCodes.fullRange420, usesP3: configuration.usesP3, isPicture: true)
    do {
      let buffer = try CVPixelBuffer(format: key.format, width: size.width, height: size.height)
      CVBufferSetAttachments(buffer, key.attachments, .shouldPropagate)
      device.stillPainter(key).paint(moment, into: buffer)
      let picture =
        isMotionJPEG ? try compress(buffer, sequence: moment.sequence, at: moment.seconds) : .pixels(buffer)
      return .success(
        CapturedFrame(
          picture: picture, timestamp: timestamp, sequence: moment.sequence, conditions: conditions,
          inFlight: world.clock.makeToken()))
    } catch {
      return .failure(
        CaptureDeviceError(
          .outOfMemory,
          "\(device.facts.name) has no memory for a picture of \(size) (\(error)); close other programs."))
    }
  }
}

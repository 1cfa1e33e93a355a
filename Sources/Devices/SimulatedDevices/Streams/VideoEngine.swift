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
  /// A weak reference that never changes: one in a capture list is a variable, which costs a check at each look.
  private struct WeakEngine: Sendable {
    weak let engine: VideoEngine?
  }

  private struct Still {
    var request: StillRequest
    var requested: MonotonicInstant
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  /// A frame that is being exposed; its pictures are in ``State/exposing``.
  private struct HeldFrame {
    var conditions: FrameConditions
    /// How many slots it takes.
    var slots: Int64
  }

  /// What is to be told of one exposure.
  private enum Outcome {
    case frame(Exposure)
    case lost(DropReason, UInt32, MonotonicInstant)
  }

  /// Where a run is in time: one object for each run, so that a tick neither takes a copy out of a lock nor puts one back.
  private final class Position: @unchecked Sendable {  // Safe: the ticks of a run follow each other.
    let start: MonotonicInstant
    /// The grid's origin: the start, or the slot from which another frame duration holds.
    @exclusivity(unchecked) var base: MonotonicInstant
    @exclusivity(unchecked) var slot: Int64 = 0
    @exclusivity(unchecked) var duration: FrameDuration
    @exclusivity(unchecked) var sequence: UInt32 = 0
    @exclusivity(unchecked) var lastArrival: MonotonicInstant
    @exclusivity(unchecked) var interruption: StreamInterruption?
    /// A frame whose exposure takes longer than the slots that have passed since it began.
    @exclusivity(unchecked) var held: HeldFrame?
    /// How many slots the newest frame took.
    @exclusivity(unchecked) var filledSlots: Int64 = 1
    /// Exposures that are told when those after them have been seen, oldest first.
    @exclusivity(unchecked) var seen: [Outcome] = []

    init(start: MonotonicInstant, duration: FrameDuration) {
      self.start = start
      base = start
      lastArrival = start
      self.duration = duration
    }

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
    var stills: [Still] = []
    /// The pictures that are taken with the exposure that is under way.
    var exposing: [Still] = []
    /// Pictures that are exposed and being painted, by number; on the real clock only.
    var developing: [UInt64: Still] = [:]
    /// Those that are painted and not yet handed over.
    var developed: [(number: UInt64, result: Result<CapturedFrame, CaptureDeviceError>)] = []
    var nextStill: UInt64 = 0
    var ticker: Ticker?
    var statistics = StreamStatistics()
    var past = PastExposures()
    /// Behind what each frame touches, for it is long.
    var configuration: StreamConfiguration
  }

  private let device: SimulatedDevice
  private let world: SimulatedWorld
  private let delivery = Delivery()
  private let state: Locked<State>
  private let ring: FrameRing
  /// `nil` where nobody asked for depth.
  private let depth: DepthTrack?
  private let painter: FramePainter
  private let isMotionJPEG: Bool
  private let faults: StreamFaults
  private var recalledFrames: Int { device.facts.capabilities.recalledFrames }
  private let stabilization: Stabilization
  /// Where pictures are painted on the real clock, one after the other.
  private let darkroom = DispatchQueue(label: "sim-stills")

  init(device: SimulatedDevice, configuration: StreamConfiguration) {
    self.device = device
    world = device.world
    faults = StreamFaults(device: device)
    stabilization = Stabilization(configuration.stabilization)
    state = Locked(State(configuration: configuration))
    let pixelFormat: OSType
    switch configuration.format.encoding {
    case .pixels(let format):
      pixelFormat = format
      isMotionJPEG = false
    case .motionJPEG:
      pixelFormat = FourCharacterCodes.fullRange420
      isMotionJPEG = true
    case .h264: preconditionFailure("A device refuses to open what it cannot make.")
    }
    let key = PainterKey(
      size: configuration.size, format: pixelFormat, usesP3: configuration.usesP3,
      isPicture: isMotionJPEG || configuration.format.isPhotoQuality)
    painter = FramePainter(key, model: device.model, world: world)
    ring = FrameRing(
      format: pixelFormat, width: configuration.size.width, height: configuration.size.height,
      capacity: configuration.bufferCount, attachments: key.attachments)
    depth = configuration.depth.map {
      DepthTrack($0, frame: configuration.size, model: device.model, world: device.world)
    }
  }

  var configuration: StreamConfiguration { state.withLock { $0.configuration } }
  var statistics: StreamStatistics { state.withLock { $0.statistics } }
  var depthStatistics: StreamStatistics { depth?.statistics ?? StreamStatistics() }

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
    let position = Position(start: begin, duration: duration)
    let first = arrival(of: position)
    state.withLock { state in
      state.statistics = StreamStatistics()
      state.past = PastExposures()
    }
    depth?.begin(run: run)
    let ticker: Ticker
    do throws(CaptureDeviceError) {
      let engine = WeakEngine(engine: self)
      ticker = try Ticker(name: "sim-camera", clock: world.clock, first: first) {
        engine.engine?.tick(position, run: run)
      }
    } catch {
      delivery.end()
      throw error
    }
    let isOver = state.withLock { state in
      let isOver = !delivery.isCurrent(run)
      if !isOver { state.ticker = ticker }
      return isOver
    }
    if isOver { ticker.cancel() }
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

  var isBehind: Bool { state.withLock { $0.ticker }?.isBehind ?? false }

  /// Ends ticking and answers the stills that will never be taken.
  private func finish(_ error: CaptureDeviceError, if wasRunning: Bool) {
    guard wasRunning else { return }
    device.streamStopped()
    let (stills, ticker) = state.withLock { state in
      defer {
        state.ticker = nil
        state.stills = []
        state.exposing = []
        state.developing = [:]
        state.developed = []
      }
      let exposed = state.developing.sorted { $0.key < $1.key }.map(\.value)
      return (exposed + state.exposing + state.stills, state.ticker)
    }
    ticker?.cancel()
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
    if let frame = request.frame { return recall(frame, for: still) }
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
  @inline(__always)
  private func arrival(of position: Position) -> MonotonicInstant {
    var time = position.timestamp(position.slot + 1)
    if faults.jitter > 0 { time = time.advanced(by: faults.delay(of: position.sequence)) }
    time = max(time, position.lastArrival)
    position.lastArrival = time
    return time
  }

  /// Handles one slot and returns when the next one arrives, or `nil` when the run is over.
  private func tick(_ position: Position, run: UInt64) -> MonotonicInstant? {
    guard delivery.isCurrent(run) else { return nil }
    let begins = position.held == nil
    guard handOverDeveloped(run: run), handleSlot(position, run: run) else { return nil }
    let next: MonotonicInstant?
    if begins, let held = position.held {
      // Exposed longer than a slot: it comes when its exposure is over, and the slots that it fills have no other.
      position.slot += held.slots - 1
      next = arrival(of: position)
      position.slot -= held.slots - 1
    } else {
      next = moveOn(position, run: run)
    }
    return delivery.isCurrent(run) ? next : nil
  }

  /// Goes to the next slot that can be had in time, and returns when it arrives; `nil` when the run is over.
  @inline(__always)
  private func moveOn(_ position: Position, run: UInt64) -> MonotonicInstant? {
    leaveSlot(position)
    var next = arrival(of: position)
    guard !world.clock.isManual else { return next }
    // A machine too slow for the rate loses frames; a camera would not wait for it either.
    while next.advanced(byNanoseconds: position.duration.nanoseconds) < world.clock.now {
      guard lose(position, .discontinuity, run: run) else { return nil }
      leaveSlot(position)
      next = arrival(of: position)
    }
    return next
  }

  /// Goes to the next slot; from there on another frame duration holds, if one was asked for.
  @inline(__always)
  private func leaveSlot(_ position: Position) {
    position.slot += position.filledSlots
    position.filledSlots = 1
    let wanted = state.withLock { $0.configuration.frameDuration }
    if wanted != position.duration {
      position.base = position.timestamp(position.slot)
      position.slot = 0
      position.duration = wanted
    }
  }

  @inline(__always)
  private func handleSlot(_ position: Position, run: UInt64) -> Bool {
    let timestamp = position.timestamp(position.slot)
    let seconds = position.seconds(timestamp)
    if position.held == nil, !faults.isEmpty, let goesOn = meetFaults(position, at: seconds, run: run) {
      return goesOn
    }
    let exposed = position.held ?? expose(timestamp, seconds, duration: position.duration)
    if position.held == nil && exposed.slots > 1 {
      position.held = exposed
      return true
    }
    position.held = nil
    position.filledSlots = exposed.slots
    let exposure = Exposure(
      timestamp: timestamp, seconds: seconds, sequence: position.sequence, duration: position.duration,
      conditions: exposed.conditions)
    position.sequence += 1
    return see(exposure, position, run: run) && complete(exposure, run: run)
  }

  /// Lets happen what the scene wants in this slot instead of a frame, and returns whether the run goes on; `nil` when a
  /// frame comes.
  @inline(never)
  private func meetFaults(_ position: Position, at seconds: Double, run: UInt64) -> Bool? {
    let interruption = faults.interruption(at: seconds, now: world.clock.now)
    if interruption != position.interruption {
      if position.interruption != nil {
        guard delivery.deliver(.resumed, run: run) else { return false }
      }
      position.interruption = interruption
      if let interruption {
        guard tell(position, allBut: 0, run: run) else { return false }
        guard delivery.deliver(.interrupted(interruption), run: run) else { return false }
      }
    }
    if interruption != nil || faults.isStalled(at: seconds) { return true }
    guard faults.drops(position.sequence, at: seconds) else { return nil }
    return lose(position, .discontinuity, run: run)
  }

  /// Begins the exposure of the frame of `timestamp`, with the pictures that are due.
  @inline(__always)
  private func expose(_ timestamp: MonotonicInstant, _ seconds: Double, duration: FrameDuration) -> HeldFrame
  {
    let still = takeDueStills(timestamp)
    let conditions = device.exposeFrame(
      at: timestamp, seconds: seconds, frameNanoseconds: duration.nanoseconds, still: still)
    let exposure = conditions.state.exposure.durationNanoseconds ?? 0
    // A microsecond's slack: a third of a second is no whole number of nanoseconds.
    let slots = (exposure - 1_000 + duration.nanoseconds - 1) / max(duration.nanoseconds, 1)
    return HeldFrame(conditions: conditions, slots: max(slots, 1))
  }

  /// Takes an exposure, and tells the one that has waited long enough for those after it.
  @inline(__always)
  private func see(_ exposure: Exposure, _ position: Position, run: UInt64) -> Bool {
    // Nothing is kept where nothing waits: that would be an allocation for each frame.
    guard stabilization.lookAhead > 0 else { return deliver(exposure, run: run) }
    return see(.frame(exposure), position, run: run)
  }

  @inline(never)
  private func see(_ outcome: Outcome, _ position: Position, run: UInt64) -> Bool {
    position.seen.append(outcome)
    return tell(position, allBut: stabilization.lookAhead, run: run)
  }

  /// Tells what was exposed, all but the newest `count`.
  private func tell(_ position: Position, allBut count: Int, run: UInt64) -> Bool {
    while position.seen.count > count {
      guard tell(position.seen.removeFirst(), run: run) else { return false }
    }
    return true
  }

  private func tell(_ outcome: Outcome, run: UInt64) -> Bool {
    switch outcome {
    case .frame(let exposure): deliver(exposure, run: run)
    case .lost(let reason, let sequence, let timestamp):
      report(reason, sequence, timestamp, run: run)
        && (depth?.lose(at: timestamp, run: run).map { delivery.deliver($0, run: run) } ?? true)
    }
  }

  /// Delivers a frame, and the depth map that was measured with it.
  @inline(__always)
  private func deliver(_ exposure: Exposure, run: UInt64) -> Bool {
    guard deliverFrame(exposure, run: run) else { return false }
    guard let depth else { return true }
    return measure(exposure, depth, run: run)
  }

  @inline(never)
  private func measure(_ exposure: Exposure, _ depth: DepthTrack, run: UInt64) -> Bool {
    let event = depth.measure(at: exposure.timestamp, exposure.conditions, run: run) {
      moment(of: exposure).stabilized(stabilization)
    }
    return event.map { delivery.deliver($0, run: run) } ?? true
  }

  @inline(__always)
  private func deliverFrame(_ exposure: Exposure, run: UInt64) -> Bool {
    guard let (buffer, slot) = ring.take() else {
      return report(.outOfBuffers, exposure.sequence, exposure.timestamp, run: run)
    }
    if !world.scene.isStill {
      painter.paint(moment(of: exposure).stabilized(stabilization), into: buffer)
    } else if !slot.isPainted {
      painter.paint(FrameMoment(seconds: 0, sequence: 0, gain: 1, iso: 100, isFlash: false), into: buffer)
      slot.isPainted = true
    }
    var frame = CapturedFrame(
      pixels: buffer, timestamp: exposure.timestamp, sequence: exposure.sequence,
      conditions: exposure.conditions)
    if world.clock.isManual { frame.inFlight = world.clock.makeToken() }
    if isMotionJPEG, !compress(&frame, of: buffer, at: exposure.seconds) {
      return report(.discontinuity, exposure.sequence, exposure.timestamp, run: run)
    }
    // Counted before the receiver hears of it, so that a client never knows more than the statistics.
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.delivered += 1
      state.past.note(exposure, capacity: recalledFrames)
    }
    return delivery.deliver(.frame(frame), run: run)
  }

  /// How the frame is painted.
  @inline(never)
  private func moment(of exposure: Exposure) -> FrameMoment {
    var moment = device.optics.moment(
      exposure.conditions.state, seconds: exposure.seconds, sequence: exposure.sequence)
    moment.isFlash = world.clicks(from: exposure.seconds, length: 1 / exposure.duration.rate)
    return moment
  }

  /// Counts and reports a frame that the device lost before anybody exposed it.
  @inline(never)
  private func lose(_ position: Position, _ reason: DropReason, run: UInt64) -> Bool {
    let timestamp = position.timestamp(position.slot)
    _ = device.exposeFrame(
      at: timestamp, seconds: position.seconds(timestamp), frameNanoseconds: position.duration.nanoseconds,
      still: nil)
    let sequence = position.sequence
    position.sequence += 1
    return see(.lost(reason, sequence, timestamp), position, run: run)
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
      .dropped(
        DroppedFrame(
          sequence: sequence, timestamp: timestamp, reason: reason, inFlight: world.clock.makeToken())),
      run: run)
  }

  /// Makes a frame's picture a JPEG; `false` when it cannot be.
  @inline(never)
  private func compress(_ frame: inout CapturedFrame, of buffer: CVPixelBuffer, at seconds: Double) -> Bool {
    do {
      frame.picture = try compress(buffer, sequence: frame.sequence, at: seconds)
      return true
    } catch {
      return false
    }
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

  /// Begins to expose the pictures that are taken with the exposure that begins at `timestamp`: those that share it, or one
  /// of its own; returns the first.
  @inline(__always)
  private func takeDueStills(_ timestamp: MonotonicInstant) -> StillRequest? {
    state.withLock { $0.stills.isEmpty ? nil : Self.takeDueStills(timestamp, &$0) }
  }

  @inline(never)
  private static func takeDueStills(_ timestamp: MonotonicInstant, _ state: inout State) -> StillRequest? {
    guard let first = state.stills.first, first.requested <= timestamp else { return nil }
    let end =
      first.request.isOwn
      ? 1 : state.stills.firstIndex { $0.request.isOwn || $0.requested > timestamp } ?? state.stills.count
    state.exposing = Array(state.stills[..<end])
    state.stills.removeFirst(end)
    return first.request
  }

  /// Paints the picture of a frame that was delivered already: what is painted follows from its moment alone.
  ///
  /// On a manual clock at once and here, so that what follows does not depend on how fast the machine is; else in the
  /// darkroom, and the answer comes from there as soon as it is painted.
  private func recall(_ frame: UInt32, for still: Still) {
    let run = delivery.run
    let exposed = state.withLock { $0.past.exposures.last { $0.sequence == frame } }
    guard let run, let exposed else {
      let name = device.facts.name
      let error =
        run == nil
        ? CaptureDeviceError(
          .noFrames, "\(name) takes no picture because it does not stream; start it first.")
        : CaptureDeviceError(
          .frameExpired,
          "\(name) does not keep its frame \(frame) any more; ask for a newer one, or the next.")
      return still.completion(.failure(error))
    }
    let paint = { @Sendable [self] in
      let result = takeStill(
        still.request.size, moment(of: exposed), timestamp: exposed.timestamp, conditions: exposed.conditions)
      if !delivery.perform(run: run, { still.completion(result) }) { fail([still]) }
    }
    if world.clock.isManual { paint() } else { darkroom.async(execute: paint) }
  }

  /// Takes the pictures of the exposure that is over.
  @inline(__always)
  private func complete(_ exposure: Exposure, run: UInt64) -> Bool {
    state.withLock { $0.exposing.isEmpty } || takePictures(exposure, run: run)
  }

  @inline(never)
  private func takePictures(_ exposure: Exposure, run: UInt64) -> Bool {
    let stills = state.withLock { state in
      defer { state.exposing = [] }
      return state.exposing
    }
    let (moment, timestamp, conditions) = (moment(of: exposure), exposure.timestamp, exposure.conditions)
    guard world.clock.isManual else {
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
  @inline(__always)
  private func handOverDeveloped(run: UInt64) -> Bool {
    state.withLock { $0.developed.isEmpty } || handOverSomeDeveloped(run: run)
  }

  @inline(never)
  private func handOverSomeDeveloped(run: UInt64) -> Bool {
    let ready = state.withLock { state -> [(Still, Result<CapturedFrame, CaptureDeviceError>)] in
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

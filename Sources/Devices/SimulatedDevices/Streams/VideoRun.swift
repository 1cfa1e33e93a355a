internal import CaptureDevice
internal import Linux
internal import StreamParts

/// One run of a camera's stream: exposes a frame at each slot of time, and loses, delays and damages as the scene says.
final class VideoRun: @unchecked Sendable {  // Safe because the ticks of a run follow each other.
  /// A frame that is being exposed.
  private struct OpenExposure {
    var conditions: FrameConditions
    /// The slots that it takes.
    var slots: Int64
  }

  /// The result of one exposure, to be reported.
  private enum Outcome {
    case frame(Exposure)
    case lost(DropReason, UInt32, MonotonicInstant)
  }

  /// The counts of frames.
  let counts = Locked(StreamStatistics())
  /// The counts of depth maps.
  var depthCounts: StreamStatistics { depth?.statistics ?? StreamStatistics() }

  private let camera: CameraParts
  private let stream: StreamRun
  private let configuration: Locked<StreamConfiguration>
  private let maker: FrameMaker
  private let stills: StillPictures
  private let depth: DepthTrack?
  private var timeline: FrameTimeline
  private var interruption = InterruptionChanges()
  /// A frame whose exposure takes longer than the slots that have passed since it began.
  private var held: OpenExposure?
  /// The slots that the newest frame took.
  private var filledSlots: Int64 = 1
  /// The number of exposures in ``seen``.
  let keptBack = Locked(0)
  /// Exposures that are reported when those after them have been seen, oldest first.
  private var seen: [Outcome] = []

  init(
    _ camera: CameraParts, _ stream: StreamRun, at start: MonotonicInstant,
    _ configuration: Locked<StreamConfiguration>, _ maker: FrameMaker, _ stills: StillPictures,
    _ depth: DepthMaker?
  ) {
    self.camera = camera
    self.stream = stream
    self.configuration = configuration
    self.maker = maker
    self.stills = stills
    self.depth = depth.map { DepthTrack($0) }
    timeline = FrameTimeline(start: start, duration: configuration.withLock { $0.frameDuration })
  }

  /// When the first frame reaches the client.
  func firstArrival() -> MonotonicInstant { arrival() }

  private func arrival(after slots: Int64 = 1) -> MonotonicInstant {
    timeline.arrival(after: slots, delay: camera.faults.delay(of: timeline.sequence))
  }

  /// Handles one slot and returns when the next one arrives, or `nil` when the run is over.
  func tick() -> MonotonicInstant? {
    guard !stream.isStopping else { return nil }
    let wasHeld = held != nil
    stills.handOver(run: stream)
    handleSlot()
    // Exposed longer than a slot: it comes when its exposure is over, and the slots that it fills have no other.
    if !wasHeld, let held { return stream.isStopping ? nil : arrival(after: held.slots) }
    leaveSlot()
    let next = camera.world.clock.isManual ? arrival() : catchUp()
    return stream.isStopping ? nil : next
  }

  /// Goes on to the slot of now, and returns when its frame arrives: a machine too slow for the rate loses frames.
  ///
  /// However slow it is, each tick makes a frame: what passes meanwhile is made up for by the next one.
  private func catchUp() -> MonotonicInstant {
    let now = camera.world.clock.now
    var next = arrival()
    var lost = 0
    while next.advanced(byNanoseconds: timeline.duration.nanoseconds) < now, !stream.isStopping {
      // Whatever stopped the process for longer stopped the camera with it; a slot that brings no frame loses none.
      if lost < FrameCounter.longestGap, !isSilent { lose() }
      lost += 1
      leaveSlot()
      next = arrival()
    }
    return next
  }

  private func leaveSlot() {
    timeline.advance(by: filledSlots, duration: configuration.withLock { $0.frameDuration })
    filledSlots = 1
  }

  private func handleSlot() {
    if held == nil, meetFaults() { return }
    let exposed = held ?? expose()
    if held == nil && exposed.slots > 1 {
      held = exposed
      return
    }
    held = nil
    filledSlots = exposed.slots
    let exposure = Exposure(
      timestamp: timeline.timestamp, seconds: timeline.seconds, sequence: timeline.takeSequence(),
      duration: timeline.duration, stabilization: stabilization, conditions: exposed.conditions)
    see(.frame(exposure))
    stills.complete(exposure, run: stream)
  }

  /// Lets happen what the scene wants in this slot instead of a frame; false when a frame comes.
  private func meetFaults() -> Bool {
    let faults = camera.faults
    guard !faults.isEmpty else { return false }
    let seconds = timeline.seconds
    let present = faults.interruption(at: seconds, now: camera.world.clock.now)
    let changes = interruption.update(to: present)
    if !changes.isEmpty, present != nil { report(allBut: 0) }
    for change in changes { stream.deliver(change) }
    if present != nil || faults.isStalled(at: seconds) { return true }
    guard faults.drops(timeline.sequence, at: seconds) else { return false }
    lose()
    return true
  }

  /// Whether the scene lets the camera send nothing in this slot.
  private var isSilent: Bool {
    let faults = camera.faults
    return faults.interruption(at: timeline.seconds, now: camera.world.clock.now) != nil
      || faults.isStalled(at: timeline.seconds)
  }

  /// Begins the exposure of the slot's frame, with the pictures that are due.
  private func expose() -> OpenExposure {
    let duration = timeline.duration.nanoseconds
    let conditions = camera.controls.expose(
      at: timeline.timestamp, seconds: timeline.seconds, frameNanoseconds: duration,
      still: stills.expose(at: timeline.timestamp))
    let exposure = conditions.state.exposure.durationNanoseconds ?? 0
    // A microsecond's slack: a third of a second is no whole number of nanoseconds.
    let slots = (exposure - 1_000 + duration - 1) / max(duration, 1)
    return OpenExposure(conditions: conditions, slots: max(slots, 1))
  }

  /// The current stabilization of the stream.
  private var stabilization: Stabilization { Stabilization(configuration.withLock { $0.stabilization }) }

  /// Counts a frame that the device loses before it is exposed.
  private func lose() {
    _ = camera.controls.expose(
      at: timeline.timestamp, seconds: timeline.seconds, frameNanoseconds: timeline.duration.nanoseconds,
      still: nil)
    let timestamp = timeline.timestamp
    see(.lost(.discontinuity, timeline.takeSequence(), timestamp))
  }

  // MARK: Reporting

  /// Takes an exposure, and reports the one that has waited long enough for those after it.
  private func see(_ outcome: Outcome) {
    // Nothing is kept where nothing waits: that would be an allocation for each frame.
    let lookAhead = stabilization.lookAhead
    guard lookAhead > 0 || !seen.isEmpty else { return report(outcome) }
    seen.append(outcome)
    // All at once would need as many buffers, when the mode has changed to one that looks less far ahead.
    report(allBut: max(lookAhead, seen.count - 2))
  }

  /// Reports what was exposed, all but the newest `count`.
  private func report(allBut count: Int) {
    while seen.count > count { report(seen.removeFirst()) }
    keptBack.withLock { $0 = seen.count }
  }

  private func report(_ outcome: Outcome) {
    guard !stream.isStopping else { return }
    switch outcome {
    case .frame(let exposure):
      report(exposure)
      if let depth, !stream.isStopping {
        send(depth.measure(exposure) { maker.moment(of: exposure) })
      }
    case .lost(let reason, let sequence, let timestamp):
      drop(reason, sequence, timestamp)
      if !stream.isStopping { send(depth?.lose(at: timestamp)) }
    }
  }

  private func report(_ exposure: Exposure) {
    switch maker.frame(of: exposure) {
    case .success(let frame):
      // Counted before the receiver is called, so that a client never knows more than the statistics.
      counts.withLock { $0.countDelivered() }
      stills.note(exposure)
      stream.deliver(.frame(frame))
    case .failure(let loss): drop(loss.reason, exposure.sequence, exposure.timestamp)
    }
  }

  private func send(_ event: StreamEvent?) {
    if let event { stream.deliver(event) }
  }

  private func drop(_ reason: DropReason, _ sequence: UInt32, _ timestamp: MonotonicInstant) {
    counts.withLock { $0.countDropped(reason) }
    let token = camera.world.clock.makeToken()
    stream.deliver(
      .dropped(DroppedFrame(sequence: sequence, timestamp: timestamp, reason: reason, inFlight: token)))
  }
}

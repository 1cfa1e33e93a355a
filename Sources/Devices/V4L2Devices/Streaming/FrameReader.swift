internal import CaptureDevice
internal import CoreMedia
internal import Glibc
internal import Linux

/// What the reader thread of a run does: wait, take, check, hand over.
struct FrameReader {
  private let run: StreamRun
  private let ring: BufferRing
  private var counter = FrameCounter()
  private var clock = FrameClock()
  private var check = MotionJPEGCheck()
  /// `nil` unless the camera sends H.264.
  private var coded: CodedFrames?
  private var lastTime: MonotonicInstant?
  private var silence: SilenceWatch
  /// What pictures are shown in, by buffer; made when a buffer is first filled.
  private var lent: [LentBuffer?]
  /// Whether the stream is interrupted, because the camera's privacy switch is closed.
  private var isPrivate = false

  init(_ run: StreamRun) {
    self.run = run
    lent = Array(repeating: nil, count: run.ring.count)
    silence = SilenceWatch(run.patience, frame: run.frameNanoseconds)
    ring = run.ring
    if run.wrapping.isH264 { coded = CodedFrames(ring) }
  }

  /// Runs until the run is stopped or the device fails, then ends the stream.
  mutating func read() {
    do throws(KernelRefusal) {
      coded?.askForKeyFrame()
      try readFrames()
    } catch {
      fail(error)
    }
    do throws(KernelRefusal) {
      try ring.stop()
    } catch  where error.saysGone {
      // The run is not over, and the device not closed, before the kernel has done with it.
      ring.removal?.wait()
    } catch {
      // What refuses to stop is stopped by being closed.
    }
    run.finish()
  }

  private func fail(_ refusal: KernelRefusal) {
    run.fail(refusal.error(run.device, "go on streaming") { ring.kernel.holders(of: run.device.path) })
  }

  private mutating func readFrames() throws(KernelRefusal) {
    while !run.isStopping {
      if tellPrivacy() { silence.restart() }
      // Nothing can come while clients and refusals leave the driver no buffer, and poll would not sleep.
      let isDry = ring.isDry
      let asked = isDry ? 20_000_000 : isPrivate ? SilenceWatch.tick : silence.nextWait
      let began = MonotonicInstant.now
      let ready = try ring.kernel.wait(isDry ? nil : ring.handle, run.wake, nanoseconds: asked)
      silence.waited(MonotonicInstant.now.nanoseconds - began.nanoseconds, asked: asked)
      ring.retryRefused()
      if !ready.isDisjoint(with: [.filled, .failed]) {
        if let buffer = try ring.take() {
          silence.heard()
          handle(buffer)
          continue
        }
        if ready.contains(.failed), !ring.isDry {
          // Gone, or in an error that only a new start mends.
          _ = try ring.kernel.identity(ring.handle)
          throw KernelRefusal(.wait, EIO)
        }
      }
      if isPrivate || run.isStopping { continue }
      if silence.isOver(isDry: isDry, exposure: { run.exposure().durationNanoseconds }) {
        run.fail(isSilent)
        return
      }
    }
  }

  private var isSilent: CaptureDeviceError {
    let tenths = silence.silence / 100_000_000
    return CaptureDeviceError(
      .noFrames,
      "\(run.device.name) (\(run.device.path)) streams but has sent no picture for \(tenths / 10).\(tenths % 10) s; "
        + "open its shutter, or unplug it and plug it in again.")
  }

  /// Tells when the privacy switch was closed or opened; true then.
  private mutating func tellPrivacy() -> Bool {
    let isPrivateNow = run.isPrivate
    if isPrivateNow == isPrivate { return false }
    isPrivate = isPrivateNow
    run.tell(isPrivate ? .interrupted(.privacy) : .resumed)
    return true
  }

  // MARK: One frame

  private mutating func handle(_ buffer: FilledBuffer) {
    if isPrivate {
      // What a closed camera sends is no picture.
      counter.pass(over: buffer.sequence)
      coded?.breakOff()
      return ring.giveBack(buffer.index)
    }
    let arrival = MonotonicInstant.now
    let (sequence, lost) = counter.advance(to: buffer.sequence)
    let time = clock.time(stamp: buffer.monotonicNanoseconds, arrival: arrival)
    let ranDry = ring.takeDryness()
    record { diagnosis in
      diagnosis.arrivalStamps = clock.arrivalStamps
      diagnosis.renumberings = counter.renumberings
      diagnosis.refusedReturns = ring.refusedReturns
    }
    reportLost(lost, before: sequence, at: time, ranDry ? .outOfBuffers : .discontinuity)
    lastTime = time
    if coded != nil { return handleCoded(buffer, sequence, time) }

    let memory = ring.memory(buffer.index)
    guard !buffer.isBroken, run.wrapping.isWhole(memory.bytes, used: buffer.usedBytes, &check) else {
      ring.giveBack(buffer.index)
      return drop(sequence, time, .discontinuity)
    }
    // This buffer counts as out already. A photo may take one of the reserve, as long as the driver keeps one.
    let out = ring.filledCount
    let stills = takeStills(at: time, mayTake: out < ring.count)
    if out > ring.limit, stills.isEmpty {
      ring.giveBack(buffer.index)
      return drop(sequence, time, .outOfBuffers)
    }
    guard let picture = picture(in: memory, buffer) else {
      ring.giveBack(buffer.index)
      return drop(sequence, time, .discontinuity)
    }
    let frame = CapturedFrame(
      picture: picture, timestamp: time, sequence: sequence, conditions: run.history.conditions(at: time))
    if out > ring.limit {
      drop(sequence, time, .outOfBuffers)
    } else if run.tell(.frame(frame)) {
      record { diagnosis in
        diagnosis.captured += 1
        diagnosis.delivered += 1
      }
    }
    complete(stills, frame)
  }

  /// Hands over an access unit that can be decoded after those before it.
  private mutating func handleCoded(_ buffer: FilledBuffer, _ sequence: UInt32, _ time: MonotonicInstant) {
    // This buffer counts as out already.
    let hasRoom = ring.filledCount <= ring.limit
    switch coded?.take(buffer, sequence, hasRoom: hasRoom) {
    case .picture(let picture):
      let frame = CapturedFrame(
        picture: .h264(picture), timestamp: time, sequence: sequence,
        conditions: run.history.conditions(at: time))
      guard run.tell(.frame(frame)) else { return }
      record { diagnosis in
        diagnosis.captured += 1
        diagnosis.delivered += 1
      }
    case .lost(let reason): drop(sequence, time, reason)
    case .noFrame, nil: counter.takeBack()
    }
  }

  /// The picture that a buffer holds, without copying; the buffer goes back when the last reference to it goes.
  private mutating func picture(in memory: MappedMemory, _ buffer: FilledBuffer) -> CapturedFrame.Picture? {
    let index = buffer.index
    if let jpeg = run.wrapping.jpegSize {
      let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes.prefix(buffer.usedBytes))
      let block = CMBlockBuffer(wrapping: bytes) { [weak ring] in
        ring?.giveBack(index)
        withExtendedLifetime(memory) {}
      }
      return .jpeg(block, jpeg)
    }
    if lent[index] == nil, let shown = run.wrapping.pictureMemory(memory.bytes) {
      lent[index] = LentBuffer(shown, in: memory, index, of: ring, run.device)
    }
    guard let lent = lent[index] else { return nil }
    run.wrapping.touchUp(memory.bytes)
    return .pixels(lent.picture())
  }

  private func reportLost(
    _ lost: UInt32, before sequence: UInt32, at time: MonotonicInstant, _ reason: DropReason
  ) {
    guard lost > 0 else { return }
    // Lost frames have no stamp: they lie evenly between those that came.
    let previous = lastTime ?? time
    let step = (time.nanoseconds - previous.nanoseconds) / Int64(lost + 1)
    for number in 1...lost {
      drop(
        sequence - lost + number - 1, previous.advanced(byNanoseconds: step * Int64(number)), reason)
    }
  }

  private func drop(_ sequence: UInt32, _ time: MonotonicInstant, _ reason: DropReason) {
    let frame = DroppedFrame(sequence: sequence, timestamp: time, reason: reason)
    // What comes after a stop is nobody's frame.
    guard run.tell(.dropped(frame)) else { return }
    record { diagnosis in
      diagnosis.captured += 1
      switch reason {
      case .outOfBuffers: diagnosis.droppedOutOfBuffers += 1
      case .discontinuity: diagnosis.droppedDiscontinuity += 1
      }
    }
  }

  private func record(_ change: (inout StreamDiagnosis) -> Void) {
    run.state.withLock { change(&$0.diagnosis) }
  }

  // MARK: Stills

  /// The pictures that this frame serves: it must not be older than the request, but a driver with strange stamps
  /// shall not keep a photo waiting for ever.
  private func takeStills(at time: MonotonicInstant, mayTake: Bool) -> [StreamRun.Still] {
    run.state.withLock { state in
      guard mayTake, !state.stills.isEmpty else { return [] }
      let served = state.stills.filter { $0.requested <= time || $0.refusals == 0 }
      state.stills = state.stills.filter { $0.requested > time && $0.refusals > 0 }.map { still in
        var still = still
        still.refusals -= 1
        return still
      }
      return served
    }
  }

  private func complete(_ stills: [StreamRun.Still], _ frame: CapturedFrame) {
    guard !stills.isEmpty else { return }
    var frame = frame
    var state = frame.conditions.state
    state.exposure = run.exposure()
    frame.conditions = FrameConditions(state)
    for still in stills where !run.deliver({ still.completion(.success(frame)) }) {
      still.completion(.failure(run.stopped))
    }
  }
}

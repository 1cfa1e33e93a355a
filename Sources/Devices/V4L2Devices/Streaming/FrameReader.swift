internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// What the reader thread of a run does: wait, take, check, hand over.
struct FrameReader {
  private let run: StreamRun
  private let wrapping: FrameWrapping
  private var frames: NodeReader
  /// `nil` unless the stream measures depth.
  private var depth: DepthReader?
  private var check = MotionJPEGCheck()
  /// `nil` unless the camera sends H.264.
  private var coded: CodedFrames?
  /// Whether the stream is interrupted, because the camera's privacy switch is closed.
  private var isPrivate = false

  init(_ run: StreamRun) {
    self.run = run
    wrapping = run.frames.wrapping
    frames = NodeReader(run.frames, of: run)
    depth = DepthReader(run)
    if wrapping.isH264 { coded = CodedFrames(run.frames.ring) }
  }

  /// Runs until the run is stopped or a device fails, then ends the stream.
  mutating func read() {
    do throws(CaptureDeviceError) {
      coded?.askForKeyFrame()
      try readBuffers()
    } catch {
      run.fail(error)
    }
    let limit = DeviceRemoval.limit
    frames.stop(until: limit)
    depth?.node.stop(until: limit)
    run.finish()
  }

  private mutating func readBuffers() throws(CaptureDeviceError) {
    while !run.isStopping {
      if tellPrivacy() {
        frames.forgetSilence()
        depth?.node.forgetSilence()
      }
      var asked = frames.prepareWait(isPrivate: isPrivate)
      if let most = depth?.node.prepareWait(isPrivate: isPrivate) { asked = min(asked, most) }
      let began = MonotonicInstant.now
      let ready = try wait(asked)
      let elapsed = MonotonicInstant.now.nanoseconds - began.nanoseconds
      if let buffer = try frames.take(ready.frames, waited: elapsed, asked: asked) {
        handle(buffer)
      } else if !isPrivate, !run.isStopping {
        try frames.checkSilence { run.exposure().durationNanoseconds }
      }
      if depth != nil { try readDepth(ready.depth, waited: elapsed, asked: asked) }
    }
  }

  private func wait(
    _ nanoseconds: Int64
  ) throws(CaptureDeviceError) -> (frames: VideoReadiness, depth: VideoReadiness) {
    let kernel = frames.ring.kernel
    do throws(KernelRefusal) {
      guard let depth else {
        return (try kernel.wait(frames.awaited, run.wake, nanoseconds: nanoseconds), [])
      }
      return try kernel.wait(frames.awaited, depth.node.awaited, run.wake, nanoseconds: nanoseconds)
    } catch {
      throw frames.failure(error)
    }
  }

  private mutating func readDepth(
    _ ready: VideoReadiness, waited elapsed: Int64, asked: Int64
  ) throws(CaptureDeviceError) {
    guard let buffer = try depth?.node.take(ready, waited: elapsed, asked: asked) else {
      if !isPrivate, !run.isStopping { try depth?.node.checkSilence { nil } }
      return
    }
    if isPrivate { depth?.node.pass(over: buffer) } else { depth?.handle(buffer) }
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
      coded?.breakOff()
      return frames.pass(over: buffer)
    }
    let (sequence, time) = frames.count(buffer)
    if coded != nil { return handleCoded(buffer, sequence, time) }

    let ring = frames.ring
    let memory = ring.memory(buffer.index)
    guard !buffer.isBroken, wrapping.isWhole(memory.bytes, used: buffer.usedBytes, &check) else {
      ring.giveBack(buffer.index)
      return frames.drop(sequence, time, .discontinuity)
    }
    // This buffer counts as out already. A photo may take one of the reserve, as long as the driver keeps one.
    let out = ring.filledCount
    let stills = takeStills(at: time, mayTake: out < ring.count)
    if out > ring.limit, stills.isEmpty {
      ring.giveBack(buffer.index)
      return frames.drop(sequence, time, .outOfBuffers)
    }
    guard let picture = picture(in: memory, buffer) else {
      ring.giveBack(buffer.index)
      return frames.drop(sequence, time, .discontinuity)
    }
    let frame = CapturedFrame(
      picture: picture, timestamp: time, sequence: sequence, conditions: run.history.conditions(at: time))
    if out > ring.limit {
      frames.drop(sequence, time, .outOfBuffers)
    } else {
      frames.deliver(.frame(frame))
    }
    complete(stills, frame)
  }

  /// Hands over an access unit that can be decoded after those before it.
  private mutating func handleCoded(_ buffer: FilledBuffer, _ sequence: UInt32, _ time: MonotonicInstant) {
    // This buffer counts as out already.
    let hasRoom = frames.ring.filledCount <= frames.ring.limit
    switch coded?.take(buffer, sequence, hasRoom: hasRoom) {
    case .picture(let picture):
      frames.deliver(
        .frame(
          CapturedFrame(
            picture: .h264(picture), timestamp: time, sequence: sequence,
            conditions: run.history.conditions(at: time))))
    case .lost(let reason): frames.drop(sequence, time, reason)
    case .noFrame, nil: frames.takeBackNumber()
    }
  }

  /// The picture that a buffer holds, without copying; the buffer goes back when the last reference to it goes.
  private mutating func picture(in memory: MappedMemory, _ buffer: FilledBuffer) -> CapturedFrame.Picture? {
    guard let jpeg = wrapping.jpegSize else {
      return frames.picture(in: memory, buffer.index).map { .pixels($0) }
    }
    let index = buffer.index
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes.prefix(buffer.usedBytes))
    let block = CMBlockBuffer(wrapping: bytes) { [weak ring = frames.ring] in
      ring?.giveBack(index)
      withExtendedLifetime(memory) {}
    }
    return .jpeg(block, jpeg)
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

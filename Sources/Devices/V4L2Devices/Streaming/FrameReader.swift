internal import CaptureDevice
internal import CoreMedia
internal import Linux
internal import StreamParts

/// The loop of a run's reader thread: it waits for buffers, takes and checks them, and delivers their frames.
struct FrameReader {
  private let run: StreamingNodes
  private let wrapping: FrameWrapping
  private var frames: NodeReader
  /// `nil` unless the stream measures depth.
  private var depth: DepthReader?
  private var check = MotionJPEGCheck()
  /// `nil` unless the camera sends H.264.
  private var coded: CodedFrames?
  /// Whether the driver makes key frames on demand; others make the next one in their own time, mostly within some seconds.
  private let makesKeyFrames: Bool
  /// Whether the stream is interrupted, because the camera's privacy switch is closed.
  private var isPrivate = false

  init(_ run: StreamingNodes) {
    self.run = run
    wrapping = run.frames.wrapping
    frames = NodeReader(run.frames, of: run)
    depth = DepthReader(run)
    if let syntax = wrapping.codedSyntax { coded = CodedFrames(syntax) }
    let ring = frames.ring
    let control = coded == nil ? nil : (try? ring.kernel.control(ring.handle, .forceKeyFrame)) ?? nil
    makesKeyFrames = control?.isWritable == true
  }

  /// Runs until the run is stopped or a device fails, then ends the stream.
  mutating func read() {
    do throws(CaptureDeviceError) {
      askForKeyFrame()
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
    while !run.stream.isStopping {
      if reportPrivacy() {
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
      } else if !isPrivate, !run.stream.isStopping {
        try frames.checkSilence { run.slowestNanoseconds }
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
      if !isPrivate, !run.stream.isStopping { try depth?.node.checkSilence { nil } }
      return
    }
    if isPrivate { depth?.node.pass(over: buffer) } else { depth?.handle(buffer) }
  }

  /// Reports that the privacy switch was closed or opened; true then.
  private mutating func reportPrivacy() -> Bool {
    let isPrivateNow = run.isPrivate
    if isPrivateNow == isPrivate { return false }
    isPrivate = isPrivateNow
    run.stream.deliver(isPrivate ? .interrupted(.privacy) : .resumed)
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
    let memory = frames.ring.memory(buffer.index)
    let outcome = coded?.take(
      memory.bytes, used: buffer.usedBytes, isBroken: buffer.isBroken, sequence, hasRoom: hasRoom)
    if case .picture(let unit) = outcome {
      let picture = CodedPicture(
        data: block(unit.range, of: memory, buffer.index), format: unit.format, isKeyFrame: unit.isKeyFrame,
        isReference: unit.isReference)
      return frames.deliver(
        .frame(
          CapturedFrame(
            picture: .coded(picture), timestamp: time, sequence: sequence,
            conditions: run.history.conditions(at: time))))
    }
    frames.ring.giveBack(buffer.index)
    if case .lost(let reason) = outcome {
      askForKeyFrame()
      frames.drop(sequence, time, reason)
    } else {
      frames.takeBackNumber()
    }
  }

  /// Asks the driver for a key frame where one is due.
  private mutating func askForKeyFrame() {
    guard coded?.takeKeyFrameRequest() == true, makesKeyFrames else { return }
    let ring = frames.ring
    // A driver that refuses now makes the next one in its own time.
    try? ring.kernel.setValue(ring.handle, of: .forceKeyFrame, .button, to: 1)
  }

  /// Bytes of a buffer; the buffer goes back when the last reference to them goes.
  private func block(_ range: Range<Int>, of memory: MappedMemory, _ index: Int) -> CMBlockBuffer {
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[range])
    return CMBlockBuffer(wrapping: bytes) { [weak ring = frames.ring] in
      ring?.giveBack(index)
      withExtendedLifetime(memory) {}
    }
  }

  /// The picture that a buffer holds, without copying; the buffer goes back when the last reference to it goes.
  private mutating func picture(in memory: MappedMemory, _ buffer: FilledBuffer) -> CapturedFrame.Picture? {
    if wrapping.isMosaic {
      return wrapping.mosaic(block(0..<buffer.usedBytes, of: memory, buffer.index)).map { .mosaic($0) }
    }
    guard let jpeg = wrapping.jpegSize else {
      return frames.picture(in: memory, buffer.index).map { .pixels($0) }
    }
    return .jpeg(block(0..<buffer.usedBytes, of: memory, buffer.index), jpeg)
  }

  // MARK: Stills

  /// The pictures that this frame serves: it must not be older than the request, but a driver with strange stamps
  /// shall not keep a photo waiting for ever.
  private func takeStills(at time: MonotonicInstant, mayTake: Bool) -> [StreamingNodes.Still] {
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

  private func complete(_ stills: [StreamingNodes.Still], _ frame: CapturedFrame) {
    guard !stills.isEmpty else { return }
    var frame = frame
    var state = frame.conditions.state
    state.exposure = run.exposure()
    frame.conditions = FrameConditions(state)
    for still in stills where !run.stream.perform({ still.completion(.success(frame)) }) {
      still.completion(.failure(run.stopped))
    }
  }
}

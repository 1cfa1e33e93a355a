internal import CaptureDevice
internal import CoreVideo
internal import Glibc
internal import Linux
internal import StreamParts

/// One node's part of a run's reader thread: it takes buffers, gives them numbers and times, reports lost ones, and notices
/// silence.
struct NodeReader {
  let ring: BufferRing
  private let node: StreamNode
  private let run: StreamingNodes
  private var counter = FrameCounter()
  private var clock = FrameClock()
  private var lastTime: MonotonicInstant?
  private var silence: SilenceWatch
  /// Whether the driver had no buffer to fill when the last wait began.
  private var isDry = false
  /// The lent buffers of the pictures, by buffer; made when a buffer is first filled.
  private var lent: [LentBuffer?]

  init(_ node: StreamNode, of run: StreamingNodes) {
    self.node = node
    self.run = run
    ring = node.ring
    silence = SilenceWatch(run.timeout, frame: node.frameNanoseconds)
    lent = Array(repeating: nil, count: node.ring.count)
  }

  // MARK: Waiting

  /// Checks whether anything can come, and returns how many nanoseconds the next wait may take.
  mutating func prepareWait(isPrivate: Bool) -> Int64 {
    isDry = ring.isDry
    return isDry ? 20_000_000 : isPrivate ? SilenceWatch.tick : silence.nextWait
  }

  /// The handle to wait for after ``prepareWait(isPrivate:)``; `nil` while clients and refusals leave the driver no buffer, for then
  /// nothing can come, and poll would not sleep.
  var awaited: VideoHandle? { isDry ? nil : ring.handle }

  /// Notes a wait that has ended so, and takes the oldest filled buffer; `nil` when there is none.
  mutating func take(
    _ ready: VideoReadiness, waited nanoseconds: Int64, asked: Int64
  ) throws(CaptureDeviceError) -> FilledBuffer? {
    silence.waited(nanoseconds, asked: asked)
    ring.retryRefused()
    if ready.isDisjoint(with: [.filled, .failed]) { return nil }
    do throws(KernelRefusal) {
      if let buffer = try ring.take() {
        silence.heard()
        return buffer
      }
      if ready.contains(.failed), !ring.isDry {
        // Gone, or in an error that only a new start mends.
        _ = try ring.kernel.identity(ring.handle)
        throw KernelRefusal(.wait, EIO)
      }
      return nil
    } catch {
      throw failure(error)
    }
  }

  /// A refusal that ends the stream, in words.
  func failure(_ refusal: KernelRefusal) -> CaptureDeviceError {
    refusal.error(node.device, "go on streaming") { ring.kernel.holders(of: node.device.path) }
  }

  /// Begins to wait anew, after a time in which nothing was wanted.
  mutating func forgetSilence() { silence.restart() }

  /// Throws `noFrames` when nothing has come for too long; `exposure` is as for ``SilenceWatch``.
  mutating func checkSilence(exposure: () -> Int64?) throws(CaptureDeviceError) {
    guard silence.isOver(isDry: isDry, exposure: exposure) else { return }
    let tenths = silence.silence / 100_000_000
    throw node.device.error(
      .noFrames,
      "streams but has sent no \(node.content.one) for "
        + "\(tenths / 10).\(tenths % 10) s; open its shutter, or unplug it and plug it in again.")
  }

  /// Ends the stream; waits for the end of an unplugged device until `limit`.
  func stop(until limit: MonotonicInstant) {
    do throws(KernelRefusal) {
      try ring.stop()
    } catch  where error.saysGone {
      // The run is not over, and the device not closed, before the kernel has done with it.
      ring.removal?.wait(until: limit)
    } catch {
      // What refuses to stop is stopped by being closed.
    }
  }

  // MARK: One buffer

  /// Gives a buffer back unseen.
  mutating func pass(over buffer: FilledBuffer) {
    counter.pass(over: buffer.sequence)
    ring.giveBack(buffer.index)
  }

  /// Gives a buffer its number and its time, after reporting those that were lost before it.
  mutating func count(_ buffer: FilledBuffer) -> (sequence: UInt32, time: MonotonicInstant) {
    let arrival = MonotonicInstant.now
    let (sequence, lost) = counter.advance(to: buffer.sequence)
    let time = clock.time(stamp: buffer.monotonicNanoseconds, arrival: arrival)
    let ranDry = ring.takeDryness()
    node.diagnosis.withLock { diagnosis in
      diagnosis.arrivalStamps = clock.arrivalStamps
      diagnosis.renumberings = counter.renumberings
      diagnosis.refusedReturns = ring.refusedReturns
    }
    reportLost(lost, before: sequence, at: time, ranDry ? .outOfBuffers : .discontinuity)
    lastTime = time
    return (sequence, time)
  }

  /// Takes back the number that was given last: its buffer held no frame.
  mutating func takeBackNumber() { counter.takeBack() }

  /// The picture that a buffer holds, without copying; the buffer goes back when the last reference to it goes.
  mutating func picture(in memory: MappedMemory, _ index: Int) -> CVPixelBuffer? {
    // The ring may have been given more.
    while lent.count <= index { lent.append(nil) }
    if lent[index] == nil, let shown = node.wrapping.pictureMemory(memory.bytes) {
      lent[index] = LentBuffer(shown, in: memory, index, of: ring, node.device)
    }
    guard let lent = lent[index] else { return nil }
    node.wrapping.touchUp(memory.bytes)
    return lent.picture()
  }

  // MARK: Reporting

  /// Hands over a frame or a map, and counts it.
  func deliver(_ event: StreamEvent) {
    guard run.stream.deliver(event) else { return }
    node.diagnosis.withLock { diagnosis in
      diagnosis.captured += 1
      diagnosis.delivered += 1
    }
  }

  /// Reports a loss, and counts it.
  func drop(_ sequence: UInt32, _ time: MonotonicInstant, _ reason: DropReason) {
    let frame = DroppedFrame(sequence: sequence, timestamp: time, reason: reason)
    guard run.stream.deliver(node.content == .pictures ? .dropped(frame) : .depthDropped(frame)) else {
      return
    }
    node.diagnosis.withLock { diagnosis in
      diagnosis.captured += 1
      switch reason {
      case .outOfBuffers: diagnosis.droppedOutOfBuffers += 1
      case .discontinuity: diagnosis.droppedDiscontinuity += 1
      }
    }
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
}

internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import StreamParts

/// One run of a camera's stream, on its reader thread: requests go to the camera, and frames come back.
final class CameraReading: StreamReading, @unchecked Sendable {
  // Safe because what changes is used by the reader thread alone; the rest is locked.

  /// So many requests are with the camera: one that is exposed, and one that waits.
  ///
  /// A change of controls goes with the next.
  static let depth = 2

  let orders = StillOrders()
  private let device: LibcameraDevice
  private let session: any CameraSession
  private let buffers: FrameBuffers
  private let inbox: CompletionInbox
  private let configuration: StreamConfiguration
  private let run: StreamRun
  private let wake: WakeUp
  /// How long a frame takes, which may change.
  private let frameNanoseconds: Locked<Int64>
  private let hasStills: Bool
  private var clock = FrameClock()
  private var counter = FrameCounter()
  private var check = MotionJPEGCheck()
  private var stillCheck = MotionJPEGCheck()
  private var cookie: UInt64 = 0
  private var inFlight = 0
  private var hasHeard = false
  /// Until when the camera, which cancelled a request, gets none; `nil` else.
  private var pause: MonotonicInstant?

  init(
    _ device: LibcameraDevice, _ configuration: StreamConfiguration, _ session: any CameraSession,
    _ buffers: FrameBuffers, _ inbox: CompletionInbox, _ run: StreamRun, _ wake: WakeUp
  ) {
    self.device = device
    self.session = session
    self.buffers = buffers
    self.inbox = inbox
    self.configuration = configuration
    self.run = run
    self.wake = wake
    frameNanoseconds = Locked(configuration.frameDuration.nanoseconds)
    hasStills = buffers.has(.still)
  }

  /// Has the reader look whether its camera is still there; on any thread.
  func look() { wake.signal() }

  func refuseStills(_ error: CaptureDeviceError) { orders.refuse(error) }

  func abandon() { session.stop() }

  /// Notes how long a frame takes from now on.
  func note(_ duration: FrameDuration) { frameNanoseconds.withLock { $0 = duration.nanoseconds } }

  /// Reads until the run is over, and stops the camera; its end is the stream's.
  func read() {
    do throws(CaptureDeviceError) {
      try follow()
    } catch {
      run.fail(error) { orders.refuse(error) }
    }
    session.stop()
    orders.forgetAll()
  }

  private func follow() throws(CaptureDeviceError) {
    var silence = SilenceWatch(device.timeout, frame: configuration.frameDuration.nanoseconds)
    try fill()
    while !run.isStopping {
      let (asked, before) = (silence.nextWait, MonotonicInstant.now)
      let end = before.advanced(byNanoseconds: max(asked, 1_000_000))
      _ = wake.wait(until: pause.map { min($0, end) } ?? end)
      wake.clear()
      guard !run.isStopping else { return }
      if device.isGone { throw device.unplugged }
      hasHeard = false
      for completion in inbox.takeAll() { take(completion) }
      if hasHeard {
        silence.heard()
      } else {
        silence.waited(MonotonicInstant.now.nanoseconds - before.nanoseconds, asked: asked)
      }
      if let pause, pause <= .now { self.pause = nil }
      if pause == nil { try fill() }
      if silence.isOver(isDry: inFlight == 0 && pause == nil, exposure: { slowest }) {
        throw silent(silence.silence)
      }
    }
  }

  /// How long the present exposure, or the present frame, takes.
  private var slowest: Int64? {
    max(device.controls.present.exposure.durationNanoseconds ?? 0, frameNanoseconds.withLock { $0 })
  }

  private func silent(_ nanoseconds: Int64) -> CaptureDeviceError {
    CaptureDeviceError(
      .noFrames,
      "\(device.facts.name) streams but has sent no picture for \(nanoseconds / 1_000_000_000) s; check its cable, and that no other program uses its sensor."
    )
  }

  // MARK: Requests

  /// Gives the camera requests, as long as there are buffers.
  private func fill() throws(CaptureDeviceError) {
    let wantsMosaic = orders.wantMosaic
    while inFlight < Self.depth, !run.isStopping, let view = buffers.take(.view) {
      var taken = [StreamUse.view: view]
      if hasStills { taken[.still] = takeStill() }
      if wantsMosaic { taken[.raw] = buffers.take(.raw) }
      cookie += 1
      let request = FrameRequest(
        cookie: cookie, buffers: taken, settings: device.controls.settings(for: cookie))
      do throws(LibraryRefusal) {
        try session.queue(request)
        inFlight += 1
      } catch {
        for (use, index) in taken { buffers.putBack(use, index) }
        throw device.error(error, "cannot go on")
      }
    }
  }

  /// A buffer for a picture of full size; the oldest that is kept makes room.
  private func takeStill() -> Int? {
    if let index = buffers.take(.still) { return index }
    return orders.forgetOldest() ? buffers.take(.still) : nil
  }

  private func take(_ completion: RequestCompletion) {
    inFlight -= 1
    guard !completion.isCancelled, let view = completion.filled(.view) else {
      for filled in completion.buffers { buffers.putBack(filled.use, filled.index) }
      // A camera that makes no more frames cancels at once: without a pause that is a circle.
      pause = MonotonicInstant.now.advanced(byNanoseconds: frameNanoseconds.withLock { $0 })
      return
    }
    hasHeard = true
    let arrival = MonotonicInstant.now
    let (number, lost) = counter.advance(to: view.number)
    let stamp = completion.sensorTime > 0 ? completion.sensorTime : view.time
    let time = clock.time(stamp: stamp > 0 ? stamp : nil, arrival: arrival)
    for missed in 0..<lost { drop(number &- lost &+ missed, time, .discontinuity) }
    let conditions = device.controls.conditions(of: completion)
    func frame(_ picture: CapturedFrame.Picture) -> CapturedFrame {
      CapturedFrame(picture: picture, timestamp: time, sequence: number, conditions: conditions)
    }
    let levels = completion.metadata[.blackLevels]
    let shown = lend(view, number, time, levels).map(frame)
    if let shown {
      attach(completion, to: shown)
      run.deliver(.frame(shown))
    }
    let still = completion.filled(.still).flatMap {
      buffers.lend($0, blackLevels: levels, &stillCheck)
    }.map(frame)
    let mosaic = completion.filled(.raw).flatMap { raw -> SensorMosaic? in
      guard case .mosaic(let mosaic)? = buffers.lend(raw, blackLevels: levels, &stillCheck) else {
        return nil
      }
      return mosaic
    }
    if let still {
      attach(completion, to: still)
      orders.keep(still)
    }
    answer(still ?? (hasStills ? nil : shown), mosaic, time)
  }

  /// The picture of the stream; `nil` for a frame that is lost, which is said.
  private func lend(
    _ view: RequestCompletion.Filled, _ number: UInt32, _ time: MonotonicInstant, _ levels: [Double]?
  ) -> CapturedFrame.Picture? {
    guard buffers.heldCount(.view) < configuration.bufferCount else {
      buffers.putBack(.view, view.index)
      drop(number, time, .outOfBuffers)
      return nil
    }
    let picture = buffers.lend(view, blackLevels: levels, &check)
    if picture == nil { drop(number, time, .discontinuity) }
    return picture
  }

  private func drop(_ number: UInt32, _ time: MonotonicInstant, _ reason: DropReason) {
    run.deliver(.dropped(DroppedFrame(sequence: number, timestamp: time, reason: reason)))
  }

  private func answer(_ frame: CapturedFrame?, _ mosaic: SensorMosaic?, _ time: MonotonicInstant) {
    guard let frame else { return }
    let answered = orders.take(at: time, hasMosaic: mosaic != nil || frame.mosaic != nil)
    guard !answered.isEmpty else { return }
    let isTold = run.perform {
      for order in answered {
        var answer = frame
        if order.request.wantsMosaic, let mosaic { answer.mosaic = mosaic }
        order.completion(.success(answer))
      }
    }
    if !isTold { for order in answered { order.completion(.failure(device.notStreaming)) } }
  }

  /// Answers with a picture of the past.
  func recall(_ sequence: UInt32, _ request: StillRequest, _ completion: @escaping WaitingStills.Completion) {
    guard let frame = orders.past(sequence), !request.wantsMosaic else {
      return completion(
        .failure(
          CaptureDeviceError(
            .frameExpired, "\(device.facts.name) does not keep that frame; take the next one.")))
    }
    if !run.perform({ completion(.success(frame)) }) { completion(.failure(device.notStreaming)) }
  }

  private func attach(_ completion: RequestCompletion, to frame: CapturedFrame) {
    let report = FrameReport(metadata: completion.metadata).attachments
    guard !report.isEmpty, case .pixels(let pixels) = frame.picture else { return }
    CVBufferSetAttachment(pixels, FrameReport.attachmentKey, report, .shouldNotPropagate)
  }
}

internal import CaptureDevice
internal import Linux

/// One run of a stream, from start to stop: its reader thread and whom it tells.
final class StreamRun: Sendable {
  /// A picture somebody waits for.
  struct Still: Sendable {
    var requested: MonotonicInstant
    /// How many frames may still be refused as older than the request.
    var refusals = 2
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  struct State {
    var stills: [Still] = []
    /// Whether the camera's privacy switch is closed.
    var isPrivate = false
    var controls: ControlWatch?
  }

  /// The node with the camera's pictures.
  let frames: StreamNode
  /// The node of its depth sensor; `nil` when the stream measures no depth.
  let depth: StreamNode?
  private let end: RunEnd
  /// How long either may be silent.
  let timeout: SilenceTimeout
  /// The exposure of now; asked for stills only, because USB cameras take milliseconds to answer.
  let exposure: @Sendable () -> FrameExposure
  /// Which change of the controls a frame shows.
  let history: ControlHistory
  let state = Monitor(State())
  private let receiver: @Sendable (StreamEvent) -> Void

  init(
    frames: StreamNode, depth: StreamNode?, wake: WakeUp, timeout: SilenceTimeout, history: ControlHistory,
    exposure: @escaping @Sendable () -> FrameExposure,
    receiver: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.frames = frames
    self.depth = depth
    end = RunEnd(wake: wake)
    self.timeout = timeout
    self.history = history
    self.exposure = exposure
    self.receiver = receiver
  }

  /// Wakes the reader thread.
  var wake: WakeUp { end.wake }

  /// Whether no event may come any more.
  var isStopping: Bool { end.isStopping }

  /// Whether the reader thread has ended.
  var isOver: Bool { end.isOver }

  /// Whether the calling thread is inside the receiver or a completion.
  var isDeliveringHere: Bool { end.isDeliveringHere }

  /// Ends the run, and waits until the driver has stopped or the timeout has passed; false when it hangs.
  ///
  /// From inside the receiver it only says so: the end comes when the receiver has returned.
  @discardableResult
  func stop() -> Bool {
    let hasStopped = end.stop()
    // Their callers are owed an answer even when the driver owes one.
    if !hasStopped { abandonStills(stopped) }
    return hasStopped
  }

  /// Ends the run before its thread has begun; does not wait.
  func cancel() { end.cancel() }

  /// Whether the camera's privacy switch is closed.
  var isPrivate: Bool { state.withLock { $0.isPrivate } }

  /// Notes whether the privacy switch is closed; the reader thread tells it.
  func setPrivate(_ isPrivate: Bool) {
    let isNew = state.withLock { state in
      defer { state.isPrivate = isPrivate }
      return state.isPrivate != isPrivate
    }
    if isNew { wake.signal() }
  }

  /// Looks after the camera's controls until the run is over.
  func watch(_ camera: V4L2Camera) {
    let watch = ControlWatch(camera) { [weak self] isPrivate in self?.setPrivate(isPrivate) }
    let isOver = state.withLock { state in
      // What ends the run takes the watch after it has said so.
      let isOver = end.isOver
      if !isOver { state.controls = watch }
      return isOver
    }
    if isOver { watch?.end() }
  }

  /// Adds a picture to wait for; false when the run is over.
  func add(_ still: Still) -> Bool {
    state.withLock { state in
      // Who stops the run abandons the pictures after saying so.
      if end.isStopping { return false }
      state.stills.append(still)
      return true
    }
  }

  /// The error for pictures that were waited for when the stream ended.
  var stopped: CaptureDeviceError {
    CaptureDeviceError(
      .noFrames,
      "\(frames.device.name) (\(frames.device.path)) took no picture: its stream was stopped first; start it and ask again."
    )
  }

  // MARK: Telling

  /// Calls `body` unless the run is being stopped; false then.
  @discardableResult
  func deliver(_ body: () -> Void) -> Bool { end.deliver(body) }

  /// Tells an event unless the run is being stopped; false then.
  @discardableResult
  func tell(_ event: StreamEvent) -> Bool {
    deliver { receiver(event) }
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    end.deliverLast {
      abandonStills(error)
      receiver(.failed(error))
    }
  }

  /// Answers every picture that is still waited for with `error`.
  func abandonStills(_ error: CaptureDeviceError) {
    let stills = state.withLock { state in
      defer { state.stills = [] }
      return state.stills
    }
    for still in stills { still.completion(.failure(error)) }
  }

  /// Marks the end: the reader thread touches nothing any more.
  func finish() {
    abandonStills(stopped)
    end.finish()
    let watch = state.withLock { state in
      defer { state.controls = nil }
      return state.controls
    }
    watch?.end()
  }
}

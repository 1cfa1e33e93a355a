internal import CaptureDevice
internal import Linux
internal import StreamParts

/// One run of a camera's stream: its nodes, the pictures that are waited for, the watch over its controls.
final class StreamingNodes: Sendable {
  /// A picture that a client waits for.
  struct Still: Sendable {
    var requested: MonotonicInstant
    /// The frames that may still be refused as older than the request.
    var refusals = 2
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  struct State {
    var stills: [Still] = []
    /// Whether the camera's privacy switch is closed.
    var isPrivate = false
    var endWatch: (@Sendable () -> Void)?
  }

  let stream: StreamRun
  /// Wakes the reader thread.
  let wake: WakeUp
  /// The node with the camera's pictures.
  let frames: StreamNode
  /// The node of its depth sensor; `nil` when the stream measures no depth.
  let depth: StreamNode?
  /// The timeout of either's silence.
  let timeout: SilenceTimeout
  /// Reads the exposure of now; for stills only, because USB cameras take milliseconds to answer.
  let exposure: @Sendable () -> FrameExposure
  /// How many nanoseconds a frame takes, which may have changed while the stream runs.
  let frameNanoseconds: @Sendable () -> Int64
  /// The history of the controls, which tells the change that a frame shows.
  let history: ControlHistory
  let state = Locked(State())

  init(
    frames: StreamNode, depth: StreamNode?, wake: WakeUp, timeout: SilenceTimeout, history: ControlHistory,
    exposure: @escaping @Sendable () -> FrameExposure, frameNanoseconds: @escaping @Sendable () -> Int64,
    receiver: @escaping StreamRun.Receiver
  ) {
    self.frames = frames
    self.depth = depth
    self.wake = wake
    stream = StreamRun(wake: wake, receiver: receiver)
    self.timeout = timeout
    self.history = history
    self.exposure = exposure
    self.frameNanoseconds = frameNanoseconds
  }

  /// How long the camera exposes now, or a frame takes where it has become slower since the start; in nanoseconds.
  var slowestNanoseconds: Int64 {
    let frame = frameNanoseconds()
    return max(exposure().durationNanoseconds ?? 0, frame > frames.frameNanoseconds ? frame : 0)
  }

  /// Whether the camera's privacy switch is closed.
  var isPrivate: Bool { state.withLock { $0.isPrivate } }

  /// Notes whether the privacy switch is closed; the reader thread reports it.
  func setPrivate(_ isPrivate: Bool) {
    let isNew = state.withLock { state in
      defer { state.isPrivate = isPrivate }
      return state.isPrivate != isPrivate
    }
    if isNew { wake.signal() }
  }

  /// Notes how the watch over the camera's controls is ended with the run.
  func keepWatch(ending end: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      // What ends the run takes the watch after the run is over.
      let isOver = stream.isOver
      if !isOver { state.endWatch = end }
      return isOver
    }
    if isOver { end() }
  }

  /// Adds a picture to wait for; false when the run is over.
  func add(_ still: Still) -> Bool {
    state.withLock { state in
      // What stops the run abandons the pictures afterwards.
      if stream.isStopping { return false }
      state.stills.append(still)
      return true
    }
  }

  /// The error for pictures that were waited for when the stream ended.
  var stopped: CaptureDeviceError {
    frames.device.error(
      .noFrames, "took no picture: its stream was stopped first; start it and ask again."
    )
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    stream.fail(error, first: { abandonStills(error) })
  }

  /// Answers every picture that is still waited for with `error`.
  func abandonStills(_ error: CaptureDeviceError) {
    let stills = state.withLock { state in
      defer { state.stills = [] }
      return state.stills
    }
    for still in stills { still.completion(.failure(error)) }
  }

  /// Called last by the reader thread, which touches nothing of the run afterwards.
  func finish() {
    abandonStills(stopped)
    stream.finish()
    let endWatch = state.withLock { state in
      defer { state.endWatch = nil }
      return state.endWatch
    }
    endWatch?()
  }
}

internal import CaptureDevice
internal import Glibc
internal import Linux

/// One run of a stream, from start to stop: its reader thread and whom it tells.
///
/// All calls that may hang in a driver are made on the reader thread. Whoever stops waits for the thread for a while and
/// then leaves it behind: it finds the run over and tells nobody anything any more.
final class StreamRun: Sendable {
  /// How long a stop waits for the driver.
  static let patienceNanoseconds: Int64 = 800_000_000

  /// A picture somebody waits for.
  struct Still: Sendable {
    var requested: MonotonicInstant
    /// How many frames may still be refused as older than the request.
    var refusals = 2
    var completion: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  }

  struct State {
    var isStopping = false
    var isOver = false
    var deliveringThread: UInt = 0
    var stills: [Still] = []
    /// Whether the camera's privacy switch is closed.
    var isPrivate = false
    var controls: ControlWatch?
    var diagnosis = StreamDiagnosis()
  }

  let ring: BufferRing
  let wake: WakeUp
  let device: DeviceName
  let wrapping: FrameWrapping
  /// How long the camera may be silent.
  let patience: SilencePatience
  let frameNanoseconds: Int64
  /// The exposure of now; asked for stills only, because USB cameras take milliseconds to answer.
  let exposure: @Sendable () -> FrameExposure
  /// Which change of the controls a frame shows.
  let history: ControlHistory
  let state = Monitor(State())
  private let receiver: @Sendable (StreamEvent) -> Void

  init(
    ring: BufferRing, wake: WakeUp, device: DeviceName, wrapping: FrameWrapping,
    patience: SilencePatience, frameNanoseconds: Int64, history: ControlHistory,
    exposure: @escaping @Sendable () -> FrameExposure,
    receiver: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.ring = ring
    self.wake = wake
    self.device = device
    self.wrapping = wrapping
    self.patience = patience
    self.frameNanoseconds = frameNanoseconds
    self.history = history
    self.exposure = exposure
    self.receiver = receiver
  }

  /// A number for the calling thread, unlike that of every other living thread.
  private static var currentThread: UInt { UInt(pthread_self()) }

  /// Whether no event may come any more.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Whether the calling thread is inside the receiver or a completion.
  var isDeliveringHere: Bool { state.withLock { $0.deliveringThread == Self.currentThread } }

  /// Ends the run, and waits until the driver has stopped or patience is over; false when it hangs.
  ///
  /// From inside the receiver it only says so: the end comes when the receiver has returned.
  @discardableResult
  func stop() -> Bool {
    let mustWait = state.withLock { state in
      state.isStopping = true
      return state.deliveringThread != Self.currentThread
    }
    wake.signal()
    guard mustWait else { return true }
    let ended: Void? = state.wait(until: .now.advanced(byNanoseconds: Self.patienceNanoseconds)) {
      $0.isOver
    } then: { _ in
    }
    // Their callers are owed an answer even when the driver owes one.
    if ended == nil { abandonStills(stopped) }
    return ended != nil
  }

  /// Ends the run before its thread has begun; does not wait.
  func cancel() {
    state.withLock { $0.isStopping = true }
    wake.signal()
  }

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
      if !state.isOver { state.controls = watch }
      return state.isOver
    }
    if isOver { watch?.end() }
  }

  /// Adds a picture to wait for; false when the run is over.
  func add(_ still: Still) -> Bool {
    state.withLock { state in
      if state.isStopping { return false }
      state.stills.append(still)
      return true
    }
  }

  /// The error for pictures that were waited for when the stream ended.
  var stopped: CaptureDeviceError {
    CaptureDeviceError(
      .noFrames,
      "\(device.name) (\(device.path)) took no picture: its stream was stopped first; start it and ask again."
    )
  }

  // MARK: Telling

  /// Calls `body` unless the run is being stopped; false then.
  @discardableResult
  func deliver(_ body: () -> Void) -> Bool {
    let mayTell = state.withLock { state in
      if state.isStopping { return false }
      state.deliveringThread = Self.currentThread
      return true
    }
    guard mayTell else { return false }
    body()
    state.withLock { $0.deliveringThread = 0 }
    return true
  }

  /// Tells an event unless the run is being stopped; false then.
  @discardableResult
  func tell(_ event: StreamEvent) -> Bool {
    deliver { receiver(event) }
  }

  /// Ends the run from inside, with its last event.
  func fail(_ error: CaptureDeviceError) {
    let mayTell = state.withLock { state in
      if state.isStopping { return false }
      state.isStopping = true
      state.deliveringThread = Self.currentThread
      return true
    }
    if mayTell {
      abandonStills(error)
      receiver(.failed(error))
      state.withLock { $0.deliveringThread = 0 }
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
    let watch = state.withLock { state in
      state.isOver = true
      defer { state.controls = nil }
      return state.controls
    }
    watch?.end()
  }
}

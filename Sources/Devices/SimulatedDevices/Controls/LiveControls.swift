internal import CaptureDevice
internal import Linux

/// One camera's controls, as clients and the running stream share them.
///
/// Thread-safe.
final class LiveControls: Sendable {
  private struct State {
    var controls: CameraControls
    var change: UInt64 = 0
    /// Of the newest frame.
    var conditions = FrameConditions.unknown
    /// Of the open stream.
    var format: StreamFormat?
    var isStreaming = false
    /// The painter through which the automatic controls see, and the size of its frames.
    var probe: (painter: FramePainter, frame: FrameSize)?
    var rest = Rest()
  }

  /// Counts equal frames of a still scene: once controls rest, frames skip all their arithmetic.
  private struct Rest {
    private static let restingFrames = 8
    private var equalFrames = 0
    private var frameNanoseconds: Int64 = 0

    /// Whether a frame of this duration shows what the one before did.
    func holds(frameNanoseconds: Int64) -> Bool {
      equalFrames >= Self.restingFrames && self.frameNanoseconds == frameNanoseconds
    }

    /// Notes a frame; `isEqual` when it showed what the one before did, and nothing is under way.
    mutating func note(isEqual: Bool, frameNanoseconds: Int64) {
      equalFrames = isEqual && self.frameNanoseconds == frameNanoseconds ? equalFrames + 1 : 0
      self.frameNanoseconds = frameNanoseconds
    }
  }

  /// The optics of its lenses and lamp.
  let optics: CameraOptics
  private let model: SimulatedDeviceModel
  private let world: SimulatedWorld
  private let state: Locked<State>

  init(model: SimulatedDeviceModel, world: SimulatedWorld) {
    self.model = model
    self.world = world
    let controls = CameraControls(model: model, scene: world.scene)
    optics = controls.optics
    state = Locked(State(controls: controls))
  }

  // MARK: Clients

  /// The state of the controls in the newest frame, or at the start of the next stream.
  var current: ControlState { state.withLock { $0.controls.state } }

  /// Changes controls, from the first frame on whose exposure begins now or later; returns the change's number.
  func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    let now = world.clock.now
    return try state.withLock { state throws(CaptureDeviceError) in
      guard !model.facts.formats.isEmpty else {
        throw CaptureDeviceError(
          .controlUnsupported, "\(model.facts.name) is a microphone and has no such control.")
      }
      try ControlRules(facts: model.facts, format: state.format).check(controls)
      state.change += 1
      state.rest = Rest()
      state.controls.apply(controls, change: state.change, at: now)
      if !state.isStreaming { state.controls.settle(at: now) }
      return state.change
    }
  }

  /// Refuses a still whose flash or exposure the device cannot give.
  func check(_ request: StillRequest, format: StreamFormat) throws(CaptureDeviceError) {
    try ControlRules(facts: model.facts, format: format).check(request)
  }

  // MARK: Streams

  /// Notes the format of the stream that is open now; `nil` when none is.
  func setFormat(_ format: StreamFormat?) {
    state.withLock { state in
      state.format = format
      state.controls.setFormat(format)
    }
  }

  /// Begins a run: what is automatic begins anew.
  func begin(_ configuration: StreamConfiguration, at start: MonotonicInstant) {
    state.withLock { state in
      state.isStreaming = true
      state.rest = Rest()
      if state.probe?.frame != configuration.size {
        let painter = SceneProbe.makePainter(configuration.size, model: model, world: world)
        state.probe = (painter, configuration.size)
      }
      state.controls.begin(configuration, at: start)
    }
  }

  /// Ends a run: what was still to come holds at once.
  func end(at time: MonotonicInstant) {
    state.withLock { state in
      guard state.isStreaming else { return }
      state.isStreaming = false
      state.controls.settle(at: time)
    }
  }

  /// The conditions of the frame whose exposure begins at `time`; moves what is automatic on by one frame.
  ///
  /// - Parameters:
  ///   - seconds: The same moment since the stream started.
  ///   - still: A picture that wants the exposure for itself.
  func expose(at time: MonotonicInstant, seconds: Double, frameNanoseconds: Int64, still: StillRequest?)
    -> FrameConditions
  {
    state.withLock { state in
      if still == nil && state.rest.holds(frameNanoseconds: frameNanoseconds) { return state.conditions }
      guard let seen = state.probe else { return state.conditions }
      let probe = SceneProbe(painter: seen.painter, frame: seen.frame, seconds: seconds)
      let controls = state.controls.expose(
        at: time, frameNanoseconds: frameNanoseconds, probe: probe, still: still)
      let isEqual = state.conditions.state == controls
      if !isEqual { state.conditions = FrameConditions(controls) }
      let isAtRest =
        isEqual && world.scene.isStill && still == nil && !state.controls.hasWishes && !controls.isMoving
      state.rest.note(isEqual: isAtRest, frameNanoseconds: frameNanoseconds)
      return state.conditions
    }
  }
}

extension ControlState {
  /// Whether something automatic is on its way.
  fileprivate var isMoving: Bool {
    exposure.isAdjusting || isAdjustingFocus || isAdjustingWhiteBalance || isRampingZoom
  }
}

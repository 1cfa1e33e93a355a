internal import CaptureDevice
internal import Glibc
internal import Linux

/// The controls of a camera over its streams: what is wanted, what goes along with the next request, and what each frame shows.
///
/// A change goes with the next request. Its frame is the first that shows it, unless the frame tells another exposure, gain, lens or crop:
/// sensors obey a few frames late. Thread-safe.
final class RequestControls: Sendable {
  /// So many frames more are waited for until a sensor obeys.
  private static let latestFrames: UInt64 = 3
  /// After so many frames an adjustment that is to happen once is over, where the camera does not tell.
  private static let longestAdjustment = 30
  /// So many frames are not yet believed: they tell what was before.
  private static let unbelieved = 3

  private struct Pending {
    var change: UInt64
    var cookie: UInt64
    var plan: ControlPlan
    var settings: [LibraryControl: [Double]]
  }

  private struct Ramp {
    var from: Double
    var to: Double
    var rate: Double
    var start: MonotonicInstant
  }

  private struct State {
    var plan: ControlPlan
    var change: UInt64 = 0
    /// All that was ever set, for the streams to come.
    var said: [LibraryControl: [Double]] = [:]
    /// What the next request takes along.
    var waiting: [LibraryControl: [Double]] = [:]
    var sent: UInt64 = 0
    var pending: [Pending] = []
    /// What frames show.
    var shown: ControlPlan
    var shownChange: UInt64 = 0
    var report = FrameReport(metadata: [:])
    var last = FrameConditions.unknown
    var ramp: Ramp?
    /// The zoom of each request that is not over.
    var zooms: [(cookie: UInt64, factor: Double)] = []
    /// The frames that came since an adjustment was asked for that is to happen once.
    var frames = (exposure: 0, balance: 0, focus: 0)
    /// How long a frame takes, in microseconds, unless its exposure takes longer.
    var frame = 0.0

    /// Within which durations frames may be: an exposure by hand that is longer than one makes it longer.
    var frameLimits: [Double] { [frame, max(frame, said[.exposureTime]?.first ?? 0)] }

    mutating func note(_ settings: [ControlValue]) {
      let limits = frameLimits
      defer { if frameLimits != limits { waiting[.frameDurationLimits] = frameLimits } }
      for setting in settings {
        waiting[setting.control] = setting.numbers
        // A trigger is an event.
        if setting.control != .afTrigger { said[setting.control] = setting.numbers }
        // Values by hand would switch off again what works by itself.
        for control in Self.overruled(by: setting) {
          waiting[control] = nil
          said[control] = nil
        }
      }
    }

    private static func overruled(by setting: ControlValue) -> [LibraryControl] {
      switch (setting.control, setting.numbers.first) {
      case (.aeEnable, 1): [.exposureTime, .analogueGain]
      case (.awbEnable, 1): [.colourGains]
      case (.afMode, AFMode.auto.rawValue), (.afMode, AFMode.continuous.rawValue): [.lensPosition]
      default: []
      }
    }

    /// What holds now, as far as is known.
    var present: ControlState {
      var state = report.state(plan)
      state.change = change
      state.isRampingZoom = ramp != nil
      return state
    }
  }

  private let state: Locked<State>

  init(_ format: CameraFormat) {
    let plan = ControlPlan(ranges: format.ranges, size: format.format.size, maxZoom: format.format.maxZoom)
    state = Locked(State(plan: plan, shown: plan))
  }

  /// The state of the controls now.
  var present: ControlState { state.withLock { $0.present } }

  // MARK: Changes

  /// Notes changes, all or none; returns their number.
  func apply(_ controls: [CameraControl], at time: MonotonicInstant = .now) throws(ControlObjection) -> UInt64
  {
    try state.withLock { state throws(ControlObjection) in
      var changed = state
      for control in controls {
        let settings = try changed.plan.change(control, from: changed.present)
        switch control {
        case .zoom: changed.ramp = nil
        case .zoomRamp(let factor, let rate):
          changed.ramp = Ramp(from: changed.plan.state.zoom, to: factor, rate: Double(rate), start: time)
        case .endZoomRamp: changed.ramp = nil
        case .exposureMode(.auto): changed.frames.exposure = 0
        case .whiteBalanceMode(.auto): changed.frames.balance = 0
        case .focusMode(.auto): changed.frames.focus = 0
        default: break
        }
        changed.note(settings)
      }
      changed.change += 1
      state = changed
      return state.change
    }
  }

  /// Sets one of the library's own controls.
  func set(_ setting: ControlValue) {
    state.withLock { state in
      state.note([setting])
      state.change += 1
    }
  }

  /// What one of them was set to; `nil` before.
  func value(of control: LibraryControl) -> Double? { state.withLock { $0.said[control]?.first } }

  var ranges: ControlRanges { state.withLock { $0.plan.ranges } }

  // MARK: Streams

  /// Begins a stream in a format; returns what its start sets.
  func begin(_ format: CameraFormat, size: FrameSize, _ duration: FrameDuration) -> [ControlValue] {
    state.withLock { state in
      state.plan.move(to: format.ranges, size, maxZoom: format.format.maxZoom)
      state.ramp = nil
      state.waiting = [:]
      state.pending = []
      state.zooms = []
      state.frames = (0, 0, 0)
      state.frame = duration.microseconds
      // A search that the client waits for begins with the stream.
      if state.plan.state.focusMode == .auto { state.waiting[.afTrigger] = [0] }
      state.sent = state.change
      state.shown = state.plan
      state.shownChange = state.change
      state.report = FrameReport(metadata: [:])
      // The crop of another format has another shape.
      if state.plan.state.zoom > 1 || state.said[.scalerCrop] != nil {
        state.said[.scalerCrop] = nil
        for setting in state.plan.crop() { state.said[setting.control] = setting.numbers }
      }
      var said = state.said
      said[.frameDurationLimits] = state.frameLimits
      return said.map { ControlValue($0.key, $0.value) }
    }
  }

  /// Has the next request change how long a frame takes.
  func set(_ duration: FrameDuration) {
    state.withLock { state in
      state.frame = duration.microseconds
      state.waiting[.frameDurationLimits] = state.frameLimits
    }
  }

  /// What the request `cookie` takes along.
  func settings(for cookie: UInt64, at time: MonotonicInstant = .now) -> [ControlValue] {
    state.withLock { state in
      Self.step(&state, time)
      state.zooms.append((cookie, state.plan.state.zoom))
      let settings = state.waiting
      state.waiting = [:]
      if state.sent < state.change {
        state.sent = state.change
        state.pending.append(
          Pending(change: state.change, cookie: cookie, plan: state.plan, settings: settings))
      }
      return settings.map { ControlValue($0.key, $0.value) }
    }
  }

  private static func step(_ state: inout State, _ time: MonotonicInstant) {
    guard let ramp = state.ramp else { return }
    let seconds = max(Double(time.nanoseconds - ramp.start.nanoseconds) / 1e9, 0)
    // The factor doubles `rate` times a second.
    let moved = ramp.from * exp2(ramp.to >= ramp.from ? ramp.rate * seconds : -ramp.rate * seconds)
    let isOver = ramp.rate <= 0 || (ramp.to >= ramp.from ? moved >= ramp.to : moved <= ramp.to)
    state.plan.state.zoom = isOver ? ramp.to : moved
    if isOver { state.ramp = nil }
    state.note(state.plan.crop())
  }

  /// The conditions of the frame of a completed request.
  func conditions(of completion: RequestCompletion) -> FrameConditions {
    state.withLock { state in
      state.report = FrameReport(metadata: completion.metadata)
      while let next = state.pending.first, completion.cookie >= next.cookie,
        state.report.shows(next.settings) || completion.cookie >= next.cookie + Self.latestFrames
      {
        state.shown = next.plan
        state.shownChange = next.change
        state.pending.removeFirst()
      }
      while let zoom = state.zooms.first, zoom.cookie <= completion.cookie {
        state.shown.state.zoom = zoom.factor
        state.zooms.removeFirst()
      }
      Self.endAdjustments(&state)
      var found = state.report.state(state.shown)
      found.change = state.shownChange
      found.isRampingZoom = state.ramp != nil
      if state.last.state != found { state.last = FrameConditions(found) }
      return state.last
    }
  }

  /// What was to adjust once stays when it has.
  private static func endAdjustments(_ state: inout State) {
    func isOver(_ frames: inout Int, _ isMoving: Bool?) -> Bool {
      frames += 1
      guard frames > unbelieved else { return false }
      return isMoving.map { !$0 } ?? (frames >= longestAdjustment)
    }
    let report = state.report
    if state.shown.state.exposureMode == .auto, isOver(&state.frames.exposure, report.isExposureMoving) {
      state.shown.state.exposureMode = .locked
      if state.plan.state.exposureMode == .auto {
        state.plan.state.exposureMode = .locked
        state.note([ControlValue(.aeEnable, 0)])
      }
    }
    if state.shown.state.whiteBalanceMode == .auto, isOver(&state.frames.balance, report.isBalanceMoving) {
      state.shown.state.whiteBalanceMode = .locked
      if state.plan.state.whiteBalanceMode == .auto {
        state.plan.state.whiteBalanceMode = .locked
        state.note([ControlValue(.awbEnable, 0)])
      }
    }
    if state.shown.state.focusMode == .auto, isOver(&state.frames.focus, report.isFocusMoving) {
      state.shown.state.focusMode = .locked
      if state.plan.state.focusMode == .auto { state.plan.state.focusMode = .locked }
    }
  }
}

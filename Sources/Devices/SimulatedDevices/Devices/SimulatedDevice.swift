public import CaptureDevice
public import CoreMedia
internal import Foundation
internal import Linux

/// One camera or microphone of a scene.
///
/// Thread-safe.
public final class SimulatedDevice: CaptureDeviceDriver {
  private struct State {
    var isPluggedIn: Bool
    var openings = 0
    var engine: WeakEngine?
    var firstStart: MonotonicInstant?
    var resetUntil: MonotonicInstant?
    var controls: CameraControls
    var change: UInt64 = 0
    /// Of the newest frame.
    var conditions = FrameConditions.unknown
    /// What the open stream runs with.
    var configuration: StreamConfiguration?
    var isStreaming = false
    /// What the automatics see by, and for which shape of frame.
    var probe: (painter: FramePainter, frame: FrameSize)?
    var rest = Rest()
    var tickers: [Ticker] = []
    /// Why the scene's faults cannot happen; the next opening says so.
    var faultsError: CaptureDeviceError?
    var stillPainters: [PainterKey: FramePainter] = [:]
  }

  /// How long the controls have stood still in a scene that does, which saves a frame all their arithmetic.
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

  private struct WeakEngine: Sendable {
    weak var engine: (any StreamEngine)?
  }

  /// What the device is.
  public let facts: DeviceFacts
  /// The clock of the scene's timestamps.
  public var clock: CMClock { world.clock.mediaClock }
  let model: SimulatedDeviceModel
  let world: SimulatedWorld
  /// What its lenses and lamp do.
  let optics: CameraOptics
  /// Makes a manual clock wait.
  public func holdClock() -> (any AnyObject & Sendable)? { world.clock.makeToken() }
  /// What of the scene's faults hits this device.
  let faults: [SceneFault]
  private let state: Locked<State>
  private let provider = Locked<WeakProvider>(WeakProvider())

  private struct WeakProvider {
    weak var provider: SimulatedDeviceProvider?
  }

  init(model: SimulatedDeviceModel, world: SimulatedWorld) {
    self.model = model
    self.world = world
    facts = model.facts
    faults = world.scene.faults.filter { $0.hits(model.facts.uniqueID) }
    let outlets = faults.filter { $0.kind == .plug || $0.kind == .unplug }.sorted { $0.at < $1.at }
    let controls = CameraControls(model: model, scene: world.scene)
    optics = controls.optics
    state = Locked(State(isPluggedIn: outlets.first?.kind != .plug, controls: controls))
  }

  /// Whether the device is there when the scene begins.
  var isPluggedInAtFirst: Bool { state.withLock { $0.isPluggedIn } }

  // MARK: Controls

  /// What the controls stood at in the newest frame, or what the next stream starts with.
  public var controlState: ControlState {
    state.withLock { $0.controls.state }
  }

  /// Changes controls, see ``CaptureDeviceDriver/apply(_:)``.
  ///
  /// The first frame that shows it is the first whose exposure begins now or later, that is whose timestamp is not before
  /// the moment of the call.
  public func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    try checkPluggedIn()
    let now = world.clock.now
    return try state.withLock { state throws(CaptureDeviceError) in
      guard let format = state.configuration?.format ?? facts.formats.last else {
        throw CaptureDeviceError(
          .controlUnsupported, "\(facts.name) is a microphone and has no such control.")
      }
      try ControlRules(facts: facts, format: format).check(controls)
      state.change += 1
      state.rest = Rest()
      state.controls.apply(controls, change: state.change, at: now)
      if !state.isStreaming { state.controls.settle(at: now) }
      return state.change
    }
  }

  /// Refuses a still whose flash or exposure the device cannot give.
  func check(_ request: StillRequest, format: StreamFormat) throws(CaptureDeviceError) {
    try ControlRules(facts: facts, format: format).check(request)
  }

  /// The conditions of the frame whose exposure begins at `time`; moves what is automatic on by one frame.
  ///
  /// - Parameters:
  ///   - seconds: The same moment since the stream started.
  ///   - still: A picture that wants the exposure for itself.
  func exposeFrame(at time: MonotonicInstant, seconds: Double, frameNanoseconds: Int64, still: StillRequest?)
    -> FrameConditions
  {
    let resting = state.withLock { state in
      still == nil && state.rest.holds(frameNanoseconds: frameNanoseconds) ? state.conditions : nil
    }
    return resting
      ?? exposeMovingFrame(at: time, seconds: seconds, frameNanoseconds: frameNanoseconds, still: still)
  }

  @inline(never)
  private func exposeMovingFrame(
    at time: MonotonicInstant, seconds: Double, frameNanoseconds: Int64, still: StillRequest?
  ) -> FrameConditions {
    state.withLock { state in
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

  // MARK: Streams

  /// Opens the device, see ``CaptureDeviceDriver/openStream(_:)``.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    try checkPluggedIn()
    if let error = state.withLock({ $0.faultsError }) { throw error }
    let now = world.clock.now
    if let until = state.withLock({ $0.resetUntil }), now < until {
      throw CaptureDeviceError(
        .mediaServicesReset, "\(facts.name) is not back yet after a reset of the media service; try again.")
    }
    if isBusy(at: now) { throw busyError("another client") }
    let granted = facts.media.contains(.video) ? try grant(configuration) : configuration
    guard facts.media.contains(.video) || facts.audioFormats.contains(configuration.audio) else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) does not send \(configuration.audio.channels) channels at \(configuration.audio.rate) Hz; "
          + "choose one of its \(facts.audioFormats.count) formats.")
    }
    let isFree = state.withLock { state in
      guard state.openings == 0 else { return false }
      state.openings = 1
      return true
    }
    guard isFree else { throw busyError("another stream of this program") }
    let engine: any StreamEngine =
      facts.media.contains(.video)
      ? VideoEngine(device: self, configuration: granted) : AudioEngine(device: self, configuration: granted)
    state.withLock { state in
      state.engine = WeakEngine(engine: engine)
      state.configuration = granted
    }
    return SimulatedStream(engine: engine, device: self)
  }

  private func busyError(_ who: String) -> CaptureDeviceError {
    CaptureDeviceError(
      .deviceBusy, "\(facts.name) cannot be opened because \(who) holds it; close that first.")
  }

  private func checkPluggedIn() throws(CaptureDeviceError) {
    guard state.withLock({ $0.isPluggedIn }) else {
      throw CaptureDeviceError(.disconnected, "\(facts.name) is not plugged in; plug it in and try again.")
    }
  }

  private func grant(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> StreamConfiguration {
    let format = configuration.format
    guard facts.formats.contains(format) else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) has no format \(format.size) of that kind; choose one of its formats.")
    }
    guard format.encoding != .h264 else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) cannot send H.264, which nothing here makes; choose another format.")
    }
    let size = configuration.size
    let isSmaller =
      format.scalesStream && size.width > 1 && size.height > 1 && size.width <= format.size.width
      && size.height <= format.size.height
      && abs(size.width * format.size.height - size.height * format.size.width)
        <= max(format.size.width, format.size.height)
    guard size == format.size || isSmaller else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) cannot stream \(size) from its format \(format.size); ask for the format's size.")
    }
    guard !configuration.usesP3 || format.supportsP3 else {
      throw CaptureDeviceError(
        .formatUnsupported, "\(facts.name) has no P3 colours in \(format.size); use sRGB.")
    }
    let stabilized = configuration.stabilization
    guard stabilized == .off || format.stabilizationModes.contains(stabilized) else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) cannot steady \(format.size) in that way; choose one of the format's modes.")
    }
    guard configuration.bufferCount > 0 else {
      throw CaptureDeviceError(
        .outOfMemory, "\(facts.name) cannot stream without a buffer; ask for at least one.")
    }
    var granted = configuration
    granted.frameDuration = format.nearestDuration(to: configuration.frameDuration)
    granted.bufferCount = min(configuration.bufferCount, StreamFaults(device: self).bufferLimit)
    if let depth = configuration.depth { granted.depth = try grant(depth, beside: format) }
    return granted
  }

  /// Called when a stream object goes: the device is free again.
  func streamClosed() {
    state.withLock { state in
      state.openings = 0
      state.engine = nil
      state.configuration = nil
    }
  }

  /// Called when a stream stops: what was still to come holds at once.
  func streamStopped() {
    let now = world.clock.now
    state.withLock { state in
      guard state.isStreaming else { return }
      state.isStreaming = false
      state.controls.settle(at: now)
    }
  }

  /// Called when a stream starts: what is automatic begins anew, and the first time the device's faults begin to count.
  func streamStarted(at start: MonotonicInstant, _ configuration: StreamConfiguration)
    throws(CaptureDeviceError)
  {
    try checkPluggedIn()
    if isBusy(at: world.clock.now) { throw busyError("another client") }
    let isFirst = state.withLock { state in
      if facts.media.contains(.video) { beginFrames(configuration, at: start, &state) }
      defer { state.firstStart = state.firstStart ?? start }
      return state.firstStart == nil
    }
    if isFirst { try beginFaults(at: start, where: { $0 }) }
  }

  private func beginFrames(
    _ configuration: StreamConfiguration, at start: MonotonicInstant, _ state: inout State
  ) {
    state.configuration = configuration
    state.isStreaming = true
    state.rest = Rest()
    if state.probe?.frame != configuration.size {
      let painter = SceneProbe.makePainter(configuration.size, model: model, world: world)
      state.probe = (painter, configuration.size)
    }
    state.controls.begin(configuration, at: start)
  }

  // MARK: Faults

  /// Begins what counts from the installation of the scene.
  func begin(provider: SimulatedDeviceProvider) {
    self.provider.withLock { $0.provider = provider }
    do throws(CaptureDeviceError) {
      try beginFaults(at: world.installation, where: { !$0 })
    } catch {
      state.withLock { $0.faultsError = error }
    }
  }

  /// Ends the device's own events; for when its provider goes.
  func end() {
    let tickers = state.withLock { state in
      defer { state.tickers = [] }
      return state.tickers
    }
    for ticker in tickers { ticker.cancel() }
  }

  /// Schedules plugs, unplugs and resets: those that count from the first start, or those that cannot.
  private func beginFaults(at origin: MonotonicInstant, where countsFromStart: (Bool) -> Bool)
    throws(CaptureDeviceError)
  {
    let outlets = faults.filter { $0.kind == .plug || $0.kind == .unplug }.sorted { $0.at < $1.at }
    var events: [SceneFault] = []
    // A device that is not there at first cannot have been started before it is plugged in.
    let isAbsentAtFirst = outlets.first?.kind == .plug
    for (index, fault) in outlets.enumerated() where countsFromStart(!(isAbsentAtFirst && index == 0)) {
      events.append(fault)
    }
    for fault in faults {
      if case .reset = fault.kind, countsFromStart(true) { events.append(fault) }
    }
    guard !events.isEmpty else { return }
    let queue = Locked(events.sorted { $0.at < $1.at })
    let first = origin.advanced(by: queue.withLock { $0[0].at })
    let ticker = try Ticker(name: "sim-faults", clock: world.clock, first: first) { [weak self] in
      let (fault, next) = queue.withLock { queue in (queue.removeFirst(), queue.first?.at) }
      guard let self else { return nil }
      apply(fault)
      return next.map { origin.advanced(by: $0) }
    }
    state.withLock { $0.tickers.append(ticker) }
  }

  private func apply(_ fault: SceneFault) {
    switch fault.kind {
    case .unplug: unplug()
    case .plug: plugIn()
    case .reset(let seconds): reset(seconds: seconds)
    default: break
    }
  }

  /// Pulls the device out, as the fault `unplug` does: its stream fails, and the provider's list shrinks.
  public func unplug() {
    let engine = state.withLock { state in
      state.isPluggedIn = false
      return state.engine?.engine
    }
    engine?.fail(CaptureDeviceError(.disconnected, "\(facts.name) was unplugged; plug it in again."))
    provider.withLock { $0.provider }?.setPresent(false, self)
  }

  /// Plugs the device in again.
  public func plugIn() {
    state.withLock { $0.isPluggedIn = true }
    provider.withLock { $0.provider }?.setPresent(true, self)
  }

  /// Ends the device's stream as when the media service is reset; it can be opened again after `seconds`.
  func reset(seconds: Double) {
    let until = world.clock.now.advanced(by: seconds)
    let engine = state.withLock { state in
      state.resetUntil = until
      return state.engine?.engine
    }
    engine?.fail(
      CaptureDeviceError(.mediaServicesReset, "The media service was reset; start the session again."))
  }

  /// Whether another client holds the device.
  func isBusy(at now: MonotonicInstant) -> Bool {
    for fault in faults {
      guard case .busy(let seconds) = fault.kind else { continue }
      let begin = world.installation.advanced(by: fault.at)
      guard now >= begin else { continue }
      guard let seconds else { return true }
      if now < begin.advanced(by: seconds) { return true }
    }
    return false
  }

  // MARK: Stills

  /// The painter of stills of this shape; kept, because its static picture is dear.
  func stillPainter(_ key: PainterKey) -> FramePainter {
    if let painter = state.withLock({ $0.stillPainters[key] }) { return painter }
    let painter = FramePainter(key, model: model, world: world)
    state.withLock { state in
      // One size at a time is what clients use; more would hold 18 MB each.
      state.stillPainters = [key: painter]
    }
    return painter
  }
}

extension MonotonicInstant {
  /// The moment `seconds` later, to the nearest nanosecond.
  func advanced(by seconds: Double) -> MonotonicInstant {
    advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
  }
}

extension StreamFormat {
  /// The duration that the format has and that is nearest to `wanted`.
  func nearestDuration(to wanted: FrameDuration) -> FrameDuration {
    let candidates = frameDurations.map { range in min(max(wanted, range.lowerBound), range.upperBound) }
    return candidates.min { left, right in
      abs(left.nanoseconds - wanted.nanoseconds) < abs(right.nanoseconds - wanted.nanoseconds)
    } ?? wanted
  }
}

extension ControlState {
  /// Whether something automatic is on its way.
  fileprivate var isMoving: Bool {
    exposure.isAdjusting || isAdjustingFocus || isAdjustingWhiteBalance || isRampingZoom
  }
}

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
    var isOpen = false
    weak var engine: (any StreamEngine)?
    var hasStarted = false
    var resetUntil: MonotonicInstant?
    /// Whether the media service was reset since the last start began.
    var wasReset = false
    /// The reason why the scene's faults cannot happen; the next opening throws it.
    var faultsError: CaptureDeviceError?
    weak var provider: SimulatedDeviceProvider?
  }

  /// The device's facts.
  public let facts: DeviceFacts
  /// The clock of the scene's timestamps.
  public var clock: CMClock { world.clock.mediaClock }
  let parts: CameraParts
  private let schedule: FaultSchedule
  private let state: Locked<State>

  init(model: SimulatedDeviceModel, world: SimulatedWorld) {
    parts = CameraParts(model, world)
    facts = parts.model.facts
    schedule = FaultSchedule(world.scene.faults.filter { $0.hits(model.facts.uniqueID) }, clock: world.clock)
    state = Locked(State(isPluggedIn: schedule.isPresentAtFirst))
  }

  var world: SimulatedWorld { parts.world }

  /// Whether the device is there when the scene begins.
  var isPluggedInAtFirst: Bool { schedule.isPresentAtFirst }

  /// Makes a manual clock wait.
  public func holdClock() -> (any AnyObject & Sendable)? { world.clock.makeToken() }

  // MARK: Controls

  /// The state of the controls in the newest frame, or at the start of the next stream.
  public var controlState: ControlState { parts.controls.current }

  /// Changes controls, see ``CaptureDeviceDriver/apply(_:)``.
  ///
  /// The first frame that shows it is the first whose exposure begins now or later, that is whose timestamp is not before
  /// the moment of the call.
  public func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    try checkPluggedIn()
    return try parts.controls.apply(controls)
  }

  // MARK: Streams

  /// Whether streams may take more buffers while they run: cameras', whose memory is made when it is needed.
  public var addsBuffers: Bool { facts.media.contains(.video) }

  /// Opens the device, see ``CaptureDeviceDriver/openStream(_:)``.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    try checkPluggedIn()
    if let error = state.withLock({ $0.faultsError }) { throw error }
    let now = world.clock.now
    if let until = state.withLock({ $0.resetUntil }), now < until {
      throw parts.error(.mediaServicesReset, "is not back yet after a reset of the media service; try again.")
    }
    try checkFree(at: now)
    let granted = try facts.grant(configuration, bufferLimit: parts.faults.bufferLimit)
    let isFree = state.withLock { state in
      defer { state.isOpen = true }
      return !state.isOpen
    }
    guard isFree else { throw busyError("another stream of this program") }
    // A clock that is moved by hand would stand still meanwhile, for the thread that moves it may be this one.
    let delay = world.clock.isManual ? 0 : parts.faults.openDelay
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    let engine: any StreamEngine =
      facts.media.contains(.video)
      ? VideoEngine(parts, granted) : AudioEngine(facts.name, world, parts.faults, granted)
    state.withLock { $0.engine = engine }
    parts.controls.setFormat(granted.format)
    return SimulatedStream(engine: engine, device: self)
  }

  private func busyError(_ holder: String) -> CaptureDeviceError {
    parts.error(.deviceBusy, "cannot be opened because \(holder) holds it; close that first.")
  }

  private func checkFree(at now: MonotonicInstant) throws(CaptureDeviceError) {
    if parts.faults.isBusy(at: now) { throw busyError("another client") }
  }

  private func checkPluggedIn() throws(CaptureDeviceError) {
    guard state.withLock({ $0.isPluggedIn }) else {
      throw parts.error(.disconnected, "is not plugged in; plug it in and try again.")
    }
  }

  /// Called when a stream object goes: the device is free again.
  func streamClosed() {
    parts.controls.setFormat(nil)
    state.withLock { state in
      state.isOpen = false
      state.engine = nil
    }
  }

  /// Called before a stream starts: the first time the device's faults begin to count.
  func streamStarts() throws(CaptureDeviceError) {
    let now = world.clock.now
    try checkPluggedIn()
    try checkFree(at: now)
    let isFirst = state.withLock { state in
      defer { state.hasStarted = true }
      state.wasReset = false
      return !state.hasStarted
    }
    if isFirst { try schedule.begin(startedAt: now) { [weak self] in self?.take($0) } }
  }

  /// Called when a stream has started: a fault that came meanwhile, on a thread of its own, found no run to end.
  func streamStarted() {
    let (engine, isPluggedIn, wasReset) = state.withLock { ($0.engine, $0.isPluggedIn, $0.wasReset) }
    if !isPluggedIn {
      engine?.fail(unplugged)
    } else if wasReset {
      engine?.fail(Self.reset)
    }
  }

  private var unplugged: CaptureDeviceError { parts.error(.disconnected, "was unplugged; plug it in again.") }
  private static let reset = CaptureDeviceError(
    .mediaServicesReset, "The media service was reset; start the session again.")

  // MARK: Faults

  /// Begins what counts from the installation of the scene.
  func begin(provider: SimulatedDeviceProvider) {
    state.withLock { $0.provider = provider }
    do throws(CaptureDeviceError) {
      try schedule.begin(installedAt: world.installation) { [weak self] in self?.take($0) }
    } catch {
      state.withLock { $0.faultsError = error }
    }
  }

  /// Ends the device's own events; for when its provider goes.
  func end() { schedule.end() }

  private func take(_ fault: SceneFault) {
    switch fault.kind {
    case .unplug: unplug()
    case .plug: plugIn()
    case .reset(let seconds): reset(seconds: seconds)
    default: break
    }
  }

  /// Pulls the device out, as the fault `unplug` does: its stream fails, and the provider's list shrinks.
  public func unplug() {
    let (engine, provider) = state.withLock { state in
      state.isPluggedIn = false
      return (state.engine, state.provider)
    }
    engine?.fail(unplugged)
    // A lamp has no current any more.
    _ = try? parts.controls.apply([.torch(.off, level: 0)])
    provider?.setPresent(false, self)
  }

  /// Plugs the device in again.
  public func plugIn() {
    let provider = state.withLock { state in
      state.isPluggedIn = true
      return state.provider
    }
    provider?.setPresent(true, self)
  }

  /// Ends the device's stream as when the media service is reset; it can be opened again after `seconds`.
  private func reset(seconds: Double) {
    let until = world.clock.now.advanced(by: seconds)
    let engine = state.withLock { state in
      state.resetUntil = until
      state.wasReset = true
      return state.engine
    }
    engine?.fail(Self.reset)
  }
}

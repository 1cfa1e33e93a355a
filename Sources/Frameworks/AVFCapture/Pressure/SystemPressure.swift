internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The machine's pressure, read when asked and watched while it is observed.
///
/// Thread-safe. Observers are notified on a queue of its own, in order.
package final class SystemPressure: Sendable {
  /// The pressure on this machine.
  package static let shared = SystemPressure(root: "/")
  /// The pressure on simulated devices: that of their scene, and what tests write into another folder.
  package static let simulated = SystemPressure(root: "/dev/null")

  private struct State {
    var root: String
    /// That of the world whose devices were asked last.
    weak var own: OwnPressure?
    var scale = PressureScale()
    var current = AVCaptureDevice.SystemPressureState(level: .nominal)
    /// When it was read last; `nil` before the first time.
    var readAt: MonotonicInstant?
    var timer: WorldTimer?
    /// How many times in a row the timer found no observer.
    var idleTicks = 0
  }

  /// How old a reading may be; temperatures do not change faster.
  private static let ageNanoseconds: Int64 = 1_000_000_000
  /// How many seconds the timer outlives the observers: a client that begins to observe reads first, and only then is an observer.
  private static let idleTicks = 3

  private let state: Locked<State>
  /// The devices whose state was asked for.
  private let devices = WeakObjects<AVCaptureDevice>()
  /// Held while the kernel's files are read; `state` is taken under it.
  private let reading = Lock()
  private let queue = DispatchQueue(label: "obscura.pressure")

  private init(root: String) {
    state = Locked(State(root: root))
  }

  /// Reads from another folder than `/` from now on and forgets what was read; for tests.
  package func use(root: String) {
    reading.withLock {
      state.withLock { state in
        state.root = root
        state.scale = PressureScale()
        state.current = AVCaptureDevice.SystemPressureState(level: .nominal)
        state.readAt = nil
      }
    }
  }

  /// The present state, at most a second old.
  package var current: AVCaptureDevice.SystemPressureState {
    if isOld { read(evenIfFresh: false) }
    return state.withLock { $0.current }
  }

  /// Reads now, whatever the last reading's age.
  package func refresh() {
    read(evenIfFresh: true)
  }

  /// Whether the timer runs; for tests.
  package var isWatching: Bool { state.withLock { $0.timer != nil } }

  private var isOld: Bool {
    let now = WorldTime.current.now
    // One of another world's time is of no age that could be told.
    return state.withLock { state in
      state.readAt.map { abs(now.nanoseconds - $0.nanoseconds) >= Self.ageNanoseconds } ?? true
    }
  }

  private func read(evenIfFresh: Bool) {
    reading.withLock {
      guard evenIfFresh || isOld else { return }
      let (read, now) = (PressureReading(root: state.withLock { $0.root }), WorldTime.current.now)
      state.withLock { state in
        let outcome = state.scale.take(read)
        let isFirst = state.readAt == nil
        state.readAt = now
        let old = state.current
        var factors: AVCaptureDevice.SystemPressureState.Factors = []
        let own = state.own?.level.pressureLevel ?? .nominal
        let level = max(outcome.level, own)
        if outcome.isSystemHot || own > .nominal { factors.insert(.systemTemperature) }
        if outcome.isCameraHot { factors.insert(.cameraTemperature) }
        guard old.level != level.appleLevel || old.factors != factors else { return }
        let new = AVCaptureDevice.SystemPressureState(level: level.appleLevel, factors: factors)
        state.current = new
        // Before the first reading no observer has seen another state.
        guard !isFirst else { return }
        queue.carry { [self] in
          for device in devices.present { device.notifySystemPressure(from: old, to: new) }
        }
      }
    }
  }

  // MARK: Watching

  /// Notifies `device` of changes from now on, whatever reads them; does not watch by itself.
  func note(_ device: AVCaptureDevice) {
    devices.add(device)
  }

  /// Is that of another world from now on, and follows its changes at once.
  func attach(_ own: OwnPressure) {
    let isNew = state.withLock { state in
      guard state.own !== own else { return false }
      state.own = own
      return true
    }
    guard isNew else { return }
    own.observe { [weak self] in self?.refresh() }
    refresh()
  }

  /// Notifies `device` of changes from now on, and watches while it has observers.
  func follow(_ device: AVCaptureDevice) {
    devices.add(device)
    let timer = state.withLock { state in
      state.idleTicks = 0
      let timer =
        state.timer ?? WorldTimer(on: queue, leeway: .milliseconds(200)) { [weak self] in self?.tick() }
      state.timer = timer
      return timer
    }
    // One that watches since before the present world goes by its time from now on.
    timer.set(afterNanoseconds: Self.ageNanoseconds)
  }

  private func tick() {
    let isObserved = devices.present.contains { $0.observerTable.count > 0 }
    let (timer, hasEnded) = state.withLock { state in
      state.idleTicks = isObserved ? 0 : state.idleTicks + 1
      guard state.idleTicks >= Self.idleTicks else { return (state.timer, false) }
      return (state.timer.take(), true)
    }
    if !hasEnded { timer?.set(afterNanoseconds: Self.ageNanoseconds) }
    if isObserved { _ = current }
  }
}

extension AVCaptureDevice {
  /// The pressure that the device is under.
  var pressure: SystemPressure {
    guard let own = driver.ownPressure else { return .shared }
    // One that is gone says nothing of the world that came after its own.
    if state.withLock({ $0.isConnected }) { SystemPressure.simulated.attach(own) }
    return .simulated
  }
}

internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
package import Linux

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
    var timer: (any DispatchSourceTimer)?
    /// How many times in a row the timer found no observer.
    var idleTicks = 0
  }

  /// How old a reading may be; temperatures do not change faster.
  private static let ageNanoseconds: Int64 = 1_000_000_000
  /// How many seconds the timer outlives the observers: a client that begins to observe reads first, and only then is an observer.
  private static let idleTicks = 3

  private let state: Monitor<State>
  /// The devices whose state was asked for.
  private let devices = WeakObjects<AVCaptureDevice>()
  /// Held while the kernel's files are read; `state` is taken under it.
  private let reading = Lock()
  private let queue = DispatchQueue(label: "obscura.pressure")

  private init(root: String) {
    state = Monitor(State(root: root))
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

  /// Blocks until the timer has ended, for tests; false when it runs on until the deadline.
  package func waitForEndOfWatch(until deadline: MonotonicInstant) -> Bool {
    state.wait(until: deadline, for: { $0.timer == nil }, then: { _ in true }) ?? false
  }

  private var isOld: Bool {
    state.withLock { state in
      state.readAt.map { MonotonicInstant.now >= $0.advanced(byNanoseconds: Self.ageNanoseconds) } ?? true
    }
  }

  private func read(evenIfFresh: Bool) {
    reading.withLock {
      guard evenIfFresh || isOld else { return }
      let read = PressureReading(root: state.withLock { $0.root })
      state.withLock { state in
        let outcome = state.scale.take(read)
        let isFirst = state.readAt == nil
        state.readAt = .now
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
    state.withLock { state in
      state.idleTicks = 0
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
      timer.setEventHandler { [weak self] in self?.tick() }
      timer.resume()
      state.timer = timer
    }
  }

  private func tick() {
    let isObserved = devices.present.contains { $0.observerTable.count > 0 }
    let ended: (any DispatchSourceTimer)? = state.withLock { state in
      state.idleTicks = isObserved ? 0 : state.idleTicks + 1
      guard state.idleTicks >= Self.idleTicks else { return nil }
      defer { state.timer = nil }
      return state.timer
    }
    ended?.cancel()
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

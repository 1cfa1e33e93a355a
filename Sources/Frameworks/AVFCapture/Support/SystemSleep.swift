internal import CSystemBus
internal import Glibc
package import Linux

/// The sleep of the machine, as logind announces it on the system's bus; followed while a session runs.
///
/// Cameras are let go of before the machine sleeps and taken again after it has woken up: what a driver makes of a stream that
/// slept differs from driver to driver, from frozen pictures to input/output errors. Logind is asked to wait with sleep
/// until that is done, which takes milliseconds; it waits some seconds at most.
///
/// A machine without such a bus, without logind, or without systemd's library, which is opened with the first session, is one that
/// never says that it sleeps: streams then go on after it as well
/// as their drivers can. Timestamps are of `CLOCK_MONOTONIC`, which stands still while the machine sleeps, so no stream seems
/// to have been silent. Thread-safe. Observers are called on a thread of its own, in order.
/// Source: `org.freedesktop.login1(5)`, section "Inhibit"; `sd-bus(3)`.
package final class SystemSleep: Sendable {
  /// The sleep of this machine.
  package static let shared = SystemSleep(address: nil)

  private struct State {
    var observers: [Int: @Sendable (Bool) -> Void] = [:]
    var nextObserver = 0
    var isAsleep = false
    /// Ends the thread that listens; `nil` when none does.
    var ending: WakeUp?
    /// Whether logind has answered since the thread began.
    var isHeard = false
  }

  /// The reason why sleep is not heard of, in one sentence that names the package to install; `nil` where this machine has
  /// systemd's library.
  package static var obstacle: String? { cam_bus_obstacle().map { String(cString: $0) } }

  private let address: String?
  private let state = Monitor(State())

  /// Listens on the bus at `address`, the system's when `nil`.
  package init(address: String?) {
    self.address = address
  }

  deinit {
    state.withLock { $0.ending }?.signal()
  }

  /// Whether the machine is on its way to sleep, or not yet awake.
  package var isAsleep: Bool { state.withLock { $0.isAsleep } }

  /// Whether logind is listened to; for tests.
  package var isHeard: Bool { state.withLock { $0.isHeard } }

  /// Blocks until logind is listened to, or until the thread that listens has given up; for tests.
  ///
  /// - Parameter deadline: When to give up.
  /// - Returns: Whether logind is listened to; `nil` when neither comes by then.
  package func waitUntilDecided(until deadline: MonotonicInstant) -> Bool? {
    state.wait(until: deadline, for: { $0.isHeard || $0.ending == nil }, then: { $0.isHeard })
  }

  /// Blocks until no thread listens, or until `deadline`; for tests.
  package func waitUntilUnheard(until deadline: MonotonicInstant) {
    _ = state.wait(until: deadline, for: { $0.ending == nil }, then: { _ in true })
  }

  /// Calls `observer` with `true` before the machine sleeps and with `false` after it, as long as the result is kept.
  ///
  /// When it has returned from the first, the machine may sleep.
  package func observe(_ observer: @escaping @Sendable (Bool) -> Void) -> any AnyObject & Sendable {
    let (number, wake) = state.withLock { state -> (Int, WakeUp?) in
      defer { state.nextObserver += 1 }
      state.observers[state.nextObserver] = observer
      // Without descriptors left the machine's sleep is not heard of, which no session should fail for.
      guard state.ending == nil, let wake = try? WakeUp() else { return (state.nextObserver, nil) }
      state.ending = wake
      return (state.nextObserver, wake)
    }
    if let wake { listen(wake) }
    return Observation { [weak self] in self?.forget(number) }
  }

  private func forget(_ number: Int) {
    // The observer goes after the lock is left: with it may go what it captured.
    let (observer, wake) = state.withLock { state -> (Any?, WakeUp?) in
      let observer = state.observers.removeValue(forKey: number)
      guard state.observers.isEmpty else { return (observer, nil) }
      defer {
        state.ending = nil
        state.isAsleep = false
        state.isHeard = false
      }
      return (observer, state.ending)
    }
    wake?.signal()
    withExtendedLifetime(observer) {}
  }

  /// Says that the machine goes to sleep or has woken up; for logind's word, and for tests.
  package func notify(isAsleep: Bool) {
    let observers = state.withLock { state -> [@Sendable (Bool) -> Void] in
      guard state.isAsleep != isAsleep else { return [] }
      state.isAsleep = isAsleep
      return Array(state.observers.values)
    }
    for observer in observers { observer(isAsleep) }
  }

  // MARK: Listening

  private func listen(_ wake: WakeUp) {
    do throws(SystemError) {
      _ = try ReaderThread(name: "obscura-sleep") { [weak self, address] in
        guard let ear = SleepEar(address: address, report: { self?.notify(isAsleep: $0) }) else {
          self?.gaveUp(wake)
          return
        }
        self?.state.withLock { if $0.ending === wake { $0.isHeard = true } }
        ear.listen(until: wake)
        self?.gaveUp(wake)
      }
    } catch {
      gaveUp(wake)
    }
  }

  /// No thread listens any more, because the bus is gone; the next observer tries again.
  private func gaveUp(_ wake: WakeUp) {
    let wasAsleep = state.withLock { state -> Bool in
      guard state.ending === wake else { return false }
      state.ending = nil
      defer { state.isHeard = false }
      return state.isHeard && state.isAsleep
    }
    // A thread that waits for a message that cannot come any more would wait for ever.
    if wasAsleep { notify(isAsleep: false) }
  }

  private final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }
}

/// A connection to the bus on which logind speaks; used by one thread.
private final class SleepEar {
  private let bus: OpaquePointer
  private let report: (Bool) -> Void
  /// Logind waits with sleep as long as this is open.
  private var delay: Descriptor?

  /// Connects; `nil` where there is no bus.
  init?(address: String?, report: @escaping (Bool) -> Void) {
    var opened: OpaquePointer?
    guard cam_bus_open(address, &opened) >= 0, let opened else { return nil }
    bus = opened
    self.report = report
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = cam_bus_hear_sleep(
      bus,
      { context, isBefore in
        guard let context else { return }
        // Safe because the listener outlives its connection, which it closes.
        Unmanaged<SleepEar>.fromOpaque(context).takeUnretainedValue().heard(isBefore != 0)
      }, context)
    guard result >= 0 else {
      cam_bus_close(bus)
      return nil
    }
    askForDelay()
  }

  /// Where logind refuses, or is not there, the machine sleeps when it likes.
  private func askForDelay() {
    let descriptor = cam_bus_delay_sleep(bus, "Obscura", "Cameras are let go of before sleep")
    delay = descriptor >= 0 ? Descriptor(adopting: descriptor) : nil
  }

  private func heard(_ isBefore: Bool) {
    report(isBefore)
    if isBefore { delay = nil } else { askForDelay() }
  }

  /// Handles messages until `wake` is signalled or the bus is gone, then closes the connection.
  func listen(until wake: WakeUp) {
    defer { cam_bus_close(bus) }
    while true {
      let more = cam_bus_process(bus)
      if more < 0 { return }
      if more > 0 { continue }
      var descriptor: Int32 = -1
      var events: Int16 = 0
      var moment: UInt64 = .max
      guard cam_bus_waiting(bus, &descriptor, &events, &moment) >= 0 else { return }
      var watched = [
        pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: events, revents: 0),
      ]
      let rest = Int64(clamping: moment).subtractingReportingOverflow(MonotonicInstant.now.nanoseconds / 1000)
      let milliseconds = moment == .max ? -1 : Int32(clamping: max(rest.partialValue, 0) / 1000 + 1)
      if poll(&watched, 2, milliseconds) < 0, errno != EINTR { return }
      if watched[0].revents != 0 { return }
    }
  }
}

internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// How long devices may take to come back when the machine has woken up: USB devices are counted anew.
  private static let wakingNanoseconds: Int64 = 5_000_000_000

  /// Begins to follow the machine's sleep, while the session is started.
  func followSleep() {
    let isFollowed = core.withLock { $0.sleepWatch != nil }
    guard !isFollowed else { return }
    let watch = SystemSleep.shared.observe { [weak self] isAsleep in
      if isAsleep { self?.fallAsleep() } else { self?.wakeUp() }
    }
    // The second caller lets its own go, under no lock.
    let extra = core.withLock { core -> (any AnyObject & Sendable)? in
      guard core.sleepWatch == nil else { return watch }
      core.sleepWatch = watch
      return nil
    }
    withExtendedLifetime(extra) {}
  }

  /// Follows it no more: the session has stopped.
  func forgetSleep() {
    let watch = core.withLock { core -> (any AnyObject & Sendable)? in
      defer { core.sleepWatch = nil }
      return core.sleepWatch
    }
    withExtendedLifetime(watch) {}
  }

  /// Closes the devices, before the machine sleeps; they count as withheld until it has woken up.
  ///
  /// Apple's devices interrupt the sessions of programs that the system puts to rest with the reason
  /// `videoDeviceNotAvailableInBackground`, the camera withheld by the system, so that is the reason here; of the reasons
  /// for microphones there is one only.
  func fallAsleep() {
    interrupt(because: "the machine went to sleep; the session goes on when it has woken up") { feeds in
      feeds.asleep.formUnion(feeds.open.keys)
      return feeds.withhold { .sleep(of: $0.facts) }
    }
  }

  /// Opens the devices again, when the machine has woken up and they are all there, or when waiting for them is in vain.
  private func wakeUp() {
    let clock = MachineClock.current
    let deadline = clock.now.advanced(byNanoseconds: Self.wakingNanoseconds)
    events.carry { [weak self] in self?.openAgain(by: deadline, on: clock) }
  }

  private func openAgain(by deadline: MonotonicInstant, on clock: CMClock) {
    guard !SystemSleep.shared.isAsleep else { return }
    let asleep = core.withLock { $0.feeds.asleep }
    guard !asleep.isEmpty else { return }
    // An interruption ends by itself: a device that the machine counts anew when it wakes up is taken as the one it was.
    _ = takeReturnedDevices(asleep)
    let devices = inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
    if clock.now < deadline, !devices.allSatisfy(\.isConnected) {
      let planned = clock.perform(afterNanoseconds: 100_000_000, on: events) { [weak self] in
        self?.openAgain(by: deadline, on: clock)
      }
      let former = core.withLock { core in
        defer { core.plannedWaking = planned }
        return core.plannedWaking
      }
      withExtendedLifetime(former) {}
      return
    }
    // They count as withheld until they are open.
    core.withLock { $0.feeds.asleep = [] }
    handle(.commit)
  }

  /// Whether a device may not be opened because the machine is about to sleep; it then counts as withheld.
  func isWithheldBySleep(_ device: AVCaptureDevice) -> Bool {
    guard SystemSleep.shared.isAsleep else { return false }
    core.withLock { core in
      core.feeds.withheld[device.uniqueID] = .sleep(of: device.facts)
      core.feeds.asleep.insert(device.uniqueID)
    }
    return true
  }
}

extension AVCaptureSession.InterruptionReason {
  /// The reason for a device that sleeps with its machine.
  fileprivate static func sleep(of facts: DeviceFacts) -> AVCaptureSession.InterruptionReason {
    facts.isMicrophone ? .audioDeviceInUseByAnotherClient : .videoDeviceNotAvailableInBackground
  }
}

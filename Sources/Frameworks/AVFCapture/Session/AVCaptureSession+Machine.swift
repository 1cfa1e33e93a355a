internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// How long `stopRunning()` waits for another thread that works on the devices.
  ///
  /// A second is the promise; what is left is for the caller.
  private static let stopTimeoutNanoseconds: Int64 = 900_000_000

  // MARK: The machine

  /// Brings an event, does the work that it asks for on this thread, and notifies the clients.
  func handle(_ first: SessionEvent) {
    var event: SessionEvent? = first
    while let current = event {
      // An error that is forgotten, with what it names, goes after the lock is left.
      let (work, failure) = core.withLock { core in
        let failure = core.runner.failure
        return (core.take(current, of: self), failure)
      }
      withExtendedLifetime(failure) {}
      switch work {
      case .nothing: event = nil
      case .apply: event = apply()
      case .close:
        closeAll()
        event = .closed
      case .wait:
        _ = core.wait {
          $0.runner.state.isSettled
        } then: { _ in
        }
      case .waitForStop:
        let limit = HangLimit(nanoseconds: AVCaptureSession.stopTimeoutNanoseconds)
        _ = core.wait(until: limit.deadline) {
          $0.runner.state == .stopped
        } then: { _ in
        }
        event = nil
      }
    }
    watch()
    deliver()
    lookForDeferredStart()
    // The machine went to sleep while a thread worked on the devices.
    if SystemSleep.shared.isAsleep { fallAsleep() }
  }

  /// Notifies the clients of what is due, in order; one thread at a time, under no lock.
  ///
  /// A call from inside a client's handler leaves its news to the delivery that is going on.
  func deliver() {
    while let due = core.withLock({ $0.outbox.beginDelivery() }) {
      HeldLocks.assertNone(in: "AVCaptureSession.deliver()")
      for notify in due { notify() }
      core.withLock { $0.outbox.endDelivery() }
    }
  }
}

extension AVCaptureSession.Core {
  /// Goes where `event` leads and puts what clients are to be notified of into the outbox; returns what is to be done.
  mutating func take(_ brought: SessionEvent, of session: AVCaptureSession) -> SessionWork {
    // A client that has stopped the session meanwhile waits for nothing.
    if brought == .deviceReturned, feeds.lost.isEmpty { return .nothing }
    // A start is the client's answer to the error with which the session went on without a device.
    let triesAgain = brought == .start && runner.state == .running && !feeds.left.isEmpty
    let event = triesAgain ? .commit : feeds.event(of: brought)
    let step = runner.take(event, isWithheld: !feeds.withheld.isEmpty)
    running = runner.state == .stopped ? nil : running ?? RunningSession()
    if event == .settled || event == .settledWithoutDevice { feeds.lost = [] }
    var news: [SessionOutbox.News] = []
    if let failure = step.failure {
      news.append { [weak session] in
        session?.post(AVCaptureSession.runtimeErrorNotification, [AVCaptureSessionErrorKey: failure])
      }
    }
    if let (old, new) = step.change {
      news.append { [weak session, reason = feeds.reason, pressure = feeds.pressure] in
        session?.notify(old, new, reason, pressure)
      }
    }
    outbox.add(news)
    return step.work
  }
}

extension AVCaptureSession {
  func post(_ name: Notification.Name, _ information: [String: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }

  /// Notifies observers what changed: properties first, then the notification that says why.
  func notify(
    _ old: SessionStatus, _ new: SessionStatus, _ reason: InterruptionReason?,
    _ pressure: AVCaptureDevice.SystemPressureState?
  ) {
    if old.isInterrupted != new.isInterrupted {
      observerTable.changed(
        \AVCaptureSession.isInterrupted, of: self, from: old.isInterrupted, to: new.isInterrupted)
    }
    if old.isRunning != new.isRunning {
      observerTable.changed(\AVCaptureSession.isRunning, of: self, from: old.isRunning, to: new.isRunning)
    }
    if new.isInterrupted, !old.isInterrupted {
      var information: [String: Any] = [:]
      if let reason { information[AVCaptureSessionInterruptionReasonKey] = NSNumber(value: reason.rawValue) }
      if reason == .videoDeviceNotAvailableDueToSystemPressure, let pressure {
        information[AVCaptureSessionInterruptionSystemPressureStateKey] = pressure
      }
      post(Self.wasInterruptedNotification, information)
    } else if old.isInterrupted, new.isRunning {
      post(Self.interruptionEndedNotification)
    } else if new.isRunning, !old.isRunning {
      for port in inputs.flatMap(\.ports) { port.reportFormat() }
      post(Self.didStartRunningNotification)
    } else if old.isRunning || old.isInterrupted {
      post(Self.didStopRunningNotification)
    }
    for output in outputs { output.sessionDidChange() }
  }
}

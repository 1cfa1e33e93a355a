internal import CaptureDevice
internal import Dispatch
internal import Linux

extension AVCaptureSession: ConnectionOwner {
  func deviceCameBack() {
    events.async { [weak self] in self?.devicesCameBack() }
  }

  /// Notes that the session is about to end because of a feed's error: it goes on when the device has been plugged in anew.
  ///
  /// Apple tells of the error and leaves open what becomes of the session. A webcam whose plug was touched should not need a
  /// program's help: whoever has not called `stopRunning()` still wants pictures. Errors of the connection count too, since a
  /// plug that is pulled slowly shows as one; the session waits for the plug in any case.
  func noteLoss(of feed: DeviceFeed, after error: CaptureDeviceError) {
    guard error.code == .disconnected || error.code == .ioFailure || error.code == .noFrames else { return }
    core.withLock { core in
      if core.runner.state != .stopped { _ = core.feeds.lost.insert(feed.facts.uniqueID) }
    }
  }

  /// Starts the session again if every device that it wants is there, and one of them was lost.
  ///
  /// Blocks as a start does; call on the queue of events.
  func devicesCameBack() {
    let devices = core.withLock { core in
      core.feeds.lost.isEmpty
        ? [] : core.edits.committed.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
    }
    let ids = Set(devices.map(\.uniqueID))
    guard !devices.isEmpty, devices.allSatisfy(\.isPluggedIn) else { return }
    // Whose input is gone is not waited for any more.
    core.withLock { $0.feeds.lost.formIntersection(ids) }
    handle(.deviceReturned)
  }
}

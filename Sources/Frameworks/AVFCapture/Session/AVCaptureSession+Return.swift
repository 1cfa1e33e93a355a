internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureSession: ConnectionOwner {
  /// Whether the session takes a device that was unplugged when it is plugged in again, and goes on; `false` at first.
  ///
  /// Apple's sessions do not: a device that comes back is a new ``AVCaptureDevice``, for which the client makes a new input. That
  /// is so here too while this is `false`. While it is `true`, an input whose device was unplugged stands for the new object of
  /// the same identifier as soon as there is one: connections stay, and so do the device's formats, frame durations and depth
  /// settings, where it can do the same as before. A session that the loss had ended starts again when all its devices are
  /// there, unless ``stopRunning()`` was called meanwhile; one that went on without a microphone gets its audio again. A program that
  /// is not looked after, such as a kiosk, needs no code of its own for a webcam whose plug was touched.
  ///
  /// A device that stands still does not return as long as its plug stays, for nothing would be seen of it: it would have to be opened
  /// again and again. The client decides on that, in the notification of `AVError.noDataCaptured`: see ``startRunning()``.
  ///
  /// - Note: Unlike AVFoundation, which has nothing like it.
  public var startsAgainWhenDevicesReturn: Bool {
    get { core.withLock { $0.feeds.startsAgain } }
    set {
      core.withLock { $0.feeds.startsAgain = newValue }
      DeviceRegistry.shared.report(to: self, newValue)
    }
  }

  func deviceCameBack(_ id: String) {
    events.carry { [weak self] in self?.goOn(with: id) }
  }

  /// Notes that the session is about to end because of a feed's error.
  ///
  /// Errors of the connection count too, since a plug that is pulled slowly shows as one; the session waits for the plug in any
  /// case.
  func noteLoss(of feed: DeviceFeed, after error: CaptureDeviceError) {
    guard error.code == .disconnected || error.code == .ioFailure || error.code == .noFrames else { return }
    core.withLock { core in
      if core.runner.state != .stopped { _ = core.feeds.lost.insert(feed.facts.uniqueID) }
    }
  }

  /// Takes the device of this identifier again, if one of the inputs waits for it, and goes on.
  ///
  /// Blocks as a start does; call on the queue of events.
  ///
  /// - Parameter former: The object whose stream has just ended: the device may have been taken again before that was known.
  func goOn(with id: String, insteadOf former: AVCaptureDevice? = nil) {
    guard startsAgainWhenDevicesReturn else { return }
    let isTaken = takeReturnedDevices([id])
    let structure = core.withLock { $0.edits.committed }
    guard isTaken || (former != nil && structure.device(id) !== former) else { return }
    let devices = structure.devices
    // Whose input is gone is not waited for any more.
    let isLost = core.withLock { core in
      core.feeds.lost.formIntersection(devices.map(\.uniqueID))
      return !core.feeds.lost.isEmpty
    }
    guard isLost else { return somethingChanged() }
    if devices.allSatisfy(\.isPluggedIn) { handle(.deviceReturned) }
  }

  /// Lets the inputs of unplugged devices among `ids` stand for the objects that these are now; whether there was one.
  func takeReturnedDevices(_ ids: Set<String>) -> Bool {
    var isChanged = false
    for case let input as AVCaptureDeviceInput in core.withLock({ $0.edits.committed.inputs }) {
      let former = input.device
      guard !former.isPluggedIn, ids.contains(former.uniqueID),
        let device = AVCaptureDevice(uniqueID: former.uniqueID)
      else { continue }
      input.take(device, for: self)
      isChanged = true
    }
    return isChanged
  }
}

internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Takes what a stream reported; on the queue of events.
  func take(_ news: StreamReport, from feed: DeviceFeed) {
    let id = feed.facts.uniqueID
    guard core.withLock({ $0.feeds.open[id] === feed }) else { return }
    switch news {
    case .failed(let error):
      if goesOn(without: feed, after: error) { return goOn(with: id, insteadOf: feed.device) }
      fail(with: AVError(error, device: feed.device))
      noteLoss(of: feed, after: error)
      handle(.streamFailed)
      // A quick hand may have plugged it in again while the session was being closed.
      goOn(with: id, insteadOf: feed.device)
    case .interrupted(let interruption):
      core.withLock { $0.feeds.withheld[id] = InterruptionReason(interruption, of: feed.facts) }
      let error = AVError(
        .sessionWasInterrupted,
        because:
          "The capture ended because \(feed.facts.name) was withheld; try again when the interruption has ended."
      )
      let sinks = core.withLock { $0.edits.structure.sinks }
      for sink in sinks where sink.connections.contains(where: { $0.isFed(by: feed) }) {
        sink.endCaptures(with: error)
      }
      rest(feed.device)
      handle(.streamInterrupted)
    case .resumed:
      core.withLock { $0.feeds.withheld[id] = nil }
      handle(.streamResumed)
    }
  }

  /// Ends the feed of a microphone that is lost while a camera streams, or of a camera while another one does in a session of
  /// several; `false` when the session must end.
  ///
  /// Apple says that a session posts a runtime error when a device is lost, and not what becomes of the others; of a session of
  /// several cameras it says that one may stop and the others are unaffected. A person who looks at a preview does not want it to
  /// end because a headset was pulled out, nor to lose the recording of the camera that is there: the session posts the error, the
  /// device's connections become inactive, and the pictures go on. A reset of the media service takes everything with it.
  func goesOn(without feed: DeviceFeed, after error: CaptureDeviceError) -> Bool {
    guard feed.facts.isMicrophone || takesSeveralCameras, error.code != .mediaServicesReset else {
      return false
    }
    let goesOn = core.withLock { core in
      guard [.running, .reconfiguring, .interrupted].contains(core.runner.state),
        core.feeds.havePictures(without: feed.facts.uniqueID)
      else { return false }
      core.feeds.forget(feed.facts.uniqueID)
      return true
    }
    guard goesOn else { return false }
    let lost = AVError(error, device: feed.device)
    // Before captures are ended: what is asked for meanwhile looks at the connections.
    leave(feed.device, because: lost)
    let answers = close(feed, because: lost)
    rest(feed.device, answers: answers)
    // It may have been the one that the session was waiting for.
    handle(.streamResumed)
    return true
  }

  /// Notes that the session goes on without a device, whose feed is closed next, and that clients are to be notified.
  func leave(_ device: AVCaptureDevice, because error: AVError) {
    // Not by planning: the news of the stream comes before that of the device, which counts as plugged in until then.
    let news = connections.filter { $0.deviceID == device.uniqueID }.compactMap { $0.note(isActive: false) }
    core.withLock { core in
      core.feeds.left.insert(device.uniqueID)
      core.outbox.add(
        news + [
          { [weak self] in self?.post(Self.runtimeErrorNotification, [AVCaptureSessionErrorKey: error]) }
        ])
    }
  }
}

extension AVCaptureSession.InterruptionReason {
  /// The reason that Apple has for it; none names a shutter, so that is the camera withheld by the system, and there is
  /// one only for microphones.
  init(_ interruption: StreamInterruption, of facts: DeviceFacts) {
    if facts.isMicrophone {
      self = .audioDeviceInUseByAnotherClient
      return
    }
    self =
      switch interruption {
      case .privacy: .videoDeviceNotAvailableInBackground
      case .inUseByAnotherClient: .videoDeviceInUseByAnotherClient
      }
  }
}

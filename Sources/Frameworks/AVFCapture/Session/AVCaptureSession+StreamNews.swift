internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Takes what a stream reported; on the queue of events.
  func take(_ news: StreamNews, from feed: DeviceFeed) {
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
      handle(.streamInterrupted)
    case .resumed:
      core.withLock { $0.feeds.withheld[id] = nil }
      handle(.streamResumed)
    }
  }

  /// Ends the feed of a microphone that is lost while a camera streams; `false` when the session must end.
  ///
  /// Apple says that a session posts a runtime error when a device is lost, and not what becomes of the others. A person
  /// who looks at a preview does not want it to end because a headset was pulled out: the session posts the error, the microphone's
  /// connections become inactive, and the pictures go on. A reset of the media service takes everything with it.
  func goesOn(without feed: DeviceFeed, after error: CaptureDeviceError) -> Bool {
    guard feed.facts.isMicrophone, error.code != .mediaServicesReset else { return false }
    let lost = AVError(error, device: feed.device)
    let goesOn = core.withLock { core in
      guard [.running, .reconfiguring, .interrupted].contains(core.runner.state),
        core.feeds.open.values.contains(where: { !$0.facts.isMicrophone })
      else { return false }
      core.feeds.forget(feed.facts.uniqueID)
      core.outbox.add([
        { [weak self] in self?.post(Self.runtimeErrorNotification, [AVCaptureSessionErrorKey: lost]) }
      ])
      return true
    }
    guard goesOn else { return false }
    close(feed, because: lost)
    // Not by planning: the news of the stream comes before that of the device, which counts as plugged in until then.
    let news = connections.filter { $0.deviceID == feed.facts.uniqueID }
      .compactMap { $0.note(isActive: false) }
    core.withLock { $0.outbox.addFirst(news) }
    // It may have been the one that the session was waiting for.
    handle(.streamResumed)
    return true
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

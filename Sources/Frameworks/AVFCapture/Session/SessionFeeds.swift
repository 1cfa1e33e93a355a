internal import CaptureDevice

/// The devices of a session, by unique identifier: which stream, and why others do not.
struct SessionFeeds {
  typealias Reason = AVCaptureSession.InterruptionReason

  /// The devices that stream.
  var open: [String: DeviceFeed] = [:]
  /// The devices that deliver nothing for now, without an error.
  var withheld: [String: Reason] = [:]
  /// The state of the machine when cameras were last withheld for its heat.
  var pressure: AVCaptureDevice.SystemPressureState?
  /// The devices that are closed because the machine sleeps.
  var asleep: Set<String> = []
  /// The devices without which the session goes on since they were lost; a start or a commit tries them again.
  var left: Set<String> = []
  /// The devices whose loss ended the session.
  var lost: Set<String> = []
  /// Whether the session goes on when they are back.
  var startsAgain = false

  /// The reason that clients are given; where both pictures and audio are missing, that of the pictures.
  var reason: Reason? {
    withheld.values.min { left, right in
      left != .audioDeviceInUseByAnotherClient && right == .audioDeviceInUseByAnotherClient
    }
  }

  var isCooling: Bool { withheld.values.contains(.videoDeviceNotAvailableDueToSystemPressure) }

  var areHeldByOthers: Bool {
    withheld.values.contains {
      $0 == .videoDeviceInUseByAnotherClient || $0 == .audioDeviceInUseByAnotherClient
    }
  }

  /// What an event is now: what is withheld may have changed since it was brought.
  func event(of brought: SessionEvent) -> SessionEvent {
    switch brought {
    case .settled, .settledWithoutDevice: withheld.isEmpty ? .settled : .settledWithoutDevice
    case .streamResumed, .streamInterrupted: withheld.isEmpty ? .streamResumed : .streamInterrupted
    default: brought
    }
  }

  /// Whether a camera streams that is not the device of this identifier.
  func havePictures(without id: String) -> Bool {
    open.contains { $0 != id && !$1.facts.isMicrophone }
  }

  mutating func forget(_ id: String) {
    open[id] = nil
    withheld[id] = nil
  }

  /// Forgets all devices, and returns those that streamed.
  mutating func forgetAll() -> [DeviceFeed] {
    defer {
      open = [:]
      withheld = [:]
      asleep = []
      left = []
    }
    return Array(open.values)
  }

  /// Withholds the open devices for which there is a reason, and returns them.
  mutating func withhold(_ reason: (DeviceFeed) -> Reason?) -> [DeviceFeed] {
    open.values.filter { feed in
      guard let reason = reason(feed) else { return false }
      open[feed.facts.uniqueID] = nil
      withheld[feed.facts.uniqueID] = reason
      return true
    }
  }
}

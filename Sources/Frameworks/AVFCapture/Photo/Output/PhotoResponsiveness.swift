internal import Linux

/// What an output keeps of responsive capture: its switches, what observers were told, and who follows its readiness.
final class PhotoResponsiveness: Sendable {
  /// The switches as they were set; they count while they are supported.
  struct Switches: Sendable, Hashable {
    var isResponsive = false
    var isFast = false
  }

  /// What observers of an output can see.
  struct Face: Sendable, Hashable {
    var isResponsiveSupported = false
    var isResponsiveEnabled = false
    var isFastSupported = false
    var isFastEnabled = false
  }

  private struct Follower {
    weak var coordinator: AVCapturePhotoOutputReadinessCoordinator?
  }

  let switches = Locked(Switches())
  private let told = Locked(Face())
  private let readiness = Locked(AVCapturePhotoOutput.CaptureReadiness.sessionNotRunning)
  private let newestPress = Locked<Int64>(0)
  private let followers = Locked<[Follower]>([])

  /// The highest `uniqueID` of settings that were pressed.
  var newestPressID: Int64 { newestPress.withLock { $0 } }

  func notePress(of id: Int64) {
    newestPress.withLock { $0 = max($0, id) }
  }

  /// Notes what observers can see now, and hands the change to `tell`, which must only enqueue, in the order of the changes.
  func note(_ face: () -> Face, tell: (Face, Face) -> Void) {
    told.withLock { told in
      let (old, new) = (told, face())
      guard old != new else { return }
      told = new
      tell(old, new)
    }
  }

  /// As ``note(_:tell:)``, for the readiness.
  func note(
    _ present: () -> AVCapturePhotoOutput.CaptureReadiness,
    tell: (AVCapturePhotoOutput.CaptureReadiness, AVCapturePhotoOutput.CaptureReadiness) -> Void
  ) {
    // Asked under the lock, so that of two threads the later one tells the later state.
    readiness.withLock { readiness in
      let (old, new) = (readiness, present())
      guard old != new else { return }
      readiness = new
      tell(old, new)
    }
  }

  func follow(_ coordinator: AVCapturePhotoOutputReadinessCoordinator) {
    followers.withLock { followers in
      followers.removeAll { $0.coordinator == nil }
      followers.append(Follower(coordinator: coordinator))
    }
  }

  /// Those who follow the output's readiness.
  var coordinators: [AVCapturePhotoOutputReadinessCoordinator] {
    followers.withLock { $0.compactMap(\.coordinator) }
  }
}

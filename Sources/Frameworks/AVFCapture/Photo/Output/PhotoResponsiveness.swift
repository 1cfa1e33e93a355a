internal import Linux

/// The state of responsive capture in an output: its switches, the values that observers know, and the followers of its readiness.
final class PhotoResponsiveness: Sendable {
  /// The switches as they were set; they count while they are supported.
  struct Switches: Sendable, Hashable {
    var isResponsive = false
    var isFast = false
    var isDeferring = false
  }

  /// The observable values of an output.
  struct Face: Sendable, Hashable {
    var isResponsiveSupported = false
    var isResponsiveEnabled = false
    var isFastSupported = false
    var isFastEnabled = false
    var isDeferringSupported = false
    var isDeferringEnabled = false
  }

  let switches = Locked(Switches())
  let face = ReviewedValue(Face())
  let readiness = ReviewedValue(AVCapturePhotoOutput.CaptureReadiness.sessionNotRunning)
  private let newestPress = Locked<Int64>(0)
  /// The coordinators that follow the output's readiness.
  let followers = WeakObjects<AVCapturePhotoOutputReadinessCoordinator>()

  /// The highest `uniqueID` of settings that were pressed.
  var newestPressID: Int64 { newestPress.withLock { $0 } }

  func notePress(of id: Int64) {
    newestPress.withLock { $0 = max($0, id) }
  }
}

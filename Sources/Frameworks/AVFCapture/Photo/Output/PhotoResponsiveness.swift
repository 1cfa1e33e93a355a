internal import Linux

/// What an output keeps of responsive capture: its switches, what observers know, and who follows its readiness.
final class PhotoResponsiveness: Sendable {
  /// The switches as they were set; they count while they are supported.
  struct Switches: Sendable, Hashable {
    var isResponsive = false
    var isFast = false
    var isDeferring = false
  }

  /// What observers of an output can see.
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
  /// Who follows the output's readiness.
  let followers = WeakObjects<AVCapturePhotoOutputReadinessCoordinator>()

  /// The highest `uniqueID` of settings that were pressed.
  var newestPressID: Int64 { newestPress.withLock { $0 } }

  func notePress(of id: Int64) {
    newestPress.withLock { $0 = max($0, id) }
  }
}

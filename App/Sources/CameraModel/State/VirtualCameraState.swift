/// The state of the virtual camera that offers this program's picture to other programs.
package enum VirtualCameraState: Sendable, Equatable {
  case off
  /// Other programs find it in their lists of cameras; none watches.
  case offered
  /// Other programs watch.
  case watched
  /// It is not offered; it is tried again.
  case failed(VirtualCameraProblem)

  /// Whether other programs find it.
  package var isOffered: Bool { self == .offered || self == .watched }
}

/// The reason why the virtual camera is not offered.
package enum VirtualCameraProblem: Sendable, Equatable, Error {
  /// PipeWire does not run.
  case noServer
  /// PipeWire refused it; the reason is the system's.
  case refused(reason: String)
}

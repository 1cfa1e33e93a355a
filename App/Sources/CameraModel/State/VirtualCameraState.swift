/// Whether other programs can use this one's picture as a camera.
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

/// Why the virtual camera is not offered.
package enum VirtualCameraProblem: Sendable, Equatable, Error {
  /// PipeWire does not run.
  case noServer
  /// What the system says.
  case refused(reason: String)
}

/// The state of a virtual camera that offers this program's picture to other programs.
public enum VirtualCameraState: Sendable, Equatable {
  /// It is not wanted.
  case off
  /// Other programs find it in their lists of cameras; none watches.
  case offered
  /// Other programs watch.
  case watched
  /// It is not offered.
  case failed(VirtualCameraProblem)

  /// Whether other programs find it.
  public var isOffered: Bool { self == .offered || self == .watched }
}

/// The reason why a virtual camera is not offered.
public enum VirtualCameraProblem: Sendable, Equatable, Error, CustomStringConvertible {
  /// PipeWire does not run.
  case noServer
  /// PipeWire refused it; the reason is the system's.
  case refused(reason: String)

  /// One sentence: why, and what to do.
  public var description: String {
    switch self {
    case .noServer:
      "Other programs get no camera, because PipeWire does not run; start it with 'systemctl --user start pipewire wireplumber'."
    case .refused(let reason):
      "Other programs get no camera, because PipeWire refuses it (\(reason)); restart it with 'systemctl --user restart pipewire'."
    }
  }
}

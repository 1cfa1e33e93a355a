internal import CPipeWire
package import CaptureDevice
internal import Glibc
package import Linux

/// The way to PipeWire: its socket, or what the desktop's portal opens for a program that may use cameras.
package enum PipeWireReach: Sendable {
  case server(PipeWireServer)
  case portal(CameraPortal)

  /// Whether a session manager is known to link streams: the portal's connections show cameras and nothing else, no sign of one either.
  var isManaged: Bool {
    if case .portal = self { true } else { false }
  }

  /// Connects; for one thread, which closes the connection.
  ///
  /// - Parameter wake: Ends waits on the connection.
  package func connect(_ wake: WakeUp) throws(CaptureDeviceError) -> OpaquePointer {
    var error: Int32 = 0
    guard let connection = cam_pipewire_connect(try descriptor(), wake.descriptor.number, &error) else {
      throw CaptureDeviceError(.ioFailure, Self.sentence(error))
    }
    return connection
  }

  /// A descriptor of a connection, which the caller closes.
  package func descriptor() throws(CaptureDeviceError) -> Int32 {
    switch self {
    case .server(let server):
      do throws(SystemError) {
        return try server.connect()
      } catch {
        throw CaptureDeviceError(.ioFailure, Self.sentence(error.errno))
      }
    case .portal(let portal): return try portal.remote()
    }
  }

  /// The error of a machine on which no PipeWire answers.
  package static var notRunning: CaptureDeviceError { CaptureDeviceError(.ioFailure, sentence(ENOENT)) }

  /// Why PipeWire cannot be reached, and what to do.
  private static func sentence(_ errno: Int32) -> String {
    switch errno {
    case ELIBACC:
      cam_pipewire_obstacle().map { String(cString: $0) }
        ?? "PipeWire's library cannot be used; install libpipewire-0.3-0."
    case ENOENT, ECONNREFUSED, EPIPE, EHOSTDOWN:
      "PipeWire does not run for this user, so its cameras are not listed; start it with 'systemctl --user start pipewire wireplumber'."
    case EACCES, EPERM:
      "This user may not use PipeWire's socket; run this program as the user of the desktop."
    default:
      "PipeWire cannot be reached (\(String(cString: strerror(errno)))); restart it with 'systemctl --user restart pipewire'."
    }
  }
}

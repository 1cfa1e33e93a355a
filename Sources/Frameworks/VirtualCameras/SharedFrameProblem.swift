internal import Glibc
internal import Linux

/// The reason why a ring offers no frames.
public enum SharedFrameProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program listens to the socket.
  case socketInUse(path: String)
  /// The socket's name is that of something else, such as a file.
  case notASocket(path: String)
  /// The socket's name is longer than the kernel allows.
  case nameTooLong(path: String)
  /// The system refuses the socket; the reason is the system's.
  case socketRefused(path: String, reason: String)
  /// Frames of a size find no place in memory.
  case noRoom(width: Int, height: Int, reason: String)

  /// One sentence: what failed, why, and what to do.
  public var description: String {
    switch self {
    case .socketInUse(let path):
      "Frames cannot be offered at \(path), because another program listens there; end that program, or choose another name."
    case .notASocket(let path):
      "Frames cannot be offered at \(path), because something else has that name; choose another one."
    case .nameTooLong(let path):
      "Frames cannot be offered at \(path), because the name of a socket has at most 107 bytes; choose a shorter one."
    case .socketRefused(let path, let reason): "Frames cannot be offered at \(path), because \(reason)."
    case .noRoom(let width, let height, let reason):
      "Frames of \(width)×\(height) cannot be offered, because \(reason)."
    }
  }

  /// The problem of a socket for C's error.
  init(socket path: String, errno: Int32) {
    switch errno {
    case EADDRINUSE: self = .socketInUse(path: path)
    case ENOTSOCK: self = .notASocket(path: path)
    case ENAMETOOLONG: self = .nameTooLong(path: path)
    case ENOENT, ENOTDIR:
      self = .socketRefused(path: path, reason: "its folder does not exist; make that, or choose another one")
    default: self = .socketRefused(path: path, reason: SystemError("listen", errno: errno).explanation)
    }
  }

  /// The problem of memory for C's error.
  init(width: Int, height: Int, errno: Int32) {
    let reason =
      switch errno {
      case ENOMEM, ENOSPC: "there is not enough memory; choose a smaller size, or fewer slots"
      case EINVAL: "the kernel seals no memory for readers; it must be Linux 5.1 or newer"
      default: SystemError("share memory", errno: errno).explanation
      }
    self = .noRoom(width: width, height: height, reason: reason)
  }
}

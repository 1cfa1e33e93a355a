internal import Glibc

/// A system call that failed: what was tried and why the kernel refused.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The attempted action, as a part of a sentence: "write /tmp/a.jpg".
  public let action: String
  /// The reason, by a name that programs match on.
  public let reason: Reason
  /// The kernel's number, for the log.
  package let errno: Int32

  /// The reasons that callers distinguish; everything else is ``other``.
  public enum Reason: Sendable, Hashable {
    /// ENOSPC, EDQUOT: the disk or the quota is full.
    case diskFull
    /// EACCES, EPERM, EROFS: not allowed to.
    case permissionDenied
    /// ENOENT, ENOTDIR: there is nothing by that name.
    case notFound
    /// ENODEV, ENXIO: the device is gone.
    case deviceGone
    /// EBUSY: someone else holds it.
    case busy
    /// ENOMEM: no memory left.
    case outOfMemory
    /// ETIMEDOUT: it took too long.
    case timedOut
    /// ENAMETOOLONG, EISDIR, EINVAL of a path: the name cannot be used.
    case invalidName
    /// EEXIST: there is something by that name already.
    case alreadyExists
    /// EPIPE: the reader of a pipe went away, or there is none.
    case readerGone
    /// EBADF: the stream is closed.
    case closed
    /// EFBIG: the largest file that the file system, or a limit of the process, allows.
    case fileTooLarge
    /// Anything else.
    case other
  }

  /// Wraps the kernel's number.
  ///
  /// C: `errno`.
  ///
  /// - Parameter action: What was tried, without full stop: "open /dev/video0".
  package init(_ action: String, errno: Int32) {
    self.action = action
    self.errno = errno
    reason = Self.reason(of: errno)
  }

  /// Wraps what the last call on this thread left in `errno`.
  package static func last(_ action: String) -> SystemError {
    SystemError(action, errno: Glibc.errno)
  }

  /// One sentence: what failed, why, and what to do where that is known.
  public var description: String {
    "Cannot \(action): \(explanation)."
  }

  /// The reason, as the second half of a sentence.
  package var explanation: String {
    switch reason {
    case .diskFull: "the disk is full; free some space and try again"
    case .permissionDenied where errno == EROFS: "the file system is read-only; choose another folder"
    case .permissionDenied: "permission is denied; check who may use it"
    case .notFound: "it does not exist"
    case .deviceGone: "the device is gone; plug it in again"
    case .busy: "another program is using it; close that program and try again"
    case .outOfMemory: "there is not enough memory"
    case .timedOut: "it took too long"
    case .invalidName: "the name cannot be used here"
    case .alreadyExists: "there is a file of that name already; choose another name"
    case .readerGone: "nothing reads it; start its reader first"
    case .closed: "it is closed"
    case .fileTooLarge: "a file can be no larger here; write several smaller ones, or choose another disk"
    case .other: SystemError.text(of: errno)
    }
  }

  private static func reason(of errno: Int32) -> Reason {
    switch errno {
    case ENOSPC, EDQUOT: .diskFull
    case EFBIG: .fileTooLarge
    case EACCES, EPERM, EROFS: .permissionDenied
    case ENOENT, ENOTDIR: .notFound
    case ENODEV, ENXIO: .deviceGone
    case EBUSY: .busy
    case ENOMEM: .outOfMemory
    case ETIMEDOUT: .timedOut
    case ENAMETOOLONG, EISDIR: .invalidName
    case EEXIST: .alreadyExists
    case EPIPE: .readerGone
    case EBADF: .closed
    default: .other
    }
  }

  private static func text(of errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

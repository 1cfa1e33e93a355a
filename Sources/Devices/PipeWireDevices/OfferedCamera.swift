internal import CPipeWire
package import CaptureDevice
internal import Glibc
internal import Linux

/// A camera that this process offers to other programs, over a connection and on a thread of its own.
///
/// Thread-safe.
package final class OfferedCamera: @unchecked Sendable {
  // Safe because a handle is used and closed under its lock, and the rest does not change.

  /// The handlers of what becomes of it, called on its thread; none may close it or send a picture.
  package struct User: Sendable {
    /// A program begins to watch, in the size that it has chosen; `nil` when none watches any more.
    package var watched: @Sendable (FrameSize?) -> Void
    /// It is not offered any more.
    package var lost: @Sendable (Problem) -> Void
    /// Writes the newest picture of the size as NV12, the rows of chroma right after those of luma; returns when it was taken, in
    /// nanoseconds of the host's clock.
    package var write: @Sendable (UnsafeMutablePointer<UInt8>, FrameSize, _ bytesPerRow: Int) -> Int64

    /// The handlers of a camera.
    package init(
      watched: @escaping @Sendable (FrameSize?) -> Void, lost: @escaping @Sendable (Problem) -> Void,
      write: @escaping @Sendable (UnsafeMutablePointer<UInt8>, FrameSize, _ bytesPerRow: Int) -> Int64
    ) {
      self.watched = watched
      self.lost = lost
      self.write = write
    }
  }

  /// Why it is not offered.
  package enum Problem: Error, Sendable, Hashable {
    /// PipeWire does not run, or its library is missing.
    case noServer
    /// PipeWire refused it; the reason is the system's.
    case refused(String)
  }

  private final class Context: Sendable {
    let user: User

    init(_ user: User) {
      self.user = user
    }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> Context? {
      pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private let context: Context
  /// Nothing once it is closed.
  private let handle: Locked<OpaquePointer?>

  /// Offers a camera with pictures of one of the sizes, at most eight; the first is what a program takes that does not choose.
  ///
  /// - Parameters:
  ///   - name: What programs find it again by.
  ///   - title: What people read.
  package init(
    name: String, title: String, sizes: [FrameSize], framesPerSecond: Int, server: PipeWireServer, user: User
  ) throws(Problem) {
    context = Context(user)
    let callbacks = cam_virtual_camera_user(
      // Safe because the camera, which calls it, is closed before this goes.
      context: Unmanaged.passUnretained(context).toOpaque(),
      watched: { context, size in
        Context.at(context)?.user.watched(
          size.width == 0 ? nil : FrameSize(width: Int(size.width), height: Int(size.height)))
      },
      lost: { context, code, reason in
        Context.at(context)?.user.lost(
          code == 0 ? .refused(reason.map { String(cString: $0) } ?? "") : OfferedCamera.problem(code))
      },
      write: { context, bytes, size, bytesPerRow in
        guard let bytes, let context = Context.at(context) else { return 0 }
        return context.user.write(
          bytes, FrameSize(width: Int(size.width), height: Int(size.height)), Int(bytesPerRow))
      })
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try server.connect()
    } catch {
      handle = Locked(nil)
      throw Self.problem(error.errno)
    }
    let list = sizes.map {
      cam_picture_size(width: UInt32(clamping: $0.width), height: UInt32(clamping: $0.height))
    }
    var code: Int32 = 0
    let opened = cam_virtual_camera_open(
      descriptor, name, title, list, UInt32(list.count), UInt32(clamping: framesPerSecond), callbacks, &code)
    let isOffered = opened != nil
    handle = Locked(opened)
    guard isOffered else { throw Self.problem(code) }
  }

  deinit { close() }

  /// Has the newest picture written soon, where it has the size that is watched.
  package func send(_ size: FrameSize) {
    let size = cam_picture_size(width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
    handle.withLock { handle in
      if let handle { cam_virtual_camera_send(handle, size) }
    }
  }

  /// Takes the camera away; nothing is called after this.
  package func close() {
    let former = handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
    cam_virtual_camera_close(former)
  }

  private static func problem(_ code: Int32) -> Problem {
    switch code {
    // It has ended, its socket has no server behind it, there is no socket, no library.
    case EPIPE, ECONNREFUSED, EHOSTDOWN, ENOENT, ELIBACC: .noServer
    default: .refused(String(cString: strerror(code)))
    }
  }
}

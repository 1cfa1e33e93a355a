import AVFoundation
import CPipeWire
import Foundation

/// A camera that offers this program's pictures to other programs.
protocol VirtualCamera: AnyObject, Sendable {
  /// Shows a picture, taken at a time of the host's clock; one whose size is not the one that is watched is left out.
  func show(_ picture: CVPixelBuffer, at time: CMTime)
  /// Takes the camera away; nothing is reported after this.
  func close()
}

/// A report of a virtual camera, made on a thread of its own.
enum VirtualCameraEvent: Sendable, Equatable {
  /// Programs watch, in pictures of this size.
  case watched(width: Int, height: Int)
  /// No program watches any more.
  case unwatched
  case lost(VirtualCameraProblem)
}

/// A camera that PipeWire offers to other programs: browsers, calls, OBS.
final class PipeWireCamera: VirtualCamera, @unchecked Sendable {
  // Safe because a handle is used and closed under its lock, and its thread uses what is guarded.

  /// The sizes that a program may choose; the first is what one takes that does not choose.
  static let sizes = [(1280, 720), (1920, 1080), (640, 360)]

  /// The newest picture and the report handler, for PipeWire's thread.
  private final class Context: @unchecked Sendable {
    // Safe because pictures are not written again.
    let newest = Guarded<(picture: CVPixelBuffer, time: CMTime)?>(nil)
    let report: @Sendable (VirtualCameraEvent) -> Void

    init(_ report: @escaping @Sendable (VirtualCameraEvent) -> Void) {
      self.report = report
    }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> Context? {
      pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private let context: Context
  /// Nothing once it is closed.
  private let handle: Guarded<OpaquePointer?>

  /// Offers the camera.
  ///
  /// - Throws: `VirtualCameraProblem`.
  init(_ report: @escaping @Sendable (VirtualCameraEvent) -> Void) throws(VirtualCameraProblem) {
    context = Context(report)
    let user = cam_virtual_camera_user(
      context: Unmanaged.passUnretained(context).toOpaque(),
      watched: { context, size in
        let context = Context.at(context)
        context?.newest.change { $0 = nil }
        context?.report(
          size.width == 0 ? .unwatched : .watched(width: Int(size.width), height: Int(size.height)))
      },
      lost: { context, code, reason in
        Context.at(context)?.report(
          .lost(
            code == 0
              ? .refused(reason: reason.map { String(cString: $0) } ?? "")
              : PipeWireCamera.problem(code)))
      },
      write: { context, bytes, size, bytesPerRow in
        guard let bytes, let newest = Context.at(context)?.newest.change({ $0 }),
          CVPixelBufferGetWidth(newest.picture) == Int(size.width),
          CVPixelBufferGetHeight(newest.picture) == Int(size.height)
        else { return 0 }
        VirtualCameraPictures.write(newest.picture, to: bytes, bytesPerRow: Int(bytesPerRow))
        return Int64(newest.time.seconds * 1e9)
      })
    let sizes = Self.sizes.map { cam_picture_size(width: UInt32($0), height: UInt32($1)) }
    var code: Int32 = 0
    let opened = cam_virtual_camera_open(
      "obscura-camera", "Obscura Camera", sizes, UInt32(sizes.count),
      UInt32(VirtualCameraFeed.framesPerSecond), user, &code)
    handle = Guarded(opened)
    guard opened != nil else { throw Self.problem(code) }
  }

  deinit {
    close()
  }

  func show(_ picture: CVPixelBuffer, at time: CMTime) {
    context.newest.change { $0 = (picture, time) }
    let size = cam_picture_size(
      width: UInt32(CVPixelBufferGetWidth(picture)), height: UInt32(CVPixelBufferGetHeight(picture)))
    handle.change { handle in
      if let handle { cam_virtual_camera_send(handle, size) }
    }
  }

  func close() {
    cam_virtual_camera_close(
      handle.change { handle in
        defer { handle = nil }
        return handle
      })
  }

  private static func problem(_ code: Int32) -> VirtualCameraProblem {
    switch code {
    // It has ended, its socket has no server behind it, there is no socket.
    case EPIPE, ECONNREFUSED, EHOSTDOWN, ENOENT: .noServer
    default: .refused(reason: String(cString: strerror(code)))
    }
  }
}

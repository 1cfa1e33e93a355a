public import AVFoundation
package import CaptureDevice
internal import Linux
package import PipeWireDevices

/// A camera that PipeWire offers to other programs: browsers, calls, OBS.
///
/// Programs choose among three sizes, at thirty pictures a second. Thread-safe.
public final class PipeWireCamera: VirtualCamera {
  /// The sizes that a program may choose; the first is what one takes that does not choose.
  package static let sizes = [
    FrameSize(width: 1280, height: 720), FrameSize(width: 1920, height: 1080),
    FrameSize(width: 640, height: 360),
  ]

  /// The newest picture, for PipeWire's thread.
  private final class Newest: Sendable {
    private let picture = Locked<(picture: CVPixelBuffer, time: CMTime)?>(nil)

    var value: (picture: CVPixelBuffer, time: CMTime)? { picture.withLock { $0 } }

    func set(_ value: (picture: CVPixelBuffer, time: CMTime)?) {
      let former = picture.withLock { picture in
        defer { picture = value }
        return picture
      }
      withExtendedLifetime(former) {}
    }

    /// Writes it where it has the size; 0 else.
    func write(_ bytes: UnsafeMutablePointer<UInt8>, _ size: FrameSize, _ bytesPerRow: Int) -> Int64 {
      guard let newest = value, CVPixelBufferGetWidth(newest.picture) == size.width,
        CVPixelBufferGetHeight(newest.picture) == size.height
      else { return 0 }
      VirtualCameraPictures.write(newest.picture, to: bytes, bytesPerRow: bytesPerRow)
      return Int64(newest.time.seconds * 1e9)
    }
  }

  private let newest: Newest
  private let offered: OfferedCamera

  /// Offers the camera.
  ///
  /// - Parameters:
  ///   - name: What programs find it again by.
  ///   - title: What people read in lists of cameras.
  ///   - report: What becomes of it, on a thread of its own; must not wait.
  /// - Throws: ``VirtualCameraProblem``.
  public convenience init(
    name: String = "obscura-camera", title: String = "Obscura Camera",
    _ report: @escaping @Sendable (VirtualCameraEvent) -> Void
  ) throws(VirtualCameraProblem) {
    try self.init(name: name, title: title, server: PipeWireServer(), sizes: Self.sizes, report)
  }

  /// Offers the camera on a server, in sizes that are chosen.
  package init(
    name: String, title: String, server: PipeWireServer, sizes: [FrameSize],
    _ report: @escaping @Sendable (VirtualCameraEvent) -> Void
  ) throws(VirtualCameraProblem) {
    let newest = Newest()
    self.newest = newest
    do throws(OfferedCamera.Problem) {
      offered = try OfferedCamera(
        name: name, title: title, sizes: sizes, framesPerSecond: VirtualCameraFeed.framesPerSecond,
        server: server,
        user: OfferedCamera.User(
          watched: { size in
            newest.set(nil)
            report(size.map { .watched(width: $0.width, height: $0.height) } ?? .unwatched)
          },
          lost: { report(.lost(VirtualCameraProblem($0))) },
          write: { newest.write($0, $1, $2) }))
    } catch {
      throw VirtualCameraProblem(error)
    }
  }

  /// Shows a picture to the programs that watch in its size.
  public func show(_ picture: CVPixelBuffer, at time: CMTime) {
    newest.set((picture, time))
    offered.send(FrameSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture)))
  }

  /// Takes the camera away.
  public func close() { offered.close() }
}

extension VirtualCameraProblem {
  fileprivate init(_ problem: OfferedCamera.Problem) {
    switch problem {
    case .noServer: self = .noServer
    case .refused(let reason): self = .refused(reason: reason)
    }
  }
}

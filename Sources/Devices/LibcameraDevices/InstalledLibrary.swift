#if LibcameraDevices
  internal import CLibcamera
  internal import Dispatch
  internal import Linux

  /// The libcamera that this program is linked with.
  package struct InstalledLibrary: CameraLibrary {
    private static let listeners = WeakObjects<Listener>()
    /// The result of the one start, which is made when cameras are first asked for.
    private static let start: Int32 = cam_libcamera_start {
      // A camera is asked by calls that the library's own thread, which this is, would wait for itself.
      InstalledLibrary.queue.async {
        for listener in InstalledLibrary.listeners.present { listener.changed() }
      }
    }
    private static let known = Locked<[InstalledCamera]>([])
    private static let queue = DispatchQueue(label: "obscura.libcamera-changes")

    private final class Listener: Sendable {
      let changed: @Sendable () -> Void

      init(_ changed: @escaping @Sendable () -> Void) {
        self.changed = changed
      }
    }

    /// The library; nothing is started yet.
    package init() {}

    package var version: String { String(cString: cam_libcamera_version()) }

    private func begin() throws(LibraryRefusal) {
      if Self.start != 0 { throw LibraryRefusal(Self.start) }
    }

    package func cameras() throws(LibraryRefusal) -> [any LibraryCamera] {
      try begin()
      var found = [OpaquePointer?](repeating: nil, count: 32)
      let count = cam_libcamera_cameras(&found, found.count)
      let listed = found.prefix(count).compactMap { $0.map(InstalledCamera.init) }
      // The same object for the same camera: to ask one who it is may take the library a while.
      let (present, former) = Self.known.withLock { known in
        let former = known
        known = listed.map { camera in former.first { $0.isSame(as: camera) } ?? camera }
        return (known, former)
      }
      withExtendedLifetime(former) {}
      return present
    }

    package func watch(_ changed: @escaping @Sendable () -> Void) throws(LibraryRefusal) -> any AnyObject
      & Sendable
    {
      let listener = Listener(changed)
      Self.listeners.add(listener)
      try begin()
      return listener
    }
  }
#endif

package import CaptureDevice
internal import Linux
package import StreamParts

/// The cameras that libcamera drives: those of a Raspberry Pi and of laptops whose sensors have no camera of their own around them.
///
/// A camera on the USB is left out where another provider lists it by the kernel's file of it, which knows more of its controls; the files of
/// every other camera are said to be listed here (``lists(node:)``), because without libcamera they are bare sensors. The library starts
/// when devices are first asked for; each camera is opened for a moment when it is new. Thread-safe.
package final class LibcameraDeviceProvider: CaptureDeviceProvider {
  package let name = "libcamera"
  package let media: Set<MediaKind> = [.video]

  private struct Known {
    /// In the library's order.
    var cameras: [LibcameraDevice] = []
    /// The reasons why cameras that are listed are no devices, by identifier.
    var refused: [String: CaptureDeviceError] = [:]
    var failure: CaptureDeviceError?
    /// Which look at the library's list this is.
    var turn = 0
  }

  private struct Neighbour {
    weak var provider: (any CaptureDeviceProvider)?
  }

  private let library: any CameraLibrary
  private let nodes: VideoNodes
  private let timeout: SilenceTimeout
  /// Held while cameras are asked, so that two threads do not open one at once; nothing is called back under it.
  private let known = Locked(Known())
  private let company = Locked<[Neighbour]>([])
  /// The kernel's devices that are parts of cameras, which others ask for again and again.
  private let parts = Locked<[(camera: any LibraryCamera, nodes: [VideoNodes.Node])]>([])
  private let watch = DeviceListWatch<LibcameraDevice>()

  /// The cameras of a library.
  ///
  /// - Parameters:
  ///   - nodes: The kernel's devices, by which cameras are found in other lists.
  ///   - timeout: How long a camera may be silent; `nil` for what most may.
  package init(
    _ library: any CameraLibrary, _ nodes: VideoNodes = VideoNodes(), timeout: SilenceTimeout? = nil
  ) {
    self.library = library
    self.nodes = nodes
    self.timeout = timeout ?? SilenceTimeout(nanoseconds: SilenceTimeout.longNanoseconds)
  }

  // MARK: Devices

  package func devices() -> [any CaptureDeviceDriver] { cameras() }

  private func cameras() -> [LibcameraDevice] {
    while true {
      let turn = known.withLock { $0.turn }
      let listed: [any LibraryCamera]
      do throws(LibraryRefusal) {
        let present = try library.cameras()
        forgetParts(besides: present)
        // Others are asked outside of the lock: they may ask back.
        listed = present.filter { !isListedElsewhere($0) }
      } catch {
        known.withLock { $0.failure = error.error("libcamera", "does not start") }
        return []
      }
      let looked = known.withLock { known -> (cameras: [LibcameraDevice], former: Known)? in
        // What another thread has noted meanwhile may be newer than this list.
        guard known.turn == turn else { return nil }
        let former = known
        known = refreshed(known, listed)
        return (known.cameras, former)
      }
      guard let (cameras, former) = looked else { continue }
      for camera in former.cameras where !cameras.contains(where: { $0 === camera }) { camera.lose() }
      return cameras
    }
  }

  private func isListedElsewhere(_ camera: any LibraryCamera) -> Bool {
    let others = company.withLock { $0 }.compactMap(\.provider)
    guard !others.isEmpty else { return false }
    return parts(of: camera).contains { node in
      node.isOnUSB && others.contains { $0.lists(node: node.path) }
    }
  }

  private func parts(of camera: any LibraryCamera) -> [VideoNodes.Node] {
    if let known = parts.withLock({ $0.first { $0.camera.isSame(as: camera) }?.nodes }) { return known }
    let found = nodes.nodes(of: camera)
    let former = parts.withLock { parts in
      parts.append((camera, found))
      // The most, where the devices themselves are never asked for.
      return parts.count > 32 ? parts.removeFirst() : nil
    }
    withExtendedLifetime(former) {}
    return found
  }

  /// Lets go of cameras that were pulled out, and with them of the kernel's devices that the library has open for them.
  private func forgetParts(besides present: [any LibraryCamera]) {
    let former = parts.withLock { parts in
      let former = parts
      parts.removeAll { part in !present.contains { part.camera.isSame(as: $0) } }
      return former
    }
    withExtendedLifetime(former) {}
  }

  private func refreshed(_ known: Known, _ listed: [any LibraryCamera]) -> Known {
    var fresh = Known()
    fresh.turn = known.turn + 1
    for camera in listed {
      if let same = known.cameras.first(where: { $0.camera.isSame(as: camera) && !$0.isGone }) {
        fresh.cameras.append(same)
        continue
      }
      let identity = camera.identity
      let name = identity.model.isEmpty ? identity.id : identity.model
      do throws(LibraryRefusal) {
        let (formats, unreadable) = try FormatProbe(camera).formats()
        if let last = formats.last {
          fresh.cameras.append(
            LibcameraDevice(camera, formats, last: last, unreadable: unreadable, timeout: timeout))
        } else {
          fresh.refused[identity.id] = CaptureDeviceError(
            .formatUnsupported, "\(name) of libcamera sends no pictures that are read here; update libcamera."
          )
        }
      } catch {
        fresh.refused[identity.id] = error.error(name, "cannot be asked what it can do")
      }
    }
    return fresh
  }

  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    watch.observe(observer) { [weak self] in
      self?.cameras() ?? []
    } watch: { changed throws(CaptureDeviceError) in
      do throws(LibraryRefusal) {
        return try library.watch(changed)
      } catch {
        throw error.error("libcamera", "does not start")
      }
    }
  }

  package var watchFailure: CaptureDeviceError? { watch.failure }

  /// Why the library does not start, and why cameras that it lists are no devices.
  package var absences: [CaptureDeviceError] {
    known.withLock { known in
      [known.failure].compactMap(\.self) + known.refused.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  // MARK: Company

  package func noteCompany(_ others: [any CaptureDeviceProvider]) {
    company.withLock { $0 = others.map { Neighbour(provider: $0) } }
  }

  /// Whether the kernel's file at `path` is a part of one of its cameras that is not on the USB; or whether it is `libcamera:` and the
  /// library's name of any.
  package func lists(node path: String) -> Bool {
    guard let cameras = try? library.cameras() else { return false }
    if path.hasPrefix("libcamera:") { return cameras.contains { "libcamera:\($0.identity.id)" == path } }
    return cameras.contains { camera in
      parts(of: camera).contains { $0.path == path && !$0.isOnUSB }
    }
  }

  // MARK: Access

  package func access(for media: MediaKind) -> DeviceAccess { .granted }

  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}

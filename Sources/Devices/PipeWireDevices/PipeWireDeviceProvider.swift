package import CaptureDevice
internal import Glibc
internal import Linux
internal import StreamParts

/// The cameras of PipeWire: those of the desktop's devices, and those that programs offer.
///
/// A camera that another provider lists by the kernel's file of it is left out, so that none is there twice. Nothing is opened before devices
/// are asked for, and without PipeWire's socket nothing then. Thread-safe.
package final class PipeWireDeviceProvider: CaptureDeviceProvider {
  package let name = "pipewire"
  package let media: Set<MediaKind> = [.video]

  private let reach: PipeWireReach
  private let list: PipeWireDeviceList
  private let watch: PipeWireWatch
  private let changes = DeviceListWatch<PipeWireDevice>()

  /// The cameras of this user's PipeWire; in a sandbox those that the desktop lets it have.
  package convenience init() {
    if CameraPortal.isNeeded { self.init(portal: CameraPortal()) } else { self.init(PipeWireServer()) }
  }

  /// The cameras of a server.
  ///
  /// - Parameter includesOwn: Whether cameras count that this process offers.
  package convenience init(_ server: PipeWireServer, includesOwn: Bool = false) {
    self.init(.server(server), includesOwn: includesOwn)
  }

  /// The cameras that the desktop lets this program have, once the user was asked.
  package convenience init(portal: CameraPortal, includesOwn: Bool = false) {
    self.init(.portal(portal), includesOwn: includesOwn)
  }

  private init(_ reach: PipeWireReach, includesOwn: Bool) {
    self.reach = reach
    let list = PipeWireDeviceList(reach, includesOwn: includesOwn)
    self.list = list
    watch = PipeWireWatch(reach) { list.take($0) }
  }

  deinit {
    watch.close()
    if case .portal(let portal) = reach { portal.close() }
  }

  // MARK: Devices

  /// The cameras there are now; the first call waits until PipeWire has told them, a second at most.
  package func devices() -> [any CaptureDeviceDriver] { present() }

  private func present() -> [PipeWireDevice] {
    guard mayConnect else { return [] }
    if case .server(let server) = reach, !server.hasSocket { return list.devices }
    watch.start()
    watch.settle()
    return list.devices
  }

  /// Whether no question to the user stands in the way.
  private var mayConnect: Bool {
    if case .portal(let portal) = reach { portal.access == .granted } else { true }
  }

  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    // Who is asked for nothing any more lets go of the others, which may hold it, too.
    if observer == nil { list.noteCompany([]) }
    changes.observe(observer) { [list] in
      list.devices
    } watch: { changed throws(CaptureDeviceError) in
      let observation = list.observe(changed)
      if mayConnect {
        watch.start()
        watch.settle()
      }
      return observation
    }
  }

  package func noteCompany(_ others: [any CaptureDeviceProvider]) {
    list.noteCompany(others)
    watch.tryAgain()
  }

  /// In a sandbox: why the desktop has given no camera.
  package var absences: [CaptureDeviceError] {
    if case .portal(let portal) = reach, let refusal = portal.refusal { [refusal] } else { [] }
  }

  // MARK: Access

  /// The user's answer to the desktop; without a portal `granted`: who may use the socket may use what is behind it.
  package func access(for media: MediaKind) -> DeviceAccess {
    if media == .video, case .portal(let portal) = reach { portal.access } else { .granted }
  }

  /// Asks the user through the desktop, once in a process.
  ///
  /// When the answer is yes, the cameras are there before `completion` is called.
  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    guard media == .video, case .portal(let portal) = reach else { return completion(.granted) }
    portal.ask { [watch] access in
      if access == .granted {
        watch.start()
        watch.tryAgain()
        watch.settle()
      }
      completion(access)
    }
  }

  // MARK: Diagnosis

  /// The findings about PipeWire's cameras; what is in the way of them is no trouble where there are others.
  package func diagnose() -> PipeWireDiagnosis {
    let devices = present()
    let failure: CaptureDeviceError?
    switch reach {
    case .portal(let portal):
      failure = portal.refusal ?? (portal.access == .granted ? watch.failure : CameraPortal.unasked)
    case .server(let server):
      if server.hasSocket {
        failure = watch.failure
      } else {
        failure = PipeWireReach.notRunning
      }
    }
    return PipeWireDiagnosis(
      cameras: devices.map(\.facts.name), leftOut: list.leftOut, obstacle: failure?.message,
      isManaged: list.isManaged)
  }
}

/// The findings of a diagnosis of PipeWire's cameras.
package struct PipeWireDiagnosis: Sendable, Hashable {
  /// The names of the cameras.
  package var cameras: [String]
  /// One sentence for each camera that is no device here.
  package var leftOut: [String]
  /// Why there are none, in one sentence; `nil` where PipeWire answers.
  package var obstacle: String?
  /// Whether a session manager runs, which brings the machine's cameras.
  package var isManaged: Bool
}

package import CaptureDevice
internal import Linux
package import StreamParts

/// The depth cameras on this machine's USB that OpenNI's drivers find.
///
/// Each is opened for a moment when it is new, to be asked what it can do. What is on no bus is no camera: recordings that are open, and the
/// driver that makes frames up for the library's own tests. Thread-safe.
package final class OpenNIDeviceProvider: CaptureDeviceProvider {
  package let name = "openni"
  package let media: Set<MediaKind> = [.video, .depth]

  private struct Known {
    var cameras: [String: OpenNIDevice] = [:]
    /// The reasons why devices that are listed are no cameras.
    var refused: [String: CaptureDeviceError] = [:]
    /// Which look at the library's list this is.
    var turn = 0
  }

  private let library: any DepthLibrary
  private let bus: DepthCameraBus
  private let timeout: SilenceTimeout
  /// Held while devices are asked, so that two threads do not open one at once; nothing is called back under it.
  private let known = Locked(Known())
  /// The devices of which was heard that they are gone, until that is noted.
  ///
  /// Of a lock of its own: the library says it under a lock that opening a device needs.
  private let gone = Locked<Set<String>>([])
  private let watch = DeviceListWatch<OpenNIDevice>()

  /// The cameras that this machine's library finds.
  package convenience init() {
    self.init(OpenNILibrary(), DepthCameraBus())
  }

  /// - Parameters:
  ///   - library: The library that finds them.
  ///   - bus: The USB, on which those are seen that the library does not find.
  ///   - timeout: How long sensors may be silent; `nil` for what cameras on a cable may.
  package init(_ library: any DepthLibrary, _ bus: DepthCameraBus, timeout: SilenceTimeout? = nil) {
    self.library = library
    self.bus = bus
    self.timeout = timeout ?? .cable
  }

  package func devices() -> [any CaptureDeviceDriver] { cameras() }

  private func cameras() -> [OpenNIDevice] {
    guard library.obstacle == nil else { return [] }
    while true {
      let turn = known.withLock { $0.turn }
      // Before the list, in which one of the same name may be that has come since.
      loseGone()
      let listed = library.devices().filter { $0.usbVendor != 0 }
      let looked = known.withLock { known -> (cameras: [OpenNIDevice], former: Known)? in
        // What another thread has noted meanwhile may be newer than this list.
        guard known.turn == turn else { return nil }
        let former = known
        known = refreshed(known, listed)
        return (listed.compactMap { known.cameras[$0.uri] }, former)
      }
      guard let (cameras, former) = looked else { continue }
      withExtendedLifetime(former) {}
      return cameras
    }
  }

  private func refreshed(_ known: Known, _ listed: [ListedSensor]) -> Known {
    var fresh = Known()
    fresh.turn = known.turn + 1
    for sensor in listed {
      if let camera = known.cameras[sensor.uri], !camera.isGone {
        fresh.cameras[sensor.uri] = camera
        continue
      }
      let name = sensor.name.isEmpty ? "The depth camera at \(sensor.uri)" : sensor.name
      do throws(DepthRefusal) {
        let sensors = try OpenSensors(library, sensor.uri, isRecording: false)
        let abilities = sensors.abilities
        if abilities.color.isEmpty {
          fresh.refused[sensor.uri] = CaptureDeviceError(
            .formatUnsupported,
            "\(name) has no colours that are read here, and its depth alone is no camera's picture; use one with a colour sensor."
          )
          continue
        }
        fresh.cameras[sensor.uri] = OpenNIDevice(
          library, sensor, serialNumber: library.serialNumber(sensors.device), abilities,
          timeout: timeout)
      } catch {
        fresh.refused[sensor.uri] = .unopened(name, error)
      }
    }
    return fresh
  }

  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    watch.observe(observer) { [weak self] in
      self?.cameras() ?? []
    } watch: { changed throws(CaptureDeviceError) in
      guard library.obstacle == nil else {
        // What is missing is said where devices are asked for; nothing comes of it.
        return SensorWatch.none
      }
      return try SensorWatch(library) { [weak self] change in
        if !change.hasCome { self?.gone.withLock { _ = $0.insert(change.uri) } }
      } settled: { [weak self] in
        self?.loseGone()
        changed()
      }
    }
  }

  /// Ends the streams of devices that are gone.
  private func loseGone() {
    let cameras = known.withLock { known in
      let uris = gone.withLock { gone in
        defer { gone = [] }
        return gone
      }
      return uris.compactMap { known.cameras[$0] }
    }
    for camera in cameras { camera.lose() }
  }

  package var watchFailure: CaptureDeviceError? { watch.failure }

  /// The missing library; else the reasons why cameras that are plugged in are not there.
  package var absences: [CaptureDeviceError] {
    if let missing = library.missing { return [missing] }
    let present = cameras().count
    let refused = known.withLock { known in known.refused.sorted { $0.key < $1.key }.map(\.value) }
    let unseen = bus.unseen(by: library.devices())
    return refused + unseen.filter { present == 0 || $0.isCertain }.map(\.error)
  }

  package func access(for media: MediaKind) -> DeviceAccess { .granted }

  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}

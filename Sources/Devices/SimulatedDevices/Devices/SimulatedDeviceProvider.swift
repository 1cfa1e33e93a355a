public import CaptureDevice
internal import Linux

/// The devices of one scene on one clock.
///
/// Thread-safe.
public final class SimulatedDeviceProvider: CaptureDeviceProvider {
  private struct State {
    var present: Set<String>
    var observer: (@Sendable (DeviceListChange) -> Void)?
    var access: [MediaKind: SimulatedAccess]
  }

  /// `simulated`.
  public let name = "simulated"
  /// The scene that the devices see.
  public let scene: Scene
  /// The time they live in.
  public let clock: SimulatedClock
  let world: SimulatedWorld
  let all: [SimulatedDevice]
  private let state: Locked<State>
  private let pressing: PressureSchedule?

  /// The devices of `scene`.
  public init(scene: Scene = .builtIn, clock: SimulatedClock = .real, access: SimulatedAccess = .granted) {
    self.scene = scene
    self.clock = clock
    let world = SimulatedWorld(scene: scene, clock: clock)
    self.world = world
    all = scene.devices.map { SimulatedDevice(model: $0, world: world) }
    let present = all.filter { $0.isPluggedInAtFirst }.map(\.facts.uniqueID)
    state = Locked(State(present: Set(present), access: [.video: access, .audio: access]))
    // Without a thread there is no pressure; the devices then say that there are no threads.
    pressing = try? PressureSchedule(world)
    for device in all { device.begin(provider: self) }
  }

  deinit {
    pressing?.end()
    for device in all { device.end() }
  }

  /// The devices that are plugged in, in the scene's order.
  public func devices() -> [any CaptureDeviceDriver] {
    let present = state.withLock { $0.present }
    return all.filter { present.contains($0.facts.uniqueID) }
  }

  /// The device with this identifier, plugged in or not; `nil` when the scene has none.
  public func device(_ uniqueID: String) -> SimulatedDevice? {
    all.first { $0.facts.uniqueID == uniqueID }
  }

  /// Reports plugging and unplugging, on the thread of the clock; `nil` ends it.
  public func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
    let old = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
    withExtendedLifetime(old) {}
  }

  /// The current access by ``SimulatedAccess``.
  public func access(for media: MediaKind) -> DeviceAccess {
    state.withLock { $0.access[media]?.access ?? .granted }
  }

  /// Answers as ``SimulatedAccess/answer`` says, at once, on the calling thread.
  public func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    let access = state.withLock { state in
      guard var access = state.access[media], access.access == .undetermined else {
        return state.access[media]?.access ?? .granted
      }
      access.access = access.answer
      state.access[media] = access
      return access.access
    }
    completion(access)
  }

  /// The number of frames and stills that were painted for all devices; on a manual clock those that were read.
  package var paintedPictures: Int { world.paintedPictures.withLock { $0 } }

  /// Notes that a device went or came, and reports it to the observer when that is new.
  func setPresent(_ isPresent: Bool, _ device: SimulatedDevice) {
    let id = device.facts.uniqueID
    let observer = state.withLock { state -> (@Sendable (DeviceListChange) -> Void)? in
      guard state.present.contains(id) != isPresent else { return nil }
      if isPresent { state.present.insert(id) } else { state.present.remove(id) }
      return state.observer
    }
    observer?(isPresent ? .connected(device) : .disconnected(uniqueID: id))
  }
}

public import CaptureDevice
internal import Foundation
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
  /// What the devices see.
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

  /// The devices that a word of `OBSCURA_DEVICES` chooses, on the real clock: `simulated`, or `simulated:FILE.json`.
  ///
  /// - Returns: `nil` when the word is neither.
  /// - Throws: `invalidScene` when the file does not hold a scene.
  public convenience init?(word: String) throws(CaptureDeviceError) {
    if word == "simulated" {
      self.init()
    } else if word.hasPrefix("simulated:") {
      let path = String(word.dropFirst("simulated:".count))
      guard !path.isEmpty else {
        throw CaptureDeviceError(
          .invalidScene, "“simulated:” names no scene file; write simulated:FILE.json or simulated.")
      }
      self.init(scene: try Scene(contentsOf: URL(fileURLWithPath: path)))
    } else {
      return nil
    }
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

  /// What ``SimulatedAccess`` says now.
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

  /// How many frames and stills were painted for all devices; on a manual clock those that were read.
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

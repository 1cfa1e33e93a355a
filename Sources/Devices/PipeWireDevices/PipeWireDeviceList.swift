package import CaptureDevice
internal import Glibc
internal import Linux

/// The devices that PipeWire's nodes are, one object for each as long as it stays the same.
///
/// Thread-safe; nodes are taken on one thread at a time.
package final class PipeWireDeviceList: Sendable {
  private struct State {
    var devices: [PipeWireDevice] = []
    var leftOut: [String] = []
    var isManaged = false
    var company: [any CaptureDeviceProvider] = []
  }

  private let reach: PipeWireReach
  private let includesOwn: Bool
  private let state = Locked(State())
  private let changed = Hook<Void>()

  package init(_ reach: PipeWireReach, includesOwn: Bool) {
    self.reach = reach
    self.includesOwn = includesOwn
  }

  package var devices: [PipeWireDevice] { state.withLock { $0.devices } }
  /// One sentence for each camera that is not among them.
  package var leftOut: [String] { state.withLock { $0.leftOut } }
  package var isManaged: Bool { state.withLock { $0.isManaged } }

  package func noteCompany(_ others: [any CaptureDeviceProvider]) {
    let former = state.withLock { state in
      defer { state.company = others }
      return state.company
    }
    withExtendedLifetime(former) {}
  }

  /// Calls `observer` after changes, until the result is let go or there is another observer.
  package func observe(_ observer: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let observation = Observation(observer)
    // The end of one changes nothing here: it may come after the next one's beginning.
    changed.set { [weak observation] in observation?.observer() }
    return observation
  }

  private final class Observation: Sendable {
    let observer: @Sendable () -> Void

    init(_ observer: @escaping @Sendable () -> Void) {
      self.observer = observer
    }
  }

  /// Makes devices of what is there, and ends those that are not.
  package func take(_ sources: PipeWireWatch.Sources) {
    let (former, company) = state.withLock { ($0.devices, $0.company) }
    let isManaged = sources.isManaged || reach.isManaged
    var devices: [PipeWireDevice] = []
    var leftOut: [String] = []
    var taken = Set<String>()
    /// The names of those behind which the kernel's files are.
    var places: [String: String] = [:]
    for node in sources.nodes where node.isCamera && (includesOwn || !node.isOffered(by: getpid())) {
      let paths = node.otherNames()
      if let path = paths.first(where: { path in company.contains { $0.lists(node: path) } }) {
        leftOut.append(
          path.hasPrefix("libcamera:")
            ? "\(node.name) of PipeWire is a camera of libcamera, which is listed once, as libcamera's."
            : "\(node.name) of PipeWire is the camera at \(path), which is listed once, as the kernel's.")
        continue
      }
      // libcamera and the kernel's interface may both bring a camera to PipeWire.
      if let path = paths.first(where: { places[$0] != nil }), let other = places[path] {
        leftOut.append(
          "\(node.name) of PipeWire is the camera at \(path), which is listed once, as \(other).")
        continue
      }
      for path in paths { places[path] = node.name }
      var uniqueID = node.uniqueID
      if !taken.insert(uniqueID).inserted {
        uniqueID += "-\(node.serial)"
        taken.insert(uniqueID)
      }
      guard let facts = node.facts(uniqueID: uniqueID) else {
        leftOut.append("\(node.name) of PipeWire sends no pictures that are read here.")
        continue
      }
      let same = former.first { device in
        device.node.serial == node.serial && device.node.id == node.id && device.facts == facts
          && device.node.formats == node.formats
      }
      same?.noteManaged(isManaged)
      devices.append(same ?? PipeWireDevice(node, facts, reach, isManaged: isManaged))
    }
    state.withLock { state in
      state.devices = devices
      state.leftOut = leftOut
      state.isManaged = isManaged
    }
    let lost = former.filter { device in !devices.contains { $0 === device } }
    for device in lost {
      device.lose(
        sources.isConnected
          ? CaptureDeviceError(
            .disconnected,
            "\(device.facts.name) is gone from PipeWire; plug it in again, or start the program that offers it."
          )
          : PipeWireReading.serverEnded(device.facts.name))
    }
    if !lost.isEmpty || devices.count != former.count { changed.call() }
  }
}

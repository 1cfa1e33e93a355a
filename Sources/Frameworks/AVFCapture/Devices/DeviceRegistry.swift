package import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The devices that are plugged in, one object for each.
///
/// Thread-safe. Clients are notified of changes on a queue of its own, never under a lock.
package final class DeviceRegistry: Sendable {
  /// The registry of the process.
  package static let shared = DeviceRegistry()

  fileprivate struct State {
    /// The providers in force; `nil` until a client asks for a device.
    var providers: [any CaptureDeviceProvider]?
    /// Counts the choices of providers, so that news from former ones is not believed.
    var generation = 0
    /// What each provider has, in its order.
    var present: [[AVCaptureDevice]] = []
    /// What providers told while they were asked for their devices; `nil` while they are not asked.
    var early: [(change: DeviceListChange, provider: Int)]?
  }

  private let state = Locked(State())
  private let searches = WeakObjects<AVCaptureDevice.DiscoverySession>()
  /// The sessions that take a device again when it is plugged in again.
  private let waitingUsers = WeakObjects<any DeviceObserver>()
  /// Held while providers are asked, which may take long; nothing that a provider calls takes it.
  private let loading = Lock()
  private let announcements = DispatchQueue(label: "obscura.devices")

  private init() {
    CaptureDeviceProviders.observeInstallation { [weak self] in self?.providersWereChosen() }
  }

  // MARK: Asking

  /// The devices that are plugged in, in the providers' order of preference.
  ///
  /// The first call asks the providers.
  package func connected() -> [AVCaptureDevice] {
    load()
    return state.withLock { $0.present.flatMap { $0 } }
  }

  /// The providers in force, in order of preference.
  package func providers() -> [any CaptureDeviceProvider] {
    load()
    return state.withLock { $0.providers ?? [] }
  }

  /// The providers of `media` in force, and whether each has a device of it.
  func occupiedProviders(of media: MediaKind) -> [(provider: any CaptureDeviceProvider, isOccupied: Bool)] {
    load()
    let (providers, present) = state.withLock { ($0.providers ?? [], $0.present) }
    return zip(providers, present).filter { $0.0.media.contains(media) }.map { provider, devices in
      (provider, devices.contains { $0.facts.media.contains(media) })
    }
  }

  /// The facts of the devices that are plugged in, by unique identifier.
  package func facts() -> [String: DeviceFacts] {
    var facts: [String: DeviceFacts] = [:]
    for device in connected() { facts[device.uniqueID] = device.facts }
    return facts
  }

  func add(_ search: AVCaptureDevice.DiscoverySession) {
    searches.add(search)
  }

  /// Reports every device that is plugged in to `user`, or no longer does.
  func report(to user: any DeviceObserver, _ isWanted: Bool) {
    if isWanted {
      waitingUsers.add(ObjectIdentifier(user)) { [weak user] in user }
    } else {
      waitingUsers.remove(ObjectIdentifier(user))
    }
  }

  // MARK: Choosing providers

  private func load() {
    if state.withLock({ $0.providers != nil }) { return }
    loading.withLock {
      if state.withLock({ $0.providers != nil }) { return }
      _ = exchangeProviders()
    }
  }

  private func providersWereChosen() {
    // No client has asked for a device yet: the choice counts when one does.
    guard state.withLock({ $0.providers != nil }) else { return }
    let changes = loading.withLock { exchangeProviders() }
    announce(changes)
  }

  /// Asks the chosen providers for their devices and forgets the former ones'.
  ///
  /// Call under `loading`.
  private func exchangeProviders() -> [Change] {
    let chosen = CaptureDeviceProviders.installed ?? DeviceSources.fromEnvironment()
    let (former, generation) = state.withLock { state in
      state.generation += 1
      state.early = []
      return (state.providers ?? [], state.generation)
    }
    for provider in former where !chosen.contains(where: { $0 === provider }) { provider.observeDevices(nil) }
    for (index, provider) in chosen.enumerated() {
      provider.noteCompany(chosen.filter { $0 !== provider })
      provider.observeDevices { [weak self] change in
        self?.take(change, from: index, generation: generation)
      }
    }
    let drivers = chosen.map { $0.devices() }
    let (changes, unseen) = state.withLock { state -> ([Change], [AVCaptureDevice]) in
      let before = state.present.flatMap { $0 }
      let hadProviders = state.providers != nil
      state.providers = chosen
      // The same driver is the same device; what another one brings is plugged in anew, whatever its identifier.
      state.present = drivers.map { list in
        list.map { driver in before.first { $0.driver === driver } ?? AVCaptureDevice(driver) }
      }
      let told = state.early ?? []
      state.early = nil
      let unseen = told.compactMap { Self.apply($0.change, at: $0.provider, to: &state.present)?.device }
      let after = state.present.flatMap { $0 }
      var changes: [Change] = []
      for device in before where !after.contains(where: { $0 === device }) {
        device.disconnect()
        changes.append(Change(device: device, isConnected: false))
      }
      for device in after where hadProviders && !before.contains(where: { $0 === device }) {
        changes.append(Change(device: device, isConnected: true))
      }
      return (changes, unseen)
    }
    // Those that went again before a client could see them end here, after the lock.
    withExtendedLifetime(unseen) {}
    return changes
  }

  // MARK: News from providers

  private struct Change: Sendable {
    let device: AVCaptureDevice
    let isConnected: Bool
  }

  private func take(_ change: DeviceListChange, from index: Int, generation: Int) {
    let change = state.withLock { state -> Change? in
      guard state.generation == generation else { return nil }
      // What the provider answers meanwhile may be older than this, or hold it already.
      guard state.early == nil else {
        state.early?.append((change, index))
        return nil
      }
      return Self.apply(change, at: index, to: &state.present)
    }
    if let change { announce([change]) }
  }

  /// Notes what the provider at `index` told; `nil` where clients see no other device for it.
  private static func apply(
    _ change: DeviceListChange, at index: Int, to present: inout [[AVCaptureDevice]]
  ) -> Change? {
    switch change {
    case .connected(let driver):
      if let device = present[index].first(where: { $0.uniqueID == driver.facts.uniqueID }) {
        device.replaceDriver(with: driver)
        return nil
      }
      let device = AVCaptureDevice(driver)
      present[index].append(device)
      return Change(device: device, isConnected: true)
    case .disconnected(let uniqueID):
      guard let place = present[index].firstIndex(where: { $0.uniqueID == uniqueID }) else { return nil }
      let device = present[index].remove(at: place)
      device.disconnect()
      return Change(device: device, isConnected: false)
    }
  }

  private func announce(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    announcements.carry { [self] in
      for change in changes {
        let device = change.device
        guard change.isConnected else {
          device.notifyUnplugged()
          continue
        }
        // First, so that a session that waits for the device has begun to take it when clients hear of it.
        waitingUsers.present.forEach { $0.deviceCameBack(device.uniqueID) }
        NotificationCenter.default.post(name: AVCaptureDevice.wasConnectedNotification, object: device)
      }
      for search in searches.present { search.lookAgain() }
    }
  }
}

internal import Linux

/// Tells an observer which devices came and went, for a provider that hears only that something has changed.
///
/// A device that was replaced by another object of the same identifier has gone and come. Thread-safe; the observer is called
/// on the thread that the watch uses, one change after the other.
package final class DeviceListWatch<Device: CaptureDeviceDriver>: Sendable {
  private struct State {
    var observer: (@Sendable (DeviceListChange) -> Void)?
    var watch: (any AnyObject & Sendable)?
    var announced: [String: Device] = [:]
    var generation = 0
  }

  private let state = Locked(State())

  /// A watch that tells nobody.
  package init() {}

  /// Whether changes are seen: false without an observer, and where the system has no watch left to give.
  package var isWatching: Bool {
    state.withLock { $0.watch != nil }
  }

  /// Replaces the observer; `nil` ends the watch.
  ///
  /// - Parameters:
  ///   - list: The devices there are; called now and after each change.
  ///   - watch: Begins to call its argument after changes, until what it returns is let go.
  package func observe(
    _ observer: (@Sendable (DeviceListChange) -> Void)?, list: @escaping @Sendable () -> [Device],
    watch: (@escaping @Sendable () -> Void) throws -> any AnyObject & Sendable
  ) {
    let present = observer == nil ? [:] : Self.byIdentifier(list())
    let generation = state.withLock { state in
      state.generation += 1
      state.observer = observer
      state.announced = present
      return state.generation
    }
    // Outside of the lock: letting a watch go ends it, and its thread may be inside `tellChanges`.
    let new = observer == nil ? nil : try? watch { [weak self] in self?.tellChanges(list()) }
    let old = state.withLock { state in
      guard state.generation == generation else { return new }
      defer { state.watch = new }
      return state.watch
    }
    withExtendedLifetime(old) {}
  }

  private func tellChanges(_ list: [Device]) {
    let present = Self.byIdentifier(list)
    let (observer, changes) = state.withLock { state in
      let gone = state.announced.filter { present[$0.key] !== $0.value }
      let new = present.filter { state.announced[$0.key] !== $0.value }
      state.announced = present
      return (
        state.observer,
        gone.keys.sorted().map { DeviceListChange.disconnected(uniqueID: $0) }
          + new.sorted { $0.key < $1.key }.map { .connected($0.value) }
      )
    }
    if let observer {
      for change in changes { observer(change) }
    }
  }

  private static func byIdentifier(_ devices: [Device]) -> [String: Device] {
    Dictionary(devices.map { ($0.facts.uniqueID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

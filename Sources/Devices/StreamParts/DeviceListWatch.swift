package import CaptureDevice
internal import Glibc
internal import Linux

/// Reports to an observer which devices came and went, for a provider that learns only that something has changed.
///
/// A device that was replaced by another object of the same identifier has gone and come. Thread-safe; the observer is called
/// on the thread that the watch uses, one change after the other.
package final class DeviceListWatch<Device: CaptureDeviceDriver>: Sendable {
  private struct State {
    var observer: (@Sendable (DeviceListChange) -> Void)?
    var watch: (any AnyObject & Sendable)?
    var failure: CaptureDeviceError?
    /// `nil` until the first look, with which what comes later is compared.
    var announced: [String: Device]?
    /// Whether something changed before the first look was over.
    var changedEarly = false
    var generation = 0
  }

  private let state = Locked(State())
  /// Held from a look to its being noted, so that an older look never replaces a newer one.
  private let looking = Lock()

  /// A watch without an observer.
  package init() {}

  /// Whether changes are seen: false without an observer, and where the system has no watch left to give.
  package var isWatching: Bool {
    state.withLock { $0.watch != nil }
  }

  /// The reason why changes are not seen although there is an observer; `nil` when they are, and without an observer.
  package var failure: CaptureDeviceError? {
    state.withLock { $0.failure }
  }

  /// Replaces the observer; `nil` ends the watch.
  ///
  /// Where no watch is possible, the observer gets no reports and ``failure`` has the reason.
  ///
  /// - Parameters:
  ///   - list: The devices there are; called now and after each change.
  ///   - watch: Begins to call its argument after changes, until what it returns is let go.
  package func observe(
    _ observer: (@Sendable (DeviceListChange) -> Void)?, list: @escaping @Sendable () -> [Device],
    watch: (@escaping @Sendable () -> Void) throws(CaptureDeviceError) -> any AnyObject & Sendable
  ) {
    // The old observer and devices go after the lock is left.
    let (generation, former) = state.withLock { state in
      let former = (state.observer, state.announced)
      state.generation += 1
      state.observer = observer
      state.announced = nil
      state.changedEarly = false
      return (state.generation, former)
    }
    withExtendedLifetime(former) {}
    // Outside of the lock: letting a watch go ends it, and its thread may be inside `tellChanges`. Before the first look: what
    // is plugged in between the two would never be heard of, nor its unplugging.
    var new: (any AnyObject & Sendable)?
    var failure: CaptureDeviceError?
    if observer != nil {
      do throws(CaptureDeviceError) {
        new = try watch { [weak self] in self?.tellChanges(list) }
      } catch {
        failure = error
      }
    }
    let old = state.withLock { state in
      guard state.generation == generation else { return new }
      state.failure = failure
      defer { state.watch = new }
      return state.watch
    }
    withExtendedLifetime(old) {}
    guard observer != nil else { return }
    let present = Self.byIdentifier(list())
    let changedEarly = state.withLock { state in
      guard state.generation == generation else { return false }
      state.announced = present
      return state.changedEarly
    }
    if changedEarly { tellChanges(list) }
  }

  private func tellChanges(_ list: () -> [Device]) {
    // The devices that have gone are let go of after the locks are left.
    let (news, former) = looking.withLock { changes(to: Self.byIdentifier(list())) }
    withExtendedLifetime(former) {}
    guard let observer = state.withLock({ $0.observer }) else { return }
    for change in news { observer(change) }
  }

  /// The devices that have come and gone since the last look, and those of that look; notes this one.
  ///
  /// Nothing before the first.
  private func changes(to present: [String: Device]) -> (news: [DeviceListChange], former: [String: Device]) {
    let announced = state.withLock { state -> [String: Device]? in
      guard let announced = state.announced else {
        state.changedEarly = true
        return nil
      }
      state.announced = present
      return announced
    }
    guard let announced else { return ([], [:]) }
    let gone = announced.filter { present[$0.key] !== $0.value }
    let new = present.filter { announced[$0.key] !== $0.value }
    let news =
      gone.keys.sorted().map { DeviceListChange.disconnected(uniqueID: $0) }
      + new.sorted { $0.key < $1.key }.map { .connected($0.value) }
    return (news, announced)
  }

  private static func byIdentifier(_ devices: [Device]) -> [String: Device] {
    Dictionary(devices.map { ($0.facts.uniqueID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension CaptureDeviceError {
  /// The kernel does not report what comes to `folder` and goes from it.
  ///
  /// - Parameters:
  ///   - devices: What goes unnoticed, at the start of a sentence: `Cameras`.
  ///   - errno: Why; C: `inotify_init1`, `inotify_add_watch`, `eventfd`, `pthread_create`.
  package static func unwatched(_ devices: String, in folder: String, errno: Int32) -> CaptureDeviceError {
    let (why, remedy) =
      switch errno {
      case EMFILE:
        (
          "too many files are open or watched",
          "end programs that watch files, or raise fs.inotify.max_user_instances with sysctl"
        )
      case ENFILE: ("too many files are open on this machine", "end some programs")
      case ENOSPC:
        (
          "this user's programs watch too many files",
          "end some, or raise fs.inotify.max_user_watches with sysctl"
        )
      case EACCES, EPERM: ("this user may not", "ask this machine's administrator for the right to read it")
      default: (String(cString: strerror(errno)), "list the devices again instead")
      }
    return CaptureDeviceError(
      .ioFailure,
      "\(devices) that are plugged in or pulled out go unnoticed, because the kernel does not watch \(folder) for "
        + "this program (\(why)); \(remedy).")
  }
}

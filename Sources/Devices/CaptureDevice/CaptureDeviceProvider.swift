internal import Linux

/// This program's permission to use a kind of device.
public enum DeviceAccess: Sendable, Hashable {
  /// The user has not been asked yet.
  case undetermined
  /// Policy forbids it and no user can allow it.
  case restricted
  /// Refused.
  case denied
  /// Allowed.
  case granted
}

/// A change in what is plugged in.
public enum DeviceListChange: Sendable {
  /// A device was plugged in.
  case connected(any CaptureDeviceDriver)
  /// The device with this unique identifier is gone.
  case disconnected(uniqueID: String)
}

/// A place that devices come from: the kernel, PipeWire, a simulated scene.
///
/// Thread-safe.
public protocol CaptureDeviceProvider: AnyObject, Sendable {
  /// The word that chooses it in `OBSCURA_DEVICES`.
  var name: String { get }

  /// The kinds of media that its devices send: a provider without microphones is not asked whether they may be used.
  var media: Set<MediaKind> { get }

  /// The devices that are there now, in a stable order; the same object for the same device.
  func devices() -> [any CaptureDeviceDriver]

  /// Reports every change from now on, on a thread of the provider's; `nil` ends it. One observer at a time.
  func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?)

  /// The reason why changes are not reported to the observer; `nil` when they are, and without an observer.
  var watchFailure: CaptureDeviceError? { get }

  /// Why devices that were asked for by name or address are not there: one sentence each.
  var absences: [CaptureDeviceError] { get }

  /// Notes the providers that are asked beside this one: what one of them lists, this one may leave out.
  func noteCompany(_ others: [any CaptureDeviceProvider])

  /// Whether the kernel's file at `path` is one of its devices, or a part of one, so that no other provider lists it again; or, of cameras
  /// that libcamera drives, whether `path` is `libcamera:` and the library's name of one.
  func lists(node path: String) -> Bool

  /// Whether this program may use devices of `media`, without asking the user.
  func access(for media: MediaKind) -> DeviceAccess

  /// Asks the user where that is needed; `completion` is called once, on any thread, with what `access(for:)` then says.
  func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void)
}

extension CaptureDeviceProvider {
  /// Pictures and audio.
  public var media: Set<MediaKind> { [.video, .audio] }

  /// Does nothing: its devices are no others'.
  public func noteCompany(_ others: [any CaptureDeviceProvider]) {}

  /// False: its devices are no files of the kernel's.
  public func lists(node path: String) -> Bool { false }

  /// None: the provider has what it finds.
  public var absences: [CaptureDeviceError] { [] }

  /// `nil`: nothing can keep a provider from hearing of its own devices.
  public var watchFailure: CaptureDeviceError? { nil }
}

/// The providers in force, in order of preference: what a program or `OBSCURA_DEVICES` chose.
public enum CaptureDeviceProviders {
  private struct Chosen {
    var providers: [any CaptureDeviceProvider]?
    var generation = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var nextObserver = 0
  }

  private static let chosen = Locked(Chosen())

  /// The provider that ``install(_:)`` installed, or `nil` when none was installed.
  public static var installed: [any CaptureDeviceProvider]? {
    chosen.withLock { $0.providers }
  }

  /// Replaces the providers; every observer reads the list again.
  ///
  /// `nil` returns to the environment's choice.
  public static func install(_ providers: [any CaptureDeviceProvider]?) {
    let (observers, former) = chosen.withLock { state in
      let former = state.providers
      state.providers = providers
      state.generation += 1
      return (Array(state.observers.values), former)
    }
    withExtendedLifetime(former) {}
    for observer in observers { observer() }
  }

  /// Calls `observer` after each ``install(_:)``, on the installing thread.
  package static func observeInstallation(_ observer: @escaping @Sendable () -> Void) {
    chosen.withLock { state in
      state.observers[state.nextObserver] = observer
      state.nextObserver += 1
    }
  }
}

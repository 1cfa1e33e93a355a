public import AVFCore
package import CaptureDevice
package import CoreMedia
public import Foundation
public import FoundationExtras
internal import Linux

/// A camera or microphone.
///
/// There is one object for each device while it is connected: the same unique identifier gives the same object. A device that
/// is unplugged and plugged in again is a new object with the same identifier; the former one stays disconnected. Reading is
/// allowed at any time; settings are changed between ``lockForConfiguration()`` and ``unlockForConfiguration()``. Thread-safe.
///
/// Observable: `isConnected`, the active format, frame durations and colour space, and every control: the page of a property
/// says so. Observers of what a client sets are called on the setter's thread, others on a queue of the session.
///
/// Apple: `AVCaptureDevice`.
open class AVCaptureDevice: NSObject, KeyValueObservable, FoundByIdentifier,
  @unchecked Sendable  // Safe: locked state.
{
  /// Who observes the device's properties.
  public let observerTable = ObserverTable()

  struct State {
    var driver: any CaptureDeviceDriver
    var facts: DeviceFacts
    var isConnected = true
    var formats: [Format]
    var settings: CaptureGraph.DeviceSettings
    /// What was asked of the controls and which frames show it.
    var ledger: ControlLedger
    /// The format of the open stream, and whose stream that is; `nil` while none is open.
    var stream: (format: StreamFormat, owner: ObjectIdentifier)?
    /// What the client wants of the flash where nothing else says so.
    var flashMode = FlashMode.off
    /// Whether the system decides about wider dynamic range.
    var adjustsHDR = true
    /// Whether the system decides about faces in automatic focus and exposure.
    var adjustsFaceFocus = true
    var adjustsFaceExposure = true
    /// What the client wants of the switching of cameras while a recording has its own; `nil` where none has.
    var switchingBesideRecording: ConstituentChoice?
  }

  let state: Locked<State>
  private let knownUsers = WeakObjects<any DeviceObserver>()
  let configuration = ConfigurationLock()
  /// The device's video effects and reactions.
  let videoEffects = DeviceVideoEffects()
  /// Held while the driver is asked for a change of its controls, so that changes are noted in their order.
  let changing = Lock()
  /// The exposure that a client asked for last.
  let askedExposure = Locked(AskedExposure())
  /// The queue on which a driver is asked that may hang.
  let resting = DispatchQueue(label: "obscura.device.resting")

  init(_ driver: any CaptureDeviceDriver) {
    let facts = driver.facts
    state = Locked(
      State(
        driver: driver, facts: facts, formats: Format.all(of: facts),
        settings: AVCaptureDevice.firstSettings(of: facts), ledger: ControlLedger(driver.controlState)))
    super.init()
  }

  // MARK: What it is

  /// An identifier that stays the same across replugging and restarts.
  ///
  /// Apple: `AVCaptureDevice.uniqueID`.
  open var uniqueID: String { facts.uniqueID }

  /// An identifier of the model: devices of the same make share it.
  ///
  /// Apple: `AVCaptureDevice.modelID`.
  open var modelID: String { facts.modelID }

  /// The device's name for people.
  ///
  /// Apple: `AVCaptureDevice.localizedName`.
  open var localizedName: String { facts.name }

  /// Who made it.
  ///
  /// Apple: `AVCaptureDevice.manufacturer`.
  open var manufacturer: String { facts.manufacturer }

  /// What sort of device it is.
  ///
  /// Apple: `AVCaptureDevice.deviceType`.
  open var deviceType: DeviceType { DeviceType(facts.kind) }

  /// Where on the machine it sits.
  ///
  /// Apple: `AVCaptureDevice.position`.
  open var position: Position { Position(facts.position) }

  /// Whether it is plugged in: once `false`, it stays so.
  ///
  /// A device that is plugged in again is another object, which ``wasConnectedNotification`` brings. Observable.
  ///
  /// Apple: `AVCaptureDevice.isConnected`.
  open var isConnected: Bool {
    observerTable.access(\AVCaptureDevice.isConnected)
    return state.withLock { $0.isConnected }
  }

  /// Whether it delivers the given media.
  ///
  /// Apple: `AVCaptureDevice.hasMediaType(_:)`.
  open func hasMediaType(_ mediaType: AVMediaType) -> Bool {
    MediaKind(mediaType).map(facts.media.contains) ?? false
  }

  /// Whether a session with this preset can use it.
  ///
  /// Apple: `AVCaptureDevice.supportsSessionPreset(_:)`.
  open func supportsSessionPreset(_ preset: AVCaptureSessionPreset) -> Bool {
    GraphPlanner.supports(preset, facts)
  }

  /// The f-number of the lens; 0 when it is unknown.
  ///
  /// Apple: `AVCaptureDevice.lensAperture`.
  open var lensAperture: Float { Float(facts.lens?.aperture ?? 0) }

  /// Millimetres, as if the sensor were 36 mm wide; 0 for virtual devices and external cameras, and when it is unknown.
  ///
  /// Apple: `AVCaptureDevice.nominalFocalLengthIn35mmFilm`.
  open var nominalFocalLengthIn35mmFilm: Float {
    let facts = facts
    guard facts.constituents.isEmpty, facts.kind != .externalCamera else { return 0 }
    return Float(facts.lens?.focalLengthIn35mmFilm ?? 0)
  }

  /// Whether it stands for several cameras.
  ///
  /// Apple: `AVCaptureDevice.isVirtualDevice`.
  open var isVirtualDevice: Bool { !facts.constituents.isEmpty }

  /// The cameras that it stands for, widest first; empty unless ``isVirtualDevice``.
  ///
  /// Apple: `AVCaptureDevice.constituentDevices`.
  open var constituentDevices: [AVCaptureDevice] {
    let connected = DeviceRegistry.shared.connected()
    return facts.constituents.compactMap { id in connected.first { $0.uniqueID == id } }
  }

  /// Whether it is a phone's camera that is used from another machine: no driver brings such.
  ///
  /// Apple: `AVCaptureDevice.isContinuityCamera`.
  open var isContinuityCamera: Bool { false }

  /// Whether it is connected and yet cannot send frames, as a notebook's camera under a closed lid on some systems.
  ///
  /// `false`: no driver suspends its devices. A closed shutter interrupts the session instead.
  ///
  /// Apple: `AVCaptureDevice.isSuspended`.
  open var isSuspended: Bool { false }

  /// The camera that shows the desk before a Continuity camera; `nil` for all others.
  ///
  /// Apple: `AVCaptureDevice.companionDeskViewCamera`.
  open var companionDeskViewCamera: AVCaptureDevice? { nil }

  /// The device's name and identifier.
  open override var description: String {
    "<AVCaptureDevice: \(facts.name) (\(facts.uniqueID))>"
  }

  // MARK: What the session uses

  /// What is known of the device.
  package var facts: DeviceFacts {
    state.withLock { $0.facts }
  }

  /// Whom to open.
  package var driver: any CaptureDeviceDriver {
    state.withLock { $0.driver }
  }

  /// What the device's timestamps count on.
  package var clock: CMClock { driver.clock }

  /// The client's settings as planning needs them.
  package var settings: CaptureGraph.DeviceSettings {
    state.withLock { $0.settings }
  }

  func add(_ user: any DeviceObserver) {
    knownUsers.add(ObjectIdentifier(user)) { [weak user] in user }
  }

  func remove(_ user: any DeviceObserver) {
    knownUsers.remove(ObjectIdentifier(user))
  }

  /// The sessions that have an input of this device.
  var users: [any DeviceObserver] { knownUsers.present }

  /// The present moment on the device's clock.
  var now: MonotonicInstant { clock.now }

  // MARK: What streams report

  /// The format of the open stream; `nil` while none is open.
  var streamingFormat: StreamFormat? { state.withLock { $0.stream?.format } }

  /// A stream of the device was opened.
  func streamWasOpened(_ format: StreamFormat, by owner: AnyObject) {
    state.withLock { $0.stream = (format, ObjectIdentifier(owner)) }
  }

  /// The stream was closed; twice is harmless.
  func streamWasClosed(by owner: AnyObject) {
    state.withLock { state in
      if state.stream?.owner == ObjectIdentifier(owner) { state.stream = nil }
    }
  }

  // MARK: What the registry reports

  /// ``isConnected`` for the sessions, whose reads are not observed.
  var isPluggedIn: Bool { state.withLock { $0.isConnected } }

  static func firstSettings(of facts: DeviceFacts) -> CaptureGraph.DeviceSettings {
    let choice = FormatChoice.best(of: facts.formats, for: .high)
    return CaptureGraph.DeviceSettings(format: choice?.index ?? 0)
  }

  /// Takes another driver of the same device, which was not unplugged; its settings stay when its formats are the same.
  func replaceDriver(with driver: any CaptureDeviceDriver) {
    let facts = driver.facts
    let controls = driver.controlState
    endWaits()
    // The old driver goes after the lock is left.
    let old = state.withLock { state in
      let old = state
      state.driver = driver
      state.ledger = ControlLedger(controls, after: state.ledger)
      guard state.facts != facts else { return old }
      // Formats show the capabilities too.
      if state.facts.formats != facts.formats || state.facts.capabilities != facts.capabilities {
        state.formats = Format.all(of: facts)
        state.settings = AVCaptureDevice.firstSettings(of: facts)
      }
      state.facts = facts
      return old
    }
    withExtendedLifetime(old) {}
  }

  func disconnect() {
    state.withLock { $0.isConnected = false }
    endWaits()
  }

  /// Notifies observers that the device was unplugged, and its lamps with it.
  func notifyUnplugged() {
    observerTable.changed(\AVCaptureDevice.isConnected, of: self, from: true, to: false)
    notifyLampsUnplugged()
    NotificationCenter.default.post(name: AVCaptureDevice.wasDisconnectedNotification, object: self)
  }
}

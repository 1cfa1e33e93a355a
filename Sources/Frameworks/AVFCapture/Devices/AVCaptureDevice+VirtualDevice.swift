internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// The rule by which a virtual device goes from one of its cameras to another.
  ///
  /// Apple: `AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior`.
  public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable {
    /// Never: the device has one camera only.
    case unsupported = 0
    /// Whenever another camera is better.
    case auto = 1
    /// When zoom asks for it, and in the conditions that were given.
    case restricted = 2
    /// Never: zoom beyond the present camera is cropped.
    case locked = 3
  }

  /// The conditions under which a restricted virtual device may go to another camera for the sake of light or focus.
  ///
  /// Apple: `AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions`.
  public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt

    /// Those whose bits are set.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The zoom factor was changed.
    public static let videoZoomChanged = Self(rawValue: 1 << 0)
    /// The focus mode was set.
    public static let focusModeChanged = Self(rawValue: 1 << 1)
    /// The exposure mode was set.
    public static let exposureModeChanged = Self(rawValue: 1 << 2)
  }

  // MARK: Which camera

  /// The camera that takes a virtual device's frames now.
  ///
  /// `nil` for other devices, and for virtual ones until a running session has had a frame of them; a session that stops
  /// leaves the last one. Changes with zoom, light and focus. Observable, on a queue of the session.
  ///
  /// Apple: `AVCaptureDevice.activePrimaryConstituentDevice`.
  public var activePrimaryConstituent: AVCaptureDevice? {
    observerTable.access(\AVCaptureDevice.activePrimaryConstituent)
    return hasFrames ? constituent(controls) : nil
  }

  /// Whether the device has sent a frame since it was plugged in.
  var hasFrames: Bool { state.withLock { $0.ledger.conditions != nil } }

  func constituent(_ state: ControlState) -> AVCaptureDevice? {
    guard let id = state.constituent else { return nil }
    return constituentDevices.first { $0.uniqueID == id }
  }

  /// The cameras that a virtual device may go to instead of a longer one that lacks light or cannot focus so near.
  ///
  /// All but the longest; always the same for a device. Empty for other devices.
  ///
  /// Apple: `AVCaptureDevice.supportedFallbackPrimaryConstituentDevices`.
  public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] {
    let ids = facts.constituents.dropLast()
    return constituentDevices.filter { ids.contains($0.uniqueID) }
  }

  /// Those of ``supportedFallbackPrimaryConstituentDevices`` that it does go to; all of them at first.
  ///
  /// Reads in their order. Any other device in the list, and setting without the lock, are programming mistakes without
  /// effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.fallbackPrimaryConstituentDevices`.
  public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] {
    get {
      observerTable.access(\AVCaptureDevice.fallbackPrimaryConstituentDevices)
      return fallbacks(controls)
    }
    set {
      guard mayChange("fallbackPrimaryConstituentDevices") else { return }
      let supported = supportedFallbackPrimaryConstituentDevices
      if let stranger = newValue.first(where: { !supported.contains($0) }) {
        return ProgrammingMistake.report(
          rule: "fallbackPrimaryConstituentDevices cannot hold \(stranger.localizedName); choose among "
            + "supportedFallbackPrimaryConstituentDevices.")
      }
      // The only list that a device with one camera takes is the empty one that it has.
      guard isSwitching else { return }
      change("the fallback cameras", .fallbackConstituents(newValue.map(\.uniqueID)))
    }
  }

  func fallbacks(_ state: ControlState) -> [AVCaptureDevice] {
    let supported = supportedFallbackPrimaryConstituentDevices
    guard let ids = state.fallbackConstituents else { return supported }
    return supported.filter { ids.contains($0.uniqueID) }
  }

  // MARK: When

  /// When the device goes from one of its cameras to another, as it was set.
  ///
  /// `auto` at first, `unsupported` for devices with one camera. Observable.
  ///
  /// Apple: `AVCaptureDevice.primaryConstituentDeviceSwitchingBehavior`.
  public var primaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
    observerTable.access(\AVCaptureDevice.primaryConstituentDeviceSwitchingBehavior)
    return ownSwitching(controls).behavior
  }

  /// The conditions under which a restricted device may look for another camera for light and focus, as set; empty at first.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions`.
  public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
    PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  {
    observerTable.access(\AVCaptureDevice.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions)
    return ownSwitching(controls).conditions
  }

  /// When the device goes from one of its cameras to another, as it holds now.
  ///
  /// The same as ``primaryConstituentDeviceSwitchingBehavior``, but for a recording that has its own, see
  /// `AVCaptureMovieFileOutput.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled`. Observable.
  ///
  /// Apple: `AVCaptureDevice.activePrimaryConstituentDeviceSwitchingBehavior`.
  public var activePrimaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
    observerTable.access(\AVCaptureDevice.activePrimaryConstituentDeviceSwitchingBehavior)
    return switching(controls).behavior
  }

  /// The conditions under which a restricted device may look for another camera, as they hold now.
  ///
  /// The same as ``primaryConstituentDeviceRestrictedSwitchingBehaviorConditions``, but for a recording that has its own. Observable.
  ///
  /// Apple: `AVCaptureDevice.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions`.
  public var activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
    PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  {
    observerTable.access(\AVCaptureDevice.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions)
    return switching(controls).conditions
  }

  /// Sets when the device goes from one of its cameras to another.
  ///
  /// `restricted` goes where zoom asks, and looks at light and focus only when one of the conditions occurs; what it found
  /// then stays until the next occurrence, or until zoom asks for another camera. A mode that is set to what it was counts as
  /// changed. `locked` stays with the present camera and raises ``minAvailableVideoZoomFactor`` to that camera's own view.
  ///
  /// A device with one camera, `unsupported`, conditions for another behaviour than `restricted`, and a call without the lock
  /// are programming mistakes without effect.
  ///
  /// Apple: `AVCaptureDevice.setPrimaryConstituentDeviceSwitchingBehavior(_:restrictedSwitchingBehaviorConditions:)`.
  public func setPrimaryConstituentDeviceSwitchingBehavior(
    _ switchingBehavior: PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {
    let method = "setPrimaryConstituentDeviceSwitchingBehavior(_:restrictedSwitchingBehaviorConditions:)"
    guard mayChange(method) else { return }
    guard isSwitching else {
      return ProgrammingMistake.report(
        rule: "\(method) cannot be used with \(localizedName), which has one camera; ask whether its "
          + "primaryConstituentDeviceSwitchingBehavior is unsupported first.")
    }
    guard restrictedSwitchingBehaviorConditions.isEmpty || switchingBehavior == .restricted else {
      return ProgrammingMistake.report(
        rule: "\(method) takes conditions with the behavior restricted only; pass [].")
    }
    guard let choice = ConstituentChoice(switchingBehavior, restrictedSwitchingBehaviorConditions) else {
      return ProgrammingMistake.report(
        rule: "\(method) cannot set unsupported; choose auto, restricted or locked.")
    }
    let old = ownSwitching(controls)
    let waits = state.withLock { state in
      guard state.switchingBesideRecording != nil else { return false }
      state.switchingBesideRecording = choice
      return true
    }
    guard waits else { return change("the switching behavior", .constituentChoice(choice)) }
    // Taken up when the recording ends; the property tells what was set.
    let new = ownSwitching(controls)
    observerTable.changed(
      \AVCaptureDevice.primaryConstituentDeviceSwitchingBehavior, of: self, from: old.behavior,
      to: new.behavior)
    observerTable.changed(
      \AVCaptureDevice.primaryConstituentDeviceRestrictedSwitchingBehaviorConditions, of: self,
      from: old.conditions, to: new.conditions)
  }

  /// Has a recording's choice hold instead of the client's; `false` where a recording has its own already, and for a device with one camera.
  func beginSwitching(_ choice: ConstituentChoice) -> Bool {
    guard isSwitching else { return false }
    let present = controls.constituentChoice
    let isFree = state.withLock { state in
      guard state.switchingBesideRecording == nil else { return false }
      state.switchingBesideRecording = present
      return true
    }
    if isFree { change("the switching behavior", .constituentChoice(choice)) }
    return isFree
  }

  /// Has the client's choice hold again.
  func endSwitching() {
    guard let choice = state.withLock({ $0.switchingBesideRecording }) else { return }
    change("the switching behavior", .constituentChoice(choice))
    state.withLock { $0.switchingBesideRecording = nil }
  }

  /// Whether it has several cameras to choose from.
  private var isSwitching: Bool { facts.constituents.count > 1 }

  typealias Switching = (
    behavior: PrimaryConstituentDeviceSwitchingBehavior,
    conditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  )

  /// What the client has set.
  func ownSwitching(_ controls: ControlState) -> Switching {
    let beside = state.withLock { $0.switchingBesideRecording }
    return switching(beside ?? controls.constituentChoice)
  }

  /// What holds.
  func switching(_ controls: ControlState) -> Switching { switching(controls.constituentChoice) }

  private func switching(_ choice: ConstituentChoice) -> Switching {
    guard isSwitching else { return (.unsupported, []) }
    switch choice {
    case .automatic: return (.auto, [])
    case .restricted(let conditions):
      return (.restricted, PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions(conditions))
    case .locked: return (.locked, [])
    }
  }
}

extension AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions {
  /// The same bits stand for the same conditions.
  init(_ conditions: ConstituentConditions) {
    self.init(rawValue: UInt(conditions.rawValue))
  }
}

extension ConstituentChoice {
  /// The choice of a behaviour with its conditions; `nil` for `unsupported`.
  init?(
    _ behavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
    _ conditions: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {
    switch behavior {
    case .auto: self = .automatic
    case .restricted: self = .restricted(ConstituentConditions(conditions))
    case .locked: self = .locked
    case .unsupported: return nil
    }
  }
}

extension ConstituentConditions {
  /// Bits that mean nothing are left out.
  init(_ conditions: AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions) {
    self = []
    if conditions.contains(.videoZoomChanged) { insert(.zoomChanged) }
    if conditions.contains(.focusModeChanged) { insert(.focusModeChanged) }
    if conditions.contains(.exposureModeChanged) { insert(.exposureModeChanged) }
  }
}

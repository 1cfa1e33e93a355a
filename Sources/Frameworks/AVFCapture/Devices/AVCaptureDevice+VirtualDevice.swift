internal import CaptureDevice
internal import FoundationExtras

extension AVCaptureDevice {
  /// When a virtual device goes from one of its cameras to another.
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

  /// What allows a restricted virtual device to go to another camera for the sake of light or focus.
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

  /// The camera that takes a virtual device's frames now; `nil` for other devices.
  ///
  /// Before the first frame it is the one that the zoom factor asks for. Observable.
  ///
  /// Apple: `AVCaptureDevice.activePrimaryConstituentDevice`.
  public var activePrimaryConstituent: AVCaptureDevice? {
    observerTable.access(\AVCaptureDevice.activePrimaryConstituent)
    return constituent(controls)
  }

  func constituent(_ state: ControlState) -> AVCaptureDevice? {
    let facts = facts
    guard !facts.constituents.isEmpty else { return nil }
    if let id = state.constituent { return constituentDevices.first { $0.uniqueID == id } }
    let index = facts.capabilities.switchOverZooms.count { $0 <= state.zoom }
    return constituentDevices.first {
      facts.constituents.indices.contains(index) && $0.uniqueID == facts.constituents[index]
    }
  }
}

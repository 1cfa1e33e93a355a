package import CaptureDevice

/// The controls of one camera that have a meaning in the device contract, and what follows from them.
///
/// What the kernel's units mean stands here and nowhere else:
/// - Exposure times are in 100 µs. A camera whose `exposure_auto` has only "aperture priority" calls that automatic.
/// - ISO is `iso_sensitivity`, in thousandths. A gain without a unit is no ISO: it is reachable by its name.
/// - Gains of white balance cannot be had from a colour temperature (which has no tint) or from balances without a unit:
///   they are not offered; `white_balance_temperature` is reachable by its name.
/// - `focus_absolute` has no unit; greater is nearer, so its least value is 1 (far), its greatest 0.
/// - `zoom_absolute` has no unit; cameras whose least value is above 0 count from it as from a focal length, so that twice
///   that is a factor of 2. Where the least is 0 nothing says how far it zooms, and no zoom is offered.
///
/// Source: Linux, `Documentation/userspace-api/media/v4l/ext-ctrls-camera.rst`, `ext-ctrls-flash.rst`, `control.rst`.
package struct ControlTable: Sendable {
  /// The kernel's unit of exposure, in nanoseconds.
  package static let exposureUnit: Int64 = 100_000
  /// More entries than any menu has: an end for drivers that never say one.
  static let longestMenu: Int64 = 512

  /// The camera's controls among ``VideoControl/meaningful``, as they were when it was probed.
  package private(set) var controls: [VideoControl: VideoControlDescription] = [:]
  /// The entries of its menus, by index, without the holes.
  package private(set) var menus: [VideoControl: [Int64: VideoMenuEntry]] = [:]
  /// The values that controls take which lie about their range.
  package private(set) var onlyValues: [VideoControl: [Int64]] = [:]
  /// Fixed facts that the kernel shows as controls.
  package private(set) var orientation: Int64?
  package private(set) var rotation: Int64?

  /// Asks an open camera; a control that does not answer is one that it lacks.
  ///
  /// - Parameter effects: What is known to be wrong with it.
  package init(
    _ kernel: any VideoKernel, _ handle: VideoHandle, _ effects: [DeviceQuirk.Effect] = []
  ) throws(KernelRefusal) {
    for control in VideoControl.meaningful {
      guard let description = try kernel.control(handle, control), !description.flags.contains(.disabled),
        description.minimum <= description.maximum,
        // The kernel's own definition of each has 32 bits; arithmetic relies on it.
        Int32(exactly: description.minimum) != nil, Int32(exactly: description.maximum) != nil
      else { continue }
      controls[control] = description
      if description.kind == .menu || description.kind == .integerMenu {
        menus[control] = try Self.menu(kernel, handle, control, description)
      }
    }
    correct(effects)
    if has(.orientation) { orientation = try? kernel.value(handle, of: .orientation, .menu) }
    if has(.sensorRotation) { rotation = try? kernel.value(handle, of: .sensorRotation, .integer) }
  }

  /// Puts right what the device says wrongly.
  private mutating func correct(_ effects: [DeviceQuirk.Effect]) {
    for effect in effects {
      switch effect {
      case .range(let control, let range):
        controls[control]?.minimum = range.lowerBound
        controls[control]?.maximum = range.upperBound
      case .values(let control, let values):
        guard let range = controls[control] else { continue }
        let possible = values.filter { (range.minimum...range.maximum).contains($0) }
        if !possible.isEmpty { onlyValues[control] = possible }
      default: continue
      }
    }
  }

  /// The value that a control takes which lies nearest.
  func nearest(_ control: VideoControl, _ range: VideoControlDescription, to value: Double) -> Int64 {
    onlyValues[control]?.min { abs(Double($0) - value) < abs(Double($1) - value) }
      ?? range.nearest(to: value)
  }

  /// The entries of a menu by index; indices without an entry are holes.
  static func menu(
    _ kernel: any VideoKernel, _ handle: VideoHandle, _ control: VideoControl,
    _ description: VideoControlDescription
  ) throws(KernelRefusal) -> [Int64: VideoMenuEntry] {
    var entries: [Int64: VideoMenuEntry] = [:]
    guard description.minimum >= 0 else { return entries }
    for index in description.minimum...min(description.maximum, description.minimum + longestMenu) {
      if let entry = try kernel.menuEntry(handle, control, description.kind, at: index) {
        entries[index] = entry
      }
    }
    return entries
  }

  /// Whether the camera has a control at all.
  package func has(_ control: VideoControl) -> Bool { controls[control] != nil }

  /// Whether the camera has a control that can be set.
  package func canSet(_ control: VideoControl) -> Bool { controls[control]?.isWritable ?? false }

  /// Whether a menu can be set to an entry.
  func canSet(_ control: VideoControl, to index: Int64) -> Bool {
    canSet(control) && menus[control]?[index] != nil
  }

  /// Whether exposure, white balance or focus can be held as they are.
  func canLock(_ lock: AutomaticLock) -> Bool {
    guard let bits = controls[.lock3A], bits.isWritable else { return false }
    return bits.maximum & lock.rawValue != 0
  }

  // MARK: Exposure

  /// The entry of the kernel's menu that is automatic exposure.
  var automaticExposure: VideoExposureMenu? {
    [.auto, .aperturePriority].first { canSet(.exposureAuto, to: $0.rawValue) }
  }

  private var canSetManually: Bool { canSet(.exposureAuto, to: VideoExposureMenu.manual.rawValue) }

  var exposureModes: Set<ExposureMode> {
    var modes: Set<ExposureMode> = []
    if automaticExposure != nil { modes.insert(.continuousAuto) }
    if canSetManually || canLock(.exposure) { modes.insert(.locked) }
    if canSetManually, canSet(.exposureAbsolute) { modes.insert(.custom) }
    return modes
  }

  /// Nanoseconds; `nil` where the camera does not report it.
  package var exposureNanoseconds: ClosedRange<Int64>? {
    guard let range = controls[.exposureAbsolute], range.maximum > 0 else { return nil }
    // Some drivers begin at 0, which no sensor can do.
    return max(range.minimum, 1) * Self.exposureUnit...range.maximum * Self.exposureUnit
  }

  /// ISO values; `nil` where the camera does not report it.
  package var iso: ClosedRange<Float>? {
    let values = menus[.isoSensitivity, default: [:]].values.filter { $0.value > 0 }
      .map { Float($0.value) / 1000 }
    guard let least = values.min(), let most = values.max() else { return nil }
    return least...most
  }

  private var exposureBias: ClosedRange<Float>? {
    guard canSet(.exposureBias) else { return nil }
    let values = menus[.exposureBias, default: [:]].values.map { Float($0.value) / 1000 }
    guard let least = values.min(), let most = values.max(), least < most else { return nil }
    return least...most
  }

  // MARK: Zoom

  /// The greatest zoom; 1 where it has none, or where it is unknown.
  package var maxZoom: Double {
    guard let range = controls[.zoomAbsolute], range.isWritable, range.minimum > 0 else { return 1 }
    return Double(range.maximum) / Double(range.minimum)
  }

  // MARK: Capabilities

  /// The camera's capabilities in the device contract.
  package var capabilities: CameraCapabilities {
    var capabilities = CameraCapabilities(exposureModes: exposureModes)
    capabilities.exposureBias = exposureBias

    if canSet(.focusAuto) { capabilities.focusModes.formUnion([.continuousAuto, .locked]) }
    if canSet(.focusAbsolute) || canLock(.focus) { capabilities.focusModes.insert(.locked) }
    // Without a status its end could not be known.
    if has(.autoFocusStart), has(.autoFocusStatus) { capabilities.focusModes.formUnion([.auto, .locked]) }
    // The kernel does not say how; a camera that compares halves of its lens would be the first.
    capabilities.focusSystem =
      capabilities.focusModes.isDisjoint(with: [.auto, .continuousAuto]) ? .none : .contrastDetection
    capabilities.hasLensPosition =
      canSet(.focusAbsolute) && controls[.focusAbsolute].map { $0.minimum < $0.maximum } ?? false
    capabilities.hasFocusRange = FocusRange.allCases.allSatisfy { canSet(.autoFocusRange, to: $0.entry) }

    if canSet(.autoWhiteBalance) { capabilities.whiteBalanceModes = [.continuousAuto, .locked] }
    if has(.doWhiteBalance) || canLock(.whiteBalance) { capabilities.whiteBalanceModes.insert(.locked) }
    if has(.doWhiteBalance) { capabilities.whiteBalanceModes.insert(.auto) }

    if canSet(.flashLEDMode, to: LampMode.dark.rawValue), canSet(.flashLEDMode, to: LampMode.torch.rawValue) {
      capabilities.torchModes = [.off, .on]
      capabilities.torchLevel = 1
    }
    return capabilities
  }
}

/// Entries of ``VideoControl/flashLEDMode``.
///
/// C: `v4l2_flash_led_mode`.
enum LampMode: Int64 {
  case dark = 0
  case flash = 1
  case torch = 2
}

/// Bits of ``VideoControl/lock3A``.
///
/// C: `V4L2_LOCK_…`.
enum AutomaticLock: Int64 {
  case exposure = 1
  case whiteBalance = 2
  case focus = 4
}

extension FocusRange {
  /// The entry of ``VideoControl/autoFocusRange``: "normal" reaches from normal distances to infinity.
  var entry: Int64 {
    switch self {
    case .everywhere: 0
    case .far: 1
    case .near: 2
    }
  }
}

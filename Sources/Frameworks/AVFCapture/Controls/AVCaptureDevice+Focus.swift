internal import CaptureDevice
public import CoreMedia
public import Foundation
internal import FoundationExtras

extension AVCaptureDevice {
  /// The mode of focus: locked or automatic.
  ///
  /// Apple: `AVCaptureDevice.FocusMode`.
  public enum FocusMode: Int, Sendable {
    /// The lens stays where it is.
    case locked = 0
    /// Looks once, then locks.
    case autoFocus = 1
    /// Looks whenever the scene changes.
    case continuousAutoFocus = 2
  }

  /// The range of distances to which auto focus is restricted.
  ///
  /// Apple: `AVCaptureDevice.AutoFocusRangeRestriction`.
  public enum AutoFocusRangeRestriction: Int, Sendable {
    /// Everywhere.
    case none = 0
    /// At near things.
    case near = 1
    /// At far things.
    case far = 2
  }

  /// Whether the device can focus in that way.
  ///
  /// Apple: `AVCaptureDevice.isFocusModeSupported(_:)`.
  public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
    capabilities.focusModes.contains(focusMode.driverMode)
  }

  /// How focus is found.
  ///
  /// Setting it starts a new search, at the point and in the range that are set. `autoFocus` becomes `locked` when it has
  /// found its focus. A mode that the device lacks, and setting without the lock, are programming mistakes without effect.
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.focusMode`.
  public var focusMode: FocusMode {
    get {
      observerTable.access(\AVCaptureDevice.focusMode)
      return FocusMode(controls.focusMode)
    }
    set {
      guard mayChange("focusMode") else { return }
      guard isFocusModeSupported(newValue) else {
        return ProgrammingMistake.report(
          rule: "focusMode cannot be \(newValue) on \(localizedName); ask isFocusModeSupported(_:) first.")
      }
      change("the focus mode \(newValue)", .focusMode(newValue.driverMode))
    }
  }

  /// Whether the device can focus on a point of the picture.
  ///
  /// Apple: `AVCaptureDevice.isFocusPointOfInterestSupported`.
  public var isFocusPointOfInterestSupported: Bool { capabilities.hasFocusPoint }

  /// The point that shall be sharp, in fractions of the sensor's own picture: (0, 0) is its top left corner, (1, 1) the bottom right.
  ///
  /// (0.5, 0.5) until it is set. Counts from the next setting of ``focusMode`` on. A device that has no such point, a point
  /// outside of the picture, and setting without the lock are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.focusPointOfInterest`.
  public var focusPointOfInterest: CGPoint {
    get {
      observerTable.access(\AVCaptureDevice.focusPointOfInterest)
      return CGPoint(controls.focusPoint)
    }
    set {
      guard mayChange("focusPointOfInterest") else { return }
      guard isFocusPointOfInterestSupported, let point = FramePoint(newValue) else {
        return ProgrammingMistake.report(
          rule: "focusPointOfInterest cannot be (\(newValue.x), \(newValue.y)) on \(localizedName); ask "
            + "isFocusPointOfInterestSupported first, and stay between 0 and 1.")
      }
      change("the focus point", .focusPoint(point))
    }
  }

  /// Whether auto focus is looking.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isAdjustingFocus`.
  public var isAdjustingFocus: Bool {
    observerTable.access(\AVCaptureDevice.isAdjustingFocus)
    return controls.isAdjustingFocus
  }

  /// Whether auto focus can look near or far only.
  ///
  /// Apple: `AVCaptureDevice.isAutoFocusRangeRestrictionSupported`.
  public var isAutoFocusRangeRestrictionSupported: Bool { capabilities.hasFocusRange }

  /// The range of distances to which auto focus is restricted.
  ///
  /// `none` until it is set. Counts from the next setting of ``focusMode`` on. A device that lacks it, and setting without
  /// the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.autoFocusRangeRestriction`.
  public var autoFocusRangeRestriction: AutoFocusRangeRestriction {
    get {
      observerTable.access(\AVCaptureDevice.autoFocusRangeRestriction)
      return AutoFocusRangeRestriction(controls.focusRange)
    }
    set {
      guard mayChange("autoFocusRangeRestriction") else { return }
      guard isAutoFocusRangeRestrictionSupported else {
        return ProgrammingMistake.report(
          rule: "autoFocusRangeRestriction cannot be set on \(localizedName); "
            + "ask isAutoFocusRangeRestrictionSupported first.")
      }
      change("the range of focus", .focusRange(newValue.driverRange))
    }
  }

  /// Whether auto focus can move slowly.
  ///
  /// Apple: `AVCaptureDevice.isSmoothAutoFocusSupported`.
  public var isSmoothAutoFocusSupported: Bool { capabilities.hasSmoothFocus }

  /// Whether auto focus moves slowly, as videos want it.
  ///
  /// `false` until it is set. Counts from the next setting of ``focusMode`` on. A device that lacks it, and setting without
  /// the lock, are programming mistakes without effect. Observable.
  ///
  /// Apple: `AVCaptureDevice.isSmoothAutoFocusEnabled`.
  public var isSmoothAutoFocusEnabled: Bool {
    get {
      observerTable.access(\AVCaptureDevice.isSmoothAutoFocusEnabled)
      return controls.isSmoothFocus
    }
    set {
      guard mayChange("isSmoothAutoFocusEnabled") else { return }
      guard isSmoothAutoFocusSupported else {
        return ProgrammingMistake.report(
          rule: "isSmoothAutoFocusEnabled cannot be set on \(localizedName); "
            + "ask isSmoothAutoFocusSupported first.")
      }
      change("smooth focus", .smoothFocus(newValue))
    }
  }

  // MARK: The lens

  /// The position of the lens for the latest frame: 0 is the nearest that it can focus on, 1 the farthest.
  ///
  /// Set by ``setFocusModeLocked(lensPosition:completionHandler:)``. Observable.
  ///
  /// Apple: `AVCaptureDevice.lensPosition`.
  public var lensPosition: Float {
    observerTable.access(\AVCaptureDevice.lensPosition)
    return controls.lensPosition
  }

  /// Whether the lens can be put at a position of the client's; never with a virtual device, which has several lenses.
  ///
  /// Apple: `AVCaptureDevice.isLockingFocusWithCustomLensPositionSupported`.
  public var isLockingFocusWithCustomLensPositionSupported: Bool {
    capabilities.hasLensPosition && !isVirtualDevice
  }

  /// Instead of a lens position: where the lens is.
  ///
  /// Apple: `AVCaptureDevice.currentLensPosition`.
  public class var currentLensPosition: Float { .greatestFiniteMagnitude }

  /// Puts the lens at a position and locks focus there.
  ///
  /// A position outside of 0 to 1, one of the client's where ``isLockingFocusWithCustomLensPositionSupported`` is `false`,
  /// and a call without the lock are programming mistakes without effect, for which the handler gets `CMTime.invalid`.
  ///
  /// - Parameters:
  ///   - lensPosition: 0 to 1, or ``currentLensPosition``.
  ///   - handler: Called once, on a queue of its own, with the timestamp of the first frame that was taken so, on the
  ///     device's clock. A device that does not stream keeps it until it does; `CMTime.invalid` means that the session
  ///     stopped or the device was unplugged first. Handlers are called in the order of the calls.
  ///
  /// Apple: `AVCaptureDevice.setFocusModeLocked(lensPosition:completionHandler:)`.
  public func setFocusModeLocked(lensPosition: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
    guard mayChange("setFocusModeLocked(lensPosition:)", handler) else { return }
    if lensPosition == Self.currentLensPosition, isFocusModeSupported(.locked) {
      change("the lens position", .focusMode(.locked), completion: handler)
    } else if isLockingFocusWithCustomLensPositionSupported, (0...1).contains(lensPosition) {
      change("the lens position \(lensPosition)", .lensPosition(lensPosition), completion: handler)
    } else {
      refuse(
        "setFocusModeLocked(lensPosition:) cannot put the lens of \(localizedName) at \(lensPosition); ask "
          + "isLockingFocusWithCustomLensPositionSupported first, and stay between 0 and 1.", handler)
    }
  }

  /// Puts the lens at a position, locks focus there, and returns the timestamp of the first frame that was taken so.
  ///
  /// As ``setFocusModeLocked(lensPosition:completionHandler:)``.
  @discardableResult
  public nonisolated(nonsending) func setFocusModeLocked(lensPosition: Float) async -> CMTime {
    await completed { setFocusModeLocked(lensPosition: lensPosition, completionHandler: $0) }
  }

  /// Millimetres to the nearest thing that the lens can focus on; -1 when it is not known.
  ///
  /// Apple: `AVCaptureDevice.minimumFocusDistance`.
  public var minimumFocusDistance: Int { facts.lens?.minimumFocusDistance ?? -1 }
}

extension AVCaptureDevice.FocusMode {
  init(_ mode: FocusMode) {
    self =
      switch mode {
      case .locked: .locked
      case .auto: .autoFocus
      case .continuousAuto: .continuousAutoFocus
      }
  }

  var driverMode: FocusMode {
    switch self {
    case .locked: .locked
    case .autoFocus: .auto
    case .continuousAutoFocus: .continuousAuto
    }
  }
}

extension AVCaptureDevice.AutoFocusRangeRestriction {
  init(_ range: FocusRange) {
    self =
      switch range {
      case .everywhere: .none
      case .near: .near
      case .far: .far
      }
  }

  var driverRange: FocusRange {
    switch self {
    case .none: .everywhere
    case .near: .near
    case .far: .far
    }
  }
}

extension CGPoint {
  init(_ point: FramePoint) {
    self.init(x: CGFloat(point.x), y: CGFloat(point.y))
  }
}

extension FramePoint {
  /// `nil` for a point outside of the picture.
  init?(_ point: CGPoint) {
    guard (0...1).contains(point.x), (0...1).contains(point.y) else { return nil }
    self.init(x: Float(point.x), y: Float(point.y))
  }
}

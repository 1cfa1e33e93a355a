internal import CaptureDevice
public import Foundation
internal import FoundationExtras

extension AVCaptureDevice {
  /// How much narrower the picture is than the device's full field of view.
  ///
  /// Setting it zooms at once and ends a ramp. Allowed from 1 to ``maxAvailableVideoZoomFactor``; what is
  /// below ``minAvailableVideoZoomFactor`` then becomes that. Other factors, and setting without the lock, are programming
  /// mistakes without effect. A new active format resets it to 1. During a ramp it is the factor of the latest frame.
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.videoZoomFactor`.
  public var videoZoomFactor: CGFloat {
    get {
      observerTable.access(\AVCaptureDevice.videoZoomFactor)
      return CGFloat(controls.zoom)
    }
    set {
      let name = "videoZoomFactor"
      guard mayChange(name), let factor = available(newValue, for: name) else { return }
      change("the zoom factor \(factor)", .zoom(Double(factor)))
    }
  }

  /// The least zoom factor that the device takes now.
  ///
  /// 1, but for virtual devices that are locked to one of their cameras: they cannot go below that camera's own view.
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.minAvailableVideoZoomFactor`.
  public var minAvailableVideoZoomFactor: CGFloat {
    observerTable.access(\AVCaptureDevice.minAvailableVideoZoomFactor)
    return leastZoom(controls)
  }

  func leastZoom(_ state: ControlState) -> CGFloat {
    let facts = facts
    guard state.constituentChoice == .locked, let constituent = state.constituent,
      let index = facts.constituents.firstIndex(of: constituent), index > 0,
      facts.capabilities.switchOverZooms.indices.contains(index - 1)
    else { return CGFloat(facts.capabilities.minZoom) }
    return CGFloat(facts.capabilities.switchOverZooms[index - 1])
  }

  /// The greatest zoom factor that can be set now.
  ///
  /// The active format's ``Format/videoMaxZoomFactor``, or ``Format/videoMaxZoomFactorForCenterStage`` while ``isCenterStageActive``; when
  /// that begins, a greater factor becomes this one.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.maxAvailableVideoZoomFactor`.
  public var maxAvailableVideoZoomFactor: CGFloat {
    observerTable.access(\AVCaptureDevice.maxAvailableVideoZoomFactor)
    return effectFacts.mostZoom
  }

  /// What a zoom factor is multiplied by to show it to people: 0.5 where a factor of 2 is the main camera's own view.
  ///
  /// Apple: `AVCaptureDevice.displayVideoZoomFactorMultiplier`.
  public var displayVideoZoomFactorMultiplier: CGFloat { CGFloat(capabilities.displayZoomMultiplier) }

  /// The zoom factors from which on a virtual device may go to the next of its cameras, ascending.
  ///
  /// One fewer than its ``constituentDevices``; empty for other devices.
  ///
  /// Apple: `AVCaptureDevice.virtualDeviceSwitchOverVideoZoomFactors`.
  public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] {
    capabilities.switchOverZooms.map { NSNumber(value: $0) }
  }

  // MARK: Ramps

  /// Zooms evenly to a factor.
  ///
  /// A factor out of range, and a call without the lock, are programming mistakes without effect.
  ///
  /// - Parameters:
  ///   - factor: Where it ends; the rules of ``videoZoomFactor`` hold. Apple gives both one range, and says of the property alone
  ///     what becomes of a factor below ``minAvailableVideoZoomFactor``.
  ///   - rate: Powers of two a second: 1 doubles the magnification every second, or halves it towards a smaller factor. The
  ///     sign does not matter; 0 ends a ramp as ``cancelVideoZoomRamp()`` does.
  ///
  /// Apple: `AVCaptureDevice.ramp(toVideoZoomFactor:withRate:)`.
  public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
    let method = "ramp(toVideoZoomFactor:withRate:)"
    guard mayChange(method), let factor = available(factor, for: method) else { return }
    guard rate.isFinite else {
      return ProgrammingMistake.report(rule: "\(method) needs a rate that is a number, such as 1.")
    }
    if rate == 0 {
      change("the end of the zoom ramp", .endZoomRamp)
    } else {
      change("the zoom ramp", .zoomRamp(to: Double(factor), rate: abs(rate)))
    }
  }

  /// Ends a ramp gently where it is.
  ///
  /// Without a ramp nothing happens; without the lock it is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureDevice.cancelVideoZoomRamp()`.
  public func cancelVideoZoomRamp() {
    guard mayChange("cancelVideoZoomRamp()"), controls.isRampingZoom else { return }
    change("the end of the zoom ramp", .endZoomRamp)
  }

  /// Whether the zoom factor moves to another one.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.isRampingVideoZoom`.
  public var isRampingVideoZoom: Bool {
    observerTable.access(\AVCaptureDevice.isRampingVideoZoom)
    return controls.isRampingZoom
  }

  /// The factor, or the least that the device takes now when it is below that; reports one out of range and returns `nil`.
  private func available(_ factor: CGFloat, for name: String) -> CGFloat? {
    let least = minAvailableVideoZoomFactor, most = maxAvailableVideoZoomFactor
    if factor >= min(1, least), factor <= most { return max(factor, least) }
    ProgrammingMistake.report(
      rule: "\(name) cannot go to \(factor) on \(localizedName); stay between \(min(1, least)) "
        + "and maxAvailableVideoZoomFactor \(most).")
    return nil
  }
}

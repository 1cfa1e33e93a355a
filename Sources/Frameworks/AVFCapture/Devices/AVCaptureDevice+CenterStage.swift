internal import AVFCore
internal import CaptureDevice
public import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// The parties that may enable and disable Center Stage.
  ///
  /// Apple: `AVCaptureDevice.CenterStageControlMode`.
  public enum CenterStageControlMode: Int, Sendable {
    /// The user alone.
    ///
    /// Apple: `AVCaptureDevice.CenterStageControlMode.user`.
    case user = 0
    /// The program alone.
    ///
    /// Apple: `AVCaptureDevice.CenterStageControlMode.app`.
    case app = 1
    /// The user and the program.
    ///
    /// Apple: `AVCaptureDevice.CenterStageControlMode.cooperative`.
    case cooperative = 2
  }

  private static let controlMode = Locked(CenterStageControlMode.user)

  /// Who enables and disables Center Stage in this program; `user` at first.
  ///
  /// In mode `app` Center Stage stays as it is until the program changes it, and the user's choice has no effect. Any other mode restores
  /// the user's choice.
  ///
  /// Apple: `AVCaptureDevice.centerStageControlMode`.
  public class var centerStageControlMode: CenterStageControlMode {
    get { controlMode.withLock { $0 } }
    set {
      let isNew = controlMode.withLock { mode in
        defer { mode = newValue }
        return mode != newValue
      }
      guard isNew else { return }
      DeviceVideoEffects.followChoices()
      let settings = VideoEffectSettings.shared
      settings.override(newValue == .app ? settings.choices[.centerStage].isOn : nil, of: .centerStage)
    }
  }

  /// Whether Center Stage is enabled in this program.
  ///
  /// Users enable it with `obscura effects on center-stage` or in the desktop camera. A program may set it in the modes `app` and
  /// `cooperative`; in mode `user` that is a programming mistake without effect. In mode `cooperative` it is the user's choice for this
  /// program that changes. Returns after observers were notified. Observable with `AVCaptureDevice.observe(\.isCenterStageEnabled) { … }`.
  ///
  /// Apple: `AVCaptureDevice.isCenterStageEnabled`.
  public class var isCenterStageEnabled: Bool {
    get { VideoEffectSettings.shared.choices[.centerStage].isOn }
    set {
      let settings = VideoEffectSettings.shared
      DeviceVideoEffects.followChoices()
      switch centerStageControlMode {
      case .user:
        ProgrammingMistake.report(
          rule: "isCenterStageEnabled cannot be set while the user decides; set centerStageControlMode to "
            + "app or cooperative first.")
      case .app: settings.override(newValue, of: .centerStage)
      case .cooperative:
        guard settings.choices[.centerStage].isOn != newValue else { return }
        do {
          try settings.choose(VideoEffectChoice(isOn: newValue), for: .centerStage)
        } catch {
          Log.note("Center Stage stays as it is, because the user's choices cannot be changed (\(error)).")
        }
      }
    }
  }

  /// Whether Center Stage is applied to the device's pictures.
  ///
  /// It is enabled, the active format supports it, no session delivers the device's depth, and where
  /// ``isGeometricDistortionCorrectionSupported``, the correction is enabled. Then previews, data outputs, recordings, photos and the
  /// search for metadata get the part of the picture in which the people are, at the size of the whole; the frame rate and the zoom
  /// factor are limited to those of the format for Center Stage. Points of interest stay those of the whole picture, see
  /// ``pointOfInterest(shownAt:)``. Observable.
  ///
  /// - Note: Unlike AVFoundation, the part is cut from the camera's own picture and enlarged: without people all of it is shown, and
  ///   near ones are not shown smaller than without the effect.
  ///
  /// Apple: `AVCaptureDevice.isCenterStageActive`.
  public var isCenterStageActive: Bool {
    observerTable.access(\AVCaptureDevice.isCenterStageActive)
    return isActive(.centerStage)
  }

  /// The point of interest, such as ``focusPointOfInterest``, of what is shown at a place of the newest frame.
  ///
  /// While Center Stage shows a part of the picture, a place in that; otherwise the same point. A preview layer's
  /// `captureDevicePointConverted(fromLayerPoint:)` does that already.
  ///
  /// - Parameter point: In the frame's width and height from the top left, before connections turn and mirror it.
  /// - Note: Unlike AVFoundation, which has no such method.
  public func pointOfInterest(shownAt point: CGPoint) -> CGPoint {
    videoEffects.shownView?.source(of: point) ?? point
  }

  /// Where of the newest frame a point of interest is shown.
  func place(ofPointOfInterest point: CGPoint) -> CGPoint {
    videoEffects.shownView?.place(of: point) ?? point
  }

  /// Whether ``centerStageRectOfInterest`` can be set: some format supports Center Stage.
  ///
  /// Apple: `AVCaptureDevice.isCenterStageRectOfInterestSupported`.
  public var isCenterStageRectOfInterestSupported: Bool { formats.contains(where: \.isCenterStageSupported) }

  /// The part of the pictures in which Center Stage shows people, in fractions of their width and height; all of them at first.
  ///
  /// For programs that cut the pictures themselves. From the top left corner of the picture as it is stored, before connections turn,
  /// mirror and scale it. What is outside of it becomes black; metadata objects are not limited to it. Setting it without the lock, where
  /// ``isCenterStageRectOfInterestSupported`` or ``isCenterStageEnabled`` is `false`, and to a rectangle that is empty or not within
  /// 0 and 1, are programming mistakes without effect.
  ///
  /// Apple: `AVCaptureDevice.centerStageRectOfInterest`.
  public var centerStageRectOfInterest: CGRect {
    get { videoEffects.rectOfInterest }
    set {
      let name = "centerStageRectOfInterest"
      guard mayChange(name) else { return }
      guard isCenterStageRectOfInterestSupported else {
        return ProgrammingMistake.report(
          rule: "\(name) cannot be set on \(localizedName), which has no format with Center Stage; "
            + "ask isCenterStageRectOfInterestSupported first.")
      }
      guard Self.isCenterStageEnabled else {
        return ProgrammingMistake.report(
          rule: "\(name) cannot be set while Center Stage is disabled; observe isCenterStageEnabled.")
      }
      let isInside =
        newValue.minX >= 0 && newValue.minY >= 0 && newValue.maxX <= 1 && newValue.maxY <= 1
        && newValue.width > 0 && newValue.height > 0
      guard isInside else {
        return ProgrammingMistake.report(
          rule: "\(name) cannot be \(newValue); choose a rectangle within 0 and 1.")
      }
      guard videoEffects.rectOfInterest != newValue else { return }
      videoEffects.rectOfInterest = newValue
      replan()
    }
  }
}

public import CoreMedia
internal import CaptureDevice
public import Foundation

/// The exposure settings of one picture in a bracket; made through its two subclasses.
///
/// Immutable and thread-safe.
///
/// Source:
/// [AVCaptureBracketedStillImageSettings](https://developer.apple.com/documentation/avfoundation/avcapturebracketedstillimagesettings).
open class AVCaptureBracketedStillImageSettings: NSObject, @unchecked Sendable {  // Safe: all is constant.
  /// The exposure that the device is asked for.
  let exposure: BracketExposure

  init(_ exposure: BracketExposure) {
    self.exposure = exposure
    super.init()
  }
}

/// One picture of a bracket that is exposed as auto exposure finds it, and so many stops brighter.
///
/// Source:
/// [AVCaptureAutoExposureBracketedStillImageSettings](https://developer.apple.com/documentation/avfoundation/avcaptureautoexposurebracketedstillimagesettings).
public final class AVCaptureAutoExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings,
  @unchecked Sendable
{  // Safe because all is constant.
  /// Stops by which the picture is brighter, within the device's bounds of the exposure target bias.
  public let exposureTargetBias: Float

  private init(bias: Float) {
    exposureTargetBias = bias
    super.init(.bias(bias == AVCaptureDevice.currentExposureTargetBias ? nil : bias))
  }

  /// A picture that is so many stops brighter; `AVCaptureDevice.currentExposureTargetBias` is the device's own bias.
  public static func autoExposureSettings(
    exposureTargetBias: Float
  ) -> AVCaptureAutoExposureBracketedStillImageSettings {
    AVCaptureAutoExposureBracketedStillImageSettings(bias: exposureTargetBias)
  }
}

/// One picture of a bracket with a duration and an ISO of its own.
///
/// Source:
/// [AVCaptureManualExposureBracketedStillImageSettings](https://developer.apple.com/documentation/avfoundation/avcapturemanualexposurebracketedstillimagesettings).
public final class AVCaptureManualExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings,
  @unchecked Sendable
{  // Safe because all is constant.
  /// How long the picture is exposed, within the active format's bounds.
  public let exposureDuration: CMTime
  /// The ISO value, within the active format's bounds.
  public let iso: Float

  private init(_ duration: CMTime, _ iso: Float) {
    exposureDuration = duration
    self.iso = iso
    let isCurrent = !duration.isNumeric || duration == AVCaptureDevice.currentExposureDuration
    super.init(
      .manual(duration: isCurrent ? nil : duration, iso: iso == AVCaptureDevice.currentISO ? nil : iso))
  }

  /// A picture of that duration and ISO.
  ///
  /// - Parameters:
  ///   - duration: `AVCaptureDevice.currentExposureDuration` stands for the device's present one.
  ///   - ISO: `AVCaptureDevice.currentISO` stands for the device's present one.
  public static func manualExposureSettings(
    exposureDuration duration: CMTime, iso ISO: Float
  ) -> AVCaptureManualExposureBracketedStillImageSettings {
    AVCaptureManualExposureBracketedStillImageSettings(duration, ISO)
  }
}

/// One exposure of a bracket, before it is checked against a device.
enum BracketExposure: Sendable {
  /// Stops; `nil` is the device's present bias.
  case bias(Float?)
  /// `nil` is what the device has at present.
  case manual(duration: CMTime?, iso: Float?)

  /// The exposure for a device whose controls stand at `state`.
  func still(at state: ControlState) -> StillExposure {
    switch self {
    case .bias(let bias):
      .bias(bias ?? state.exposureBias)
    case .manual(let duration, let iso):
      .manual(durationNanoseconds: duration.map(\.nanoseconds), iso: iso)
    }
  }
}

extension CMTime {
  /// The time in nanoseconds, rounded to the nearest.
  fileprivate var nanoseconds: Int64 {
    CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
  }
}

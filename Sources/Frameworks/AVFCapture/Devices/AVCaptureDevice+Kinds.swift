internal import AVFCore
internal import CaptureDevice
internal import Foundation

/// The permission of this program to use a kind of media.
///
/// Apple: `AVAuthorizationStatus`.
public enum AVAuthorizationStatus: Int, Sendable {
  /// The user has not been asked yet.
  case notDetermined = 0
  /// Policy forbids it, and no user can allow it.
  case restricted = 1
  /// The user has refused.
  case denied = 2
  /// The program may use it.
  case authorized = 3
}

/// The colours that a camera delivers.
///
/// Apple: `AVCaptureColorSpace`.
public enum AVCaptureColorSpace: Int, Sendable {
  /// The colours of sRGB.
  case sRGB = 0
  /// The wide colours of Display P3.
  case P3_D65 = 1
  /// The colours of ITU-R BT.2020 with the hybrid log-gamma of HDR; no format here has them.
  case HLG_BT2020 = 2
  /// Apple's logarithmic coding; no format here has it.
  case appleLog = 3
  /// Apple's second one; no format here has it.
  case appleLog2 = 4
}

extension AVCaptureDevice {
  /// The type of a camera or microphone.
  ///
  /// A device of a type that no provider knows is never found; its name may be asked for all the same.
  ///
  /// Apple: `AVCaptureDevice.DeviceType`.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the constant.
    public let rawValue: String

    /// The type with Apple's name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A built-in camera of normal width.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
    /// A built-in camera that sees wider than normal.
    public static let builtInUltraWideCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
    /// A built-in camera that sees narrower than normal.
    public static let builtInTelephotoCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
    /// A normal and a narrow camera as one.
    public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
    /// The same; an older name.
    public static let builtInDuoCamera = builtInDualCamera
    /// A wide and a normal camera as one.
    public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
    /// A wide, a normal, and a narrow camera as one.
    public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
    /// A camera with a depth sensor that projects dots.
    public static let builtInTrueDepthCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
    /// A camera with a depth sensor that measures the time of flight.
    public static let builtInLiDARDepthCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
    /// A camera that is plugged in: every kernel camera whose place on the machine is not known.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
    /// The older name of ``external``; both find the same devices.
    public static let externalUnknown = DeviceType(rawValue: "AVCaptureDeviceTypeExternalUnknown")
    /// A telephone's camera that another machine uses.
    public static let continuityCamera = DeviceType(rawValue: "AVCaptureDeviceTypeContinuityCamera")
    /// A wide camera's view of the desk below it.
    public static let deskViewCamera = DeviceType(rawValue: "AVCaptureDeviceTypeDeskViewCamera")
    /// Any microphone.
    public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
    /// A microphone inside the machine; an older name that still finds those.
    public static let builtInMicrophone = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInMicrophone")
  }

  /// The position of a camera on the machine.
  ///
  /// Apple: `AVCaptureDevice.Position`.
  public enum Position: Int, Sendable {
    /// Nowhere in particular, or anywhere when devices are searched.
    case unspecified = 0
    /// On the side away from the user.
    case back = 1
    /// On the user's side.
    case front = 2
  }

  /// The mode of exposure: locked, automatic, or the client's own.
  ///
  /// Apple: `AVCaptureDevice.ExposureMode`.
  public enum ExposureMode: Int, Sendable {
    /// Stays as it is.
    case locked = 0
    /// Adjusts once, then locks.
    case autoExpose = 1
    /// Adjusts whenever the light changes.
    case continuousAutoExposure = 2
    /// Duration and ISO are given by the client; ask ``AVCaptureDevice/isExposureModeSupported(_:)``.
    case custom = 3
  }
}

extension AVCaptureDevice.DeviceType {
  init(_ kind: DeviceKind) {
    self =
      switch kind {
      case .wideAngleCamera: .builtInWideAngleCamera
      case .ultraWideCamera: .builtInUltraWideCamera
      case .telephotoCamera: .builtInTelephotoCamera
      case .dualCamera: .builtInDualCamera
      case .dualWideCamera: .builtInDualWideCamera
      case .tripleCamera: .builtInTripleCamera
      case .trueDepthCamera: .builtInTrueDepthCamera
      case .lidarDepthCamera: .builtInLiDARDepthCamera
      case .externalCamera: .external
      case .builtInMicrophone, .externalMicrophone: .microphone
      }
  }

  /// Whether a device of the given kind is found under this type.
  func finds(_ kind: DeviceKind) -> Bool {
    switch self {
    case .externalUnknown: kind == .externalCamera
    case .builtInMicrophone: kind == .builtInMicrophone
    default: self == AVCaptureDevice.DeviceType(kind)
    }
  }
}

extension AVCaptureDevice.Position {
  init(_ position: DevicePosition) {
    self =
      switch position {
      case .unspecified: .unspecified
      case .back: .back
      case .front: .front
      }
  }
}

extension AVCaptureDevice.ExposureMode {
  init(_ mode: ExposureMode) {
    self =
      switch mode {
      case .locked: .locked
      case .auto: .autoExpose
      case .continuousAuto: .continuousAutoExposure
      case .custom: .custom
      }
  }

  /// The driver's mode.
  var driverMode: CaptureDevice.ExposureMode {
    switch self {
    case .locked: .locked
    case .autoExpose: .auto
    case .continuousAutoExposure: .continuousAuto
    case .custom: .custom
    }
  }
}

extension MediaKind {
  init?(_ type: AVMediaType) {
    switch type {
    case .video: self = .video
    case .audio: self = .audio
    case .depthData: self = .depth
    default: return nil
    }
  }

  /// The kind of media that a device streams for a port of `type`.
  init?(feeding type: AVMediaType) {
    if type == .metadataObject { self = .video } else { self.init(type) }
  }
}

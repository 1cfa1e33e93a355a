/// Why a spatial video would be uncomfortable to watch.
///
/// Apple: `AVSpatialCaptureDiscomfortReason`.
public struct AVSpatialCaptureDiscomfortReason: RawRepresentable, Hashable, Sendable {
  /// The name of the reason.
  public let rawValue: String

  /// A reason of that name.
  ///
  /// Apple: `AVSpatialCaptureDiscomfortReason.init(rawValue:)`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The scene is too dark.
  ///
  /// Apple: `AVSpatialCaptureDiscomfortReason.notEnoughLight`.
  public static let notEnoughLight = Self(rawValue: "AVSpatialCaptureDiscomfortReasonNotEnoughLight")
  /// What is filmed is too near.
  ///
  /// Apple: `AVSpatialCaptureDiscomfortReason.subjectTooClose`.
  public static let subjectTooClose = Self(rawValue: "AVSpatialCaptureDiscomfortReasonSubjectTooClose")
}

// Movies for both eyes need two lenses side by side, which no camera here has: it answers as other phones do.
extension AVCaptureDevice {
  /// Why a spatial video would be uncomfortable to watch now: empty, none can be taken.
  ///
  /// Apple: `AVCaptureDevice.spatialCaptureDiscomfortReasons`.
  public var spatialCaptureDiscomfortReasons: Set<AVSpatialCaptureDiscomfortReason> { [] }
}

extension AVCaptureDevice.Format {
  /// Whether movies for both eyes can be taken in the format: no.
  ///
  /// Apple: `AVCaptureDevice.Format.isSpatialVideoCaptureSupported`.
  public var isSpatialVideoCaptureSupported: Bool { false }
}

internal import AVFoundation

/// How the camera is to be set for photos; `nil` leaves a control as it is.
package struct PhotoControls: Sendable {
  /// Where to focus.
  package enum Focus: Sendable, Hashable {
    case auto
    /// 0 is the nearest, 1 the farthest.
    case lens(Float)
    /// Fractions of the upright photo, from its top left.
    case point(x: Double, y: Double)
  }

  /// Whether the flash fires.
  package enum Flash: String, CaseIterable, Sendable {
    case off, on, auto

    var mode: AVCaptureDevice.FlashMode {
      switch self {
      case .off: .off
      case .on: .on
      case .auto: .auto
      }
    }
  }

  /// What counts as white.
  package enum WhiteBalance: Sendable, Hashable {
    case auto
    /// Kelvin.
    case temperature(Float)
  }

  /// How much narrower than the camera's whole view.
  package var zoom: Double?
  /// Stops brighter than auto exposure.
  package var bias: Float?
  /// The sensitivity.
  package var iso: Float?
  /// The exposure time.
  package var shutterSeconds: Double?
  /// Where to focus.
  package var focus: Focus?
  /// Whether the flash fires.
  package var flash: Flash?
  /// What counts as white.
  package var whiteBalance: WhiteBalance?

  /// Leaves everything as it is.
  package init() {}
}

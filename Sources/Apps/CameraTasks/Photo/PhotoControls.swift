internal import AVFoundation

/// The settings of a camera's controls for photos; `nil` leaves a control as it is.
package struct PhotoControls: Sendable {
  /// The focus: automatic, at a lens position, or at a point.
  package enum Focus: Sendable, Hashable {
    case auto
    /// 0 is the nearest, 1 the farthest.
    case lens(Float)
    /// Fractions of the upright photo, from its top left.
    case point(x: Double, y: Double)
  }

  /// The mode of the flash.
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

  /// The white balance: automatic, or by a colour temperature.
  package enum WhiteBalance: Sendable, Hashable {
    case auto
    /// Kelvin.
    case temperature(Float)
  }

  /// The zoom factor; 1 is the camera's whole view.
  package var zoom: Double?
  /// Stops brighter than auto exposure.
  package var bias: Float?
  /// The sensitivity.
  package var iso: Float?
  /// The exposure time.
  package var shutterSeconds: Double?
  /// The focus.
  package var focus: Focus?
  /// The mode of the flash for the photo.
  package var flash: Flash?
  /// The white balance.
  package var whiteBalance: WhiteBalance?

  /// Leaves everything as it is.
  package init() {}
}

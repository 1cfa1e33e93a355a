package import CaptureDevice

/// The orientation of the machine, and so of upright pictures.
///
/// Apple: `AVCaptureVideoOrientation`; deprecated there in favour of rotation angles, and in wide use.
public enum AVCaptureVideoOrientation: Int, Sendable {
  /// Upright.
  case portrait = 1
  /// Upside down.
  case portraitUpsideDown = 2
  /// On its side, with the bottom of the machine on the right.
  case landscapeRight = 3
  /// On its side, with the bottom of the machine on the left.
  case landscapeLeft = 4
}

extension AVCaptureVideoOrientation {
  /// Degrees clockwise by which a camera's picture is turned to stand upright in this orientation; see
  /// ``OrientationTable``.
  package func rotation(sensorRotation: Int, position: DevicePosition) -> Int {
    OrientationTable.rotation(for: self, sensorRotation: sensorRotation, position: position)
  }

  /// The orientation in which a picture that is turned by `rotation` stands upright: the inverse of
  /// ``rotation(sensorRotation:position:)``.
  package init(rotation: Int, sensorRotation: Int, position: DevicePosition) {
    let all: [AVCaptureVideoOrientation] = [.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft]
    self =
      all.first { $0.rotation(sensorRotation: sensorRotation, position: position) == rotation } ?? .portrait
  }
}

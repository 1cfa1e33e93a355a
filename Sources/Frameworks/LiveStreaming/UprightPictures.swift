internal import AVFoundation
internal import Linux

/// Has a stream's pictures turned as its camera is held: the protocols carry no orientation.
///
/// Thread-safe.
final class UprightPictures: Sendable {
  private let coordinator = Locked<AVCaptureDevice.RotationCoordinator?>(nil)

  /// Turns what comes through a connection from now on so that it is level.
  ///
  /// - Returns: Whether it was level before; the picture that has just come is not, else.
  func turn(_ connection: AVCaptureConnection) -> Bool {
    guard let camera = (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device else {
      return true
    }
    let angle = coordinator(for: camera).videoRotationAngleForHorizonLevelCapture
    guard connection.videoRotationAngle != angle, connection.isVideoRotationAngleSupported(angle) else {
      return true
    }
    connection.videoRotationAngle = angle
    return false
  }

  private func coordinator(for camera: AVCaptureDevice) -> AVCaptureDevice.RotationCoordinator {
    if let present = coordinator.withLock({ $0 }), present.device === camera { return present }
    let new = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
    let former = coordinator.withLock { coordinator in
      defer { coordinator = new }
      return coordinator
    }
    withExtendedLifetime(former) {}
    return new
  }
}

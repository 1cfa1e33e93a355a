import AVFCapture
import CaptureDevice
import Testing

@Suite("Orientation")
struct OrientationTests {
  @Test(
    arguments: [
      (DevicePosition.back, 90, AVCaptureVideoOrientation.portrait, 90),
      (.back, 90, .portraitUpsideDown, 270),
      (.back, 90, .landscapeRight, 0), (.back, 90, .landscapeLeft, 180), (.front, 90, .portrait, 90),
      (.front, 90, .portraitUpsideDown, 270), (.front, 90, .landscapeRight, 180),
      (.front, 90, .landscapeLeft, 0),
      (.unspecified, 0, .portrait, 0), (.unspecified, 0, .portraitUpsideDown, 180),
      (.unspecified, 0, .landscapeRight, 270), (.unspecified, 0, .landscapeLeft, 90),
    ])
  func `each orientation has its turn, and each turn its orientation`(
    position: DevicePosition, sensorRotation: Int, orientation: AVCaptureVideoOrientation, rotation: Int
  ) {
    #expect(orientation.rotation(sensorRotation: sensorRotation, position: position) == rotation)
    #expect(
      AVCaptureVideoOrientation(rotation: rotation, sensorRotation: sensorRotation, position: position)
        == orientation)
  }
}

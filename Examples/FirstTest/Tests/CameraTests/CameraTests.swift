import AVFoundation
import SimulatedDevices
import Testing

final class FrameCounter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  var count = 0

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    count += 1
  }
}

@Test func twoSecondsAreSixtyFrames() throws {
  let clock = SimulatedClock()
  SimulatedDevices.install(scene: .builtIn, clock: clock)
  let camera = try #require(AVCaptureDevice.default(for: .video))
  let (session, output, counter) = (AVCaptureSession(), AVCaptureVideoDataOutput(), FrameCounter())
  session.sessionPreset = .vga640x480
  session.addInput(try AVCaptureDeviceInput(device: camera))
  output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "frames"))
  session.addOutput(output)
  session.startRunning()
  clock.advance(by: .seconds(2))
  #expect(counter.count == 60)
  session.stopRunning()
}

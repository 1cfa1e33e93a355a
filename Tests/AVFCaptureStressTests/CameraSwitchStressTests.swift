import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Stress: switching cameras of 12 megapixels")
  struct CameraSwitchStressTests {
    private static let switches = StressCounts.count(20, small: 6)
    /// Small pictures in every run of the suite, 12 megapixels in the full one.
    private static let widths = StressCounts.isFull ? [4032, 4000] : [640, 480]

    /// Two cameras whose pictures differ in size.
    private static let cameras = zip(widths, [DevicePosition.back, .front]).map { width, position in
      SimulatedDeviceModel.camera(
        uniqueID: "switch.\(width)", position: position,
        sizes: [FrameSize(width: width, height: width * 3 / 4)])
    }

    /// Notes the width of the first picture after each switch.
    private final class FirstPicture: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
      let width = Monitor<Int?>(nil)

      func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) {
        let found = sampleBuffer.imageBuffer.map(CVPixelBufferGetWidth)
        width.withLock { if $0 == nil { $0 = found } }
      }
    }

    @Test func `the first picture after a commit is the new camera's`() throws {
      var scene = Scene.blank
      scene.devices = Self.cameras
      SimulatedDevices.install(scene: scene)
      defer { SimulatedDevices.uninstall() }
      let session = AVCaptureSession()
      session.sessionPreset = .photo
      let output = AVCaptureVideoDataOutput()
      output.automaticallyConfiguresOutputBufferDimensions = false
      // Turned into another format, so that a picture is under way for long.
      output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      let first = FirstPicture()
      let queue = DispatchQueue(label: "switch")
      output.setSampleBufferDelegate(first, queue: queue)
      session.addOutput(output)
      func input(_ index: Int) throws -> AVCaptureDeviceInput {
        try AVCaptureDeviceInput(
          device: #require(AVCaptureDevice(uniqueID: Self.cameras[index].facts.uniqueID)))
      }
      var present = try input(0)
      session.addInput(present)
      session.startRunning()
      for turn in 1...Self.switches {
        let next = try input(turn % 2)
        session.beginConfiguration()
        session.removeInput(present)
        session.addInput(next)
        session.commitConfiguration()
        // A call that had begun before the commit may still be under way.
        queue.sync { first.width.withLock { $0 = nil } }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 10_000_000_000)
        let width = first.width.wait(until: deadline, for: { $0 != nil }, then: { $0 })
        #expect(width == Self.widths[turn % 2], "switch \(turn)")
        present = next
      }
      session.stopRunning()
      #expect(
        outside("a picture whose preparation ends after the stop is counted without a callback") {
          output.statistics.pending == 0
        })
      let statistics = output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
    }
  }
}

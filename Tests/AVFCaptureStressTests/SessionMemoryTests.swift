import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Each in a process of its own, as the pictures of tests that run beside come and go.
  @Suite(
    "AVCaptureSession: memory",
    .enabled(
      if: !ProcessFigures.isSanitized, "A sanitizer keeps released memory, so nothing can be measured."))
  struct SessionMemoryTests {
    @Test(arguments: [false, true])
    func `memory is flat over five hundred reconfigurations, and a leak of one small frame each is seen`(
      leaks: Bool
    ) async {
      await #expect(processExitsWith: .success) { [leaks] in
        let size = FrameSize(width: 160, height: 120)
        let models = ["back", "front"].map {
          SimulatedDeviceModel.camera(uniqueID: "flat.\($0)", sizes: [size])
        }
        let stage = SessionStage(devices: models)
        var (input, _) = try stage.addCamera(models[0])
        stage.session.startRunning()
        var leaked: [CVPixelBuffer] = []
        func reconfigure(times: Int) throws {
          for round in 0..<times {
            stage.session.beginConfiguration()
            stage.session.removeInput(input)
            input = try AVCaptureDeviceInput(device: stage.camera(models[(round + 1) % 2]))
            stage.session.addInput(input)
            stage.session.commitConfiguration()
            stage.pass(frames: 1)
            if leaks { leaked.append(try writtenFrame(size)) }
          }
        }
        try reconfigure(times: 100)
        let growth = try ResidentMemory.leastGrowth(parts: 4) { try reconfigure(times: 100) }
        stage.session.stopRunning()
        // A hundred frames of this size are three times as much.
        #expect((growth < 1_000_000) == !leaks, "\(growth) bytes in 100 rounds, \(leaked.count) frames kept")
      }
    }

    @Test func `memory stays flat over ten thousand frames`() async {
      await #expect(processExitsWith: .success) {
        let rig = try CaptureRig(.camera(), scene: .blank, preset: .high)
        let output = AVCaptureVideoDataOutput()
        let delegate = RecordingVideoDelegate()
        delegate.keepsBuffers.withLock { $0 = false }
        rig.session.addOutput(output)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "memory"))
        rig.session.startRunning()
        rig.advance(frames: 500)
        let growth = try ResidentMemory.leastGrowth(parts: 4) { rig.advance(frames: 2500) }
        #expect(delegate.count.withLock { $0 } == 10_500)
        // 100 bytes a frame would already be a quarter of a megabyte.
        #expect(growth < 500_000)
      }
    }
  }
}

/// A picture whose memory is all written; memory that was never written takes none of the machine's.
private func writtenFrame(_ size: FrameSize) throws -> CVPixelBuffer {
  let frame = try emptyPicture(
    width: size.width, height: size.height, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
  CVPixelBufferLockBaseAddress(frame, [])
  defer { CVPixelBufferUnlockBaseAddress(frame, []) }
  for plane in 0..<CVPixelBufferGetPlaneCount(frame) {
    let bytes =
      CVPixelBufferGetBytesPerRowOfPlane(frame, plane) * CVPixelBufferGetHeightOfPlane(frame, plane)
    memset(try #require(CVPixelBufferGetBaseAddressOfPlane(frame, plane)), 100, bytes)
  }
  return frame
}

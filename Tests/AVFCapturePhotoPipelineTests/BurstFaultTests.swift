import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Faults in the middle of a burst")
  struct BurstFaults {
    enum Fault: String, CaseIterable, Sendable {
      case stop, unplug, interrupt, removeOutput, switchCamera, changePreset
    }

    private func cause(_ fault: Fault, in stage: SessionStage, _ output: AVCapturePhotoOutput) throws {
      switch fault {
      case .stop: stage.session.stopRunning()
      case .unplug: try stage.simulated().unplug()
      // The scene closes the shutter by itself.
      case .interrupt: break
      case .removeOutput: stage.session.removeOutput(output)
      case .switchCamera:
        stage.session.beginConfiguration()
        for input in stage.session.inputs { stage.session.removeInput(input) }
        stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
        stage.session.commitConfiguration()
      case .changePreset: stage.session.sessionPreset = .low
      }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func `every request ends once, and every frame goes back`(fault: Fault, isResponsive: Bool) throws {
      // Ten photos at once, two frames after the start; the shutter closes on the fifth frame.
      let faults = fault == .interrupt ? [SceneFault(.privacy(seconds: 10), at: 0.15)] : []
      let stage = SessionStage(faults: faults)
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()
      stage.session.sessionPreset = .photo
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.addOutput(output)
      if isResponsive { output.isResponsiveCaptureEnabled = true }
      stage.session.startRunning()
      stage.pass(frames: 2)
      let settings = (0..<10).map { _ in AVCapturePhotoSettings() }
      for settings in settings { output.capturePhoto(with: settings, delegate: delegate) }
      stage.pass(frames: 2)
      try cause(fault, in: stage, output)
      stage.pass(frames: 12)
      // What went on is taken to its end.
      try? stage.clock.advance { delegate.finishedCount.now == 10 }
      #expect(delegate.wait(for: 10))
      let steps = delegate.steps.withLock { $0 }
      for settings in settings {
        let ends = steps.count { if case .finished(settings.uniqueID, _) = $0 { true } else { false } }
        let results = steps.count { if case .processed(settings.uniqueID, _) = $0 { true } else { false } }
        #expect(ends == 1 && results == 1)
      }
      // In the order of the presses.
      let order = steps.compactMap { if case .finished(let id, _) = $0 { id } else { nil } }
      #expect(order == settings.map(\.uniqueID))
      // A photo gives its memory back after its last callback.
      stage.clock.settle()
      #expect(output.pipeline.underWay.isEmpty)
      stage.session.stopRunning()
    }
  }
}

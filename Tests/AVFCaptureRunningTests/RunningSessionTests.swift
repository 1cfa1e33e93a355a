import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// Tests of the process's count of sessions; in processes of their own, for other tests have sessions, too.
  @Suite("Sessions that run are counted")
  struct RunningSessionTests {
    @Test func `a session counts once from its start to its stop, also while it is interrupted`() async {
      await #expect(processExitsWith: .success) {
        let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 0.5), at: 0.2)])
        try stage.addCamera()
        #expect(RunningSession.count == 0)
        for _ in 1...2 {
          stage.session.startRunning()
          #expect(RunningSession.count == 1)
        }
        stage.pass(frames: 9)
        #expect(stage.news.wait(for: "interrupted"))
        #expect(stage.session.isInterrupted && RunningSession.count == 1)
        stage.pass(frames: 16)
        #expect(stage.news.wait(for: "interruption ended"))
        #expect(RunningSession.count == 1)
        stage.session.beginConfiguration()
        stage.session.sessionPreset = .low
        stage.session.commitConfiguration()
        #expect(RunningSession.count == 1)
        for _ in 1...2 {
          stage.session.stopRunning()
          #expect(RunningSession.count == 0)
        }
      }
    }

    @Test func `several sessions count each, and one that is let go or loses its camera counts no more`()
      async
    {
      await #expect(processExitsWith: .success) {
        let stage = SessionStage()
        try stage.addCamera()
        stage.session.startRunning()
        do {
          let other = AVCaptureSession()
          other.addInput(try AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
          other.addOutput(AVCaptureVideoDataOutput())
          other.startRunning()
          #expect(other.isRunning && RunningSession.count == 2)
        }
        stage.clock.settle()
        #expect(RunningSession.count == 1)
        try stage.simulated().unplug()
        stage.clock.settle()
        #expect(stage.news.all.contains("stopped") && RunningSession.count == 0)
      }
    }
  }
}

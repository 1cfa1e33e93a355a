import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Glibc
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureSession: the machine sleeps")
  struct SessionSleepTests {
    @Test func `sleep interrupts the session, frees its devices, and waking up ends it`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .videoDeviceNotAvailableInBackground)
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      // Another program could have the camera now.
      _ = try stage.simulated().openStream(
        StreamConfiguration(
          format: try #require(stage.simulated().facts.formats.first), frameDuration: FrameDuration(1, 30)))
      let before = counter.frames
      stage.pass(frames: 2)
      #expect(counter.frames == before)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(frames: 3)
      #expect(counter.frames > before && stage.session.isRunning)
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      #expect(
        stage.news.all == [
          "isRunning true", "started", "isInterrupted true", "isRunning false", "interrupted",
          "isInterrupted false", "isRunning true", "interruption ended", "isRunning false", "stopped",
        ])
    }

    @Test func `a microphone alone is interrupted with the reason that microphones have`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 30)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .audioDeviceInUseByAnotherClient)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      let before = counter.stretches.count
      stage.pass(milliseconds: 50)
      #expect(counter.stretches.count > before)
      stage.session.stopRunning()
    }

    @Test func `a device that comes back late is waited for`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let camera = try stage.camera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      let gone = AsyncFlag(AVCaptureDevice.wasDisconnectedNotification, camera)
      let simulated = try stage.simulated()
      simulated.unplug()
      #expect(gone.wait())
      SystemSleep.shared.notify(isAsleep: false)
      stage.clock.advance(by: .seconds(4))
      #expect(stage.session.isInterrupted)
      simulated.plugIn()
      stage.clock.advance(by: .milliseconds(100))
      #expect(stage.news.wait(for: "interruption ended"))
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before && !stage.news.all.contains("error"))
      stage.session.stopRunning()
    }

    @Test func `what a client changes while the machine sleeps holds when it has woken up`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 1)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      let front = try AVCaptureDeviceInput(device: stage.camera(SessionStage.front))
      stage.session.addInput(front)
      stage.session.commitConfiguration()
      #expect(stage.session.isInterrupted)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      #expect(stage.session.isRunning)
      stage.session.stopRunning()
    }

    @Test func `stopping while the machine sleeps stops, and waking up starts nothing`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 1)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      SystemSleep.shared.notify(isAsleep: false)
      #expect(!stage.session.isRunning && !stage.session.isInterrupted)
    }
  }
}

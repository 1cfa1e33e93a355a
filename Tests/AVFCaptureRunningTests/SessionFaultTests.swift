import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureSession: faults")
  struct SessionFaultTests {
    /// Apple: once isConnected is false for an instance it never becomes true again; the same physical device that is available
    /// again is a new instance, with the same unique identifier.
    @Test
    func `an unplugged camera ends the session with its error, and comes back as another object`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let camera = try stage.camera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      let gone = AsyncFlag(AVCaptureDevice.wasDisconnectedNotification, camera)
      let simulated = try stage.simulated()
      simulated.unplug()
      #expect(stage.news.wait(for: "stopped"))
      #expect(stage.news.all == ["isRunning true", "started", "error", "isRunning false", "stopped"])
      #expect(stage.news.lastError?.code == .deviceWasDisconnected)
      #expect(stage.news.lastError?.device === camera)
      #expect(gone.wait())
      #expect(!camera.isConnected && !stage.session.isRunning)
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames == before)
      stage.session.stopRunning()
      stage.session.startRunning()
      #expect(stage.news.wait(for: "error", count: 2))
      #expect(stage.news.lastError?.code == .deviceNotConnected)
      simulated.plugIn()
      stage.clock.settle()
      let returned = try stage.camera()
      #expect(returned !== camera && returned.isConnected && !camera.isConnected)
      stage.session.startRunning()
      #expect(stage.news.wait(for: "error", count: 3))
      #expect(stage.news.lastError?.code == .deviceNotConnected)
      try stage.session.removeInput(#require(stage.session.inputs.first))
      stage.session.addInput(try AVCaptureDeviceInput(device: returned))
      stage.session.startRunning()
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
    }

    @Test
    func `a camera that was replugged and put in again streams, though its loss is not known yet`() throws {
      let stage = SessionStage()
      let (input, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      let simulated = try stage.simulated()
      // The news of the loss waits here until the new input runs.
      stage.session.events.suspend()
      simulated.unplug()
      simulated.plugIn()
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.commitConfiguration()
      stage.session.events.resume()
      stage.session.events.sync {}
      stage.session.startRunning()
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before && stage.session.isRunning)
      #expect(stage.news.all == ["isRunning true", "started"])
      stage.session.stopRunning()
    }

    /// Apple: nothing restarts a session that a lost device has ended; its client makes an input for the new instance.
    @Test
    func `a session does not start by itself when its unplugged camera is back`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      stage.session.startRunning()
      let (camera, simulated) = (try stage.camera(), try stage.simulated())
      simulated.unplug()
      #expect(stage.news.wait(for: "stopped"))
      try expectNoStart(stage, simulated)
      #expect(!camera.isConnected)
    }

    @Test
    func `a session that may do so goes on by itself when its unplugged camera is back`() throws {
      let stage = SessionStage()
      let (input, counter) = try stage.addCamera()
      let output = try #require(stage.session.outputs.first)
      let connection = try #require(output.connection(with: .video))
      connection.videoRotationAngle = 90
      let smaller = try #require(input.device.formats.first), tenth = CMTime(value: 1, timescale: 10)
      try input.device.lockForConfiguration()
      input.device.activeFormat = smaller
      input.device.activeVideoMinFrameDuration = tenth
      input.device.unlockForConfiguration()
      #expect(!stage.session.startsAgainWhenDevicesReturn)
      stage.session.startsAgainWhenDevicesReturn = true
      stage.session.startRunning()
      stage.pass(frames: 2)
      let simulated = try stage.simulated()
      for round in 2...3 {
        simulated.unplug()
        #expect(stage.news.wait(for: "stopped", count: round - 1))
        simulated.plugIn()
        #expect(stage.news.wait(for: "started", count: round))
        let before = counter.frames
        stage.pass(frames: 7)
        #expect(counter.frames > before)
        #expect(try input.device === stage.camera() && input.device.isConnected)
        #expect(output.connection(with: .video) === connection && connection.isActive)
        #expect(input.device.activeVideoMinFrameDuration == tenth)
      }
      #expect(counter.sizes == ["48×64"])
      #expect(
        stage.news.all.prefix(7) == [
          "isRunning true", "started", "error", "isRunning false", "stopped", "isRunning true", "started",
        ])
      stage.session.stopRunning()
    }

    @Test
    func `a camera that comes back wakes no session that its client has stopped, or taken it from`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let simulated = try stage.simulated()
      stage.session.startsAgainWhenDevicesReturn = true
      stage.session.startRunning()
      simulated.unplug()
      #expect(stage.news.wait(for: "stopped"))
      stage.session.stopRunning()
      try expectNoStart(stage, simulated)
      stage.session.startRunning()
      simulated.unplug()
      #expect(stage.news.wait(for: "stopped", count: 2))
      stage.session.removeInput(input)
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
      try expectNoStart(stage, simulated)
    }

    /// Plugs the camera in and sees that the session stays stopped.
    private func expectNoStart(_ stage: SessionStage, _ simulated: SimulatedDevice) throws {
      let back = AsyncFlag(AVCaptureDevice.wasConnectedNotification, nil)
      simulated.plugIn()
      #expect(back.wait())
      // What the news would have started is behind it on this queue.
      stage.session.events.sync {}
      stage.session.events.sync {}
      #expect(!stage.session.isRunning && !stage.session.isInterrupted)
    }

    @Test
    func `a start that comes before the camera is back fails, and the session goes on when it is`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startsAgainWhenDevicesReturn = true
      stage.session.startRunning()
      stage.pass(frames: 2)
      let simulated = try stage.simulated()
      let gone = AsyncFlag(AVCaptureDevice.wasDisconnectedNotification, try stage.camera())
      simulated.unplug()
      #expect(stage.news.wait(for: "stopped") && gone.wait())
      stage.session.startRunning()
      #expect(stage.news.wait(for: "error", count: 2))
      #expect(stage.news.lastError?.code == .deviceNotConnected)
      simulated.plugIn()
      #expect(stage.news.wait(for: "started", count: 2))
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
    }

    @Test
    func `a closed shutter interrupts, and the session goes on by itself`() throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 0.5), at: 0.2)])
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 9)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      #expect(stage.news.lastReason == .videoDeviceNotAvailableInBackground)
      let before = counter.frames
      stage.pass(frames: 16)
      #expect(stage.news.wait(for: "interruption ended"))
      #expect(stage.session.isRunning && !stage.session.isInterrupted)
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      #expect(
        stage.news.all == [
          "isRunning true", "started", "isInterrupted true", "isRunning false", "interrupted",
          "isInterrupted false",
          "isRunning true", "interruption ended", "isRunning false", "stopped",
        ])
    }

    @Test
    func `stopping while interrupted stops, without an end of the interruption`() throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 5), at: 0.1)])
      try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 6)
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.stopRunning()
      #expect(!stage.session.isInterrupted && !stage.session.isRunning)
      #expect(stage.news.wait(for: "stopped"))
      #expect(!stage.news.all.contains("interruption ended"))
      #expect(stage.news.all.last == "stopped")
    }

    @Test
    func `a reset of the media services ends the session, which may be started again from the news`() throws {
      let stage = SessionStage(faults: [SceneFault(.reset(seconds: 0), at: 0.2)])
      let (_, counter) = try stage.addCamera()
      let token = NotificationCenter.default.addObserver(
        forName: .AVCaptureSessionRuntimeError, object: stage.session, queue: nil
      ) { [session = stage.session] note in
        let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError
        if error?.code == .mediaServicesWereReset { session.startRunning() }
      }
      stage.session.startRunning()
      stage.pass(frames: 9)
      #expect(stage.news.wait(for: "started", count: 2))
      NotificationCenter.default.removeObserver(token)
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
    }

    @Test
    func `a camera that another program holds interrupts the start, and comes when it is free`() throws {
      let stage = SessionStage(faults: [SceneFault(.busy(seconds: 1))])
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      #expect(!stage.session.isRunning && stage.session.isInterrupted)
      #expect(stage.news.lastReason == .videoDeviceInUseByAnotherClient)
      stage.clock.advance(by: .seconds(2))
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(frames: 3)
      #expect(counter.frames > 0)
      stage.session.stopRunning()
    }

    @Test
    func `stopping takes less than a second whatever the camera does`() throws {
      for fault in [
        SceneFault.Kind.stall(seconds: 60), .privacy(seconds: 60), .slowStart(milliseconds: 60_000),
      ] {
        let stage = SessionStage(faults: [SceneFault(fault, at: 0.05)])
        try stage.addCamera()
        stage.session.startRunning()
        stage.pass(frames: 4)
        let start = MonotonicInstant.now
        stage.session.stopRunning()
        #expect(start.isRecent)
        #expect(!stage.session.isRunning)
      }
    }
  }
}

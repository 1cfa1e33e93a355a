import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureSession: running")
  struct SessionRunningTests {
    @Test
    func `the first frame comes within two frame intervals of the start`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let start = stage.clock.now
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      stage.pass(frames: 2)
      let first = try #require(counter.times.first)
      let elapsed = first - CMTime(value: start.nanoseconds, timescale: 1_000_000_000)
      #expect(elapsed.seconds <= 2.0 / 30 + 1e-6)
      stage.session.stopRunning()
    }

    @Test
    func `starting and stopping are reported once each, properties first`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      stage.session.startRunning()
      stage.session.startRunning()
      stage.session.stopRunning()
      stage.session.stopRunning()
      #expect(stage.news.all == ["isRunning true", "started", "isRunning false", "stopped"])
    }

    @Test
    func `a session without devices runs, as there is nothing to open`() {
      let stage = SessionStage(devices: [])
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      stage.session.stopRunning()
      #expect(!stage.session.isRunning)
    }

    @Test
    func `no frame comes after a stop`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 5)
      stage.session.stopRunning()
      let frames = counter.frames
      #expect(frames >= 4)
      stage.pass(frames: 5)
      #expect(counter.frames == frames)
    }

    @Test
    func `stopping inside a delegate callback returns`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      counter.onFrame = { [session = stage.session] in session.stopRunning() }
      stage.session.startRunning()
      stage.pass(frames: 3)
      #expect(stage.news.wait(for: "stopped"))
      #expect(counter.frames == 1)
    }

    @Test
    func `stopping and starting inside a notification works`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      let once = Locked(true)
      let token = NotificationCenter.default.addObserver(
        forName: AVCaptureSession.didStartRunningNotification, object: stage.session, queue: nil
      ) { [session = stage.session] _ in
        guard
          once.withLock({ once in
            defer { once = false }
            return once
          })
        else { return }
        session.stopRunning()
        session.startRunning()
      }
      stage.session.startRunning()
      NotificationCenter.default.removeObserver(token)
      #expect(stage.session.isRunning)
      #expect(
        stage.news.all == [
          "isRunning true", "started", "isRunning false", "stopped", "isRunning true", "started",
        ])
      stage.session.stopRunning()
    }

    @Test
    func `starting between begin and commit is a mistake without effect`() throws {
      let stage = SessionStage()
      stage.session.beginConfiguration()
      let mistakes = ProgrammingMistake.collect { stage.session.startRunning() }
      #expect(mistakes.count == 1)
      #expect(mistakes.first?.rule.contains("commitConfiguration()") == true)
      #expect(!stage.session.isRunning)
      stage.session.commitConfiguration()
      stage.session.commitConfiguration()
    }

    @Test
    func `a session that goes away gives its camera back`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      try autoreleased {
        let other = AVCaptureSession()
        other.addInput(try AVCaptureDeviceInput(device: camera))
        other.addOutput(AVCaptureVideoDataOutput())
        other.startRunning()
        #expect(other.isRunning)
      }
      try stage.addCamera()
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      stage.session.stopRunning()
    }

    @Test
    func `a second session hears that the first one has the camera`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      stage.session.startRunning()
      let other = AVCaptureSession()
      let news = SessionNews(other)
      other.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      other.addOutput(AVCaptureVideoDataOutput())
      other.startRunning()
      #expect(!other.isRunning)
      #expect(news.lastError?.code == .deviceAlreadyUsedByAnotherSession)
      stage.session.stopRunning()
      other.startRunning()
      #expect(other.isRunning)
      other.stopRunning()
    }

    private func autoreleased(_ body: () throws -> Void) rethrows {
      try body()
    }
  }
}

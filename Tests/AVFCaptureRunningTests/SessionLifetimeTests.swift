import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

/// A session whose client may let it go at the very moment at which it is asked whether it runs.
private final class FleetingSession: AVCaptureSession, @unchecked Sendable {  // Safe because the hook is.
  let onQuestion = Hook<Void>()

  override var isRunning: Bool {
    onQuestion.call()
    return super.isRunning
  }
}

/// The one who keeps a session.
private final class Owner: Sendable {
  private let session: Locked<FleetingSession?>

  init(_ session: FleetingSession) {
    self.session = Locked(session)
  }

  func letGo() {
    let old = session.withLock { session in
      defer { session = nil }
      return session
    }
    withExtendedLifetime(old) {}
  }
}

extension DeviceSuites {
  @Suite("AVCaptureSession: letting it go")
  struct SessionLifetimeTests {
    private let stage = SessionStage()
    private let sessions = WeakObjects<AVCaptureSession>()

    private func start(_ session: AVCaptureSession, _ output: AVCapturePhotoOutput) throws {
      session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      session.addOutput(output)
      session.startRunning()
      sessions.add(session)
    }

    /// Waits until the started sessions have gone: what an output does on its own queue may hold one a moment longer.
    private func haveGone() -> Bool {
      stage.clock.settle()
      return sessions.present.isEmpty
    }

    /// Whether another session can have the camera now.
    private func cameraIsFree() throws -> Bool {
      let next = AVCaptureSession()
      try start(next, AVCapturePhotoOutput())
      defer { next.stopRunning() }
      return next.isRunning
    }

    @Test func `a session that goes with a photo pending ends the photo once and gives the camera back`()
      throws
    {
      let delegate = RecordingPhotoDelegate()
      let output = AVCapturePhotoOutput()
      do {
        let session = AVCaptureSession()
        try start(session, output)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
      }
      #expect(delegate.wait())
      #expect(delegate.steps.withLock { $0.count { if case .finished = $0 { true } else { false } } } == 1)
      #expect(try cameraIsFree())
    }

    @Test(.timeLimit(.minutes(1)))
    func `a session whose last reference goes while a photo output looks how ready it is closes its camera`()
      throws
    {
      let delegate = RecordingPhotoDelegate()
      let output = AVCapturePhotoOutput()
      do {
        let session = FleetingSession()
        try start(session, output)
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
        let owner = Owner(session)
        session.onQuestion.set { owner.letGo() }
      }
      // The output's reference is the last one now, and goes when the output has its answer.
      output.sessionDidChange()
      #expect(haveGone())
      #expect(delegate.wait())
      #expect(delegate.steps.withLock { $0.count { if case .finished = $0 { true } else { false } } } == 1)
      #expect(try cameraIsFree())
    }

    @Test(.timeLimit(.minutes(1)))
    func `a session may go while a readiness coordinator is made for its output`() throws {
      let output = AVCapturePhotoOutput()
      do {
        let session = FleetingSession()
        try start(session, output)
        let owner = Owner(session)
        session.onQuestion.set { owner.letGo() }
      }
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: output)
      #expect(haveGone())
      withExtendedLifetime(coordinator) {}
      #expect(try cameraIsFree())
    }

    @Test func `an input of another session that is going is refused or taken, and neither session hangs`()
      throws
    {
      let input = try AVCaptureDeviceInput(device: stage.camera())
      var first: AVCaptureSession? = AVCaptureSession()
      first?.addInput(input)
      let second = AVCaptureSession()
      #expect(!second.canAddInput(input))
      first = nil
      #expect(second.canAddInput(input))
      second.addInput(input)
      #expect(second.inputs == [input])
    }
  }
}

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
  @Suite("AVCaptureSession: notifications that a client observes itself")
  struct SessionNotificationTests {
    @Test func `the error of a session comes with its notification, under both of its names`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      let errors = Locked<[AVError]>([])
      let tokens = [AVCaptureSession.runtimeErrorNotification, .AVCaptureSessionRuntimeError].map { name in
        NotificationCenter.default.addObserver(forName: name, object: stage.session, queue: nil) { note in
          guard let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
          errors.withLock { $0.append(error) }
        }
      }
      defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
      stage.session.startRunning()
      stage.pass(frames: 2)
      try stage.simulated().unplug()
      stage.clock.settle()
      #expect(errors.withLock { $0.count } == 2)
      #expect(errors.withLock { $0.allSatisfy { $0.code == .deviceWasDisconnected } })
    }

    @Test func `an interruption says its reason`() throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 0.5), at: 0.2)])
      try stage.addCamera()
      let reasons = Locked<[AVCaptureSession.InterruptionReason?]>([])
      let names: [Notification.Name] = [
        AVCaptureSession.wasInterruptedNotification, .AVCaptureSessionWasInterrupted,
      ]
      let tokens = names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: stage.session, queue: nil) { note in
          let reason = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
          reasons.withLock {
            $0.append(reason.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:)))
          }
        }
      }
      defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
      stage.session.startRunning()
      stage.pass(frames: 9)
      #expect(reasons.withLock { $0.count } == 2)
      #expect(reasons.withLock { $0.allSatisfy { $0 == .videoDeviceNotAvailableInBackground } })
      stage.session.stopRunning()
    }

    @Test(arguments: [true, false])
    func `frames that come while the delegate is busy are discarded, or wait`(isDiscarded: Bool) throws {
      let stage = SessionStage()
      // In real time: a clock that is moved by hand waits for the delegate.
      SimulatedDevices.install(scene: stage.provider.scene, clock: .real)
      let output = AVCaptureVideoDataOutput()
      output.alwaysDiscardsLateVideoFrames = isDiscarded
      let (_, counter) = try stage.addCamera(to: output)
      let mayGo = Monitor(false)
      counter.onFrame = { mayGo.wait(for: { $0 }, then: { _ in }) }
      // Another output sees what comes meanwhile.
      let second = AVCaptureVideoDataOutput()
      let witness = FrameCounter()
      witness.watch(second)
      stage.session.addOutput(second)
      stage.session.startRunning()
      #expect(witness.wait(for: 6))
      #expect(output.statistics.captured > 4 && counter.frames == 1)
      mayGo.withLock { $0 = true }
      #expect(counter.wait(for: 4))
      #expect(isDiscarded ? counter.drops > 1 : counter.drops == 0)
      stage.session.stopRunning()
    }
  }
}

import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Responsive capture and readiness")
  struct ResponsiveCapture {
    private typealias Readiness = AVCapturePhotoOutput.CaptureReadiness

    /// The values of an output's readiness that its observer got.
    private final class Observed: Sendable {
      let values = Monitor<[AVCapturePhotoOutput.CaptureReadiness]>([])
      let observation: Locked<NSKeyValueObservation?> = Locked(nil)

      init(_ output: AVCapturePhotoOutput) {
        let observation = output.observe(\.captureReadiness, options: .new) { [values] _, change in
          guard let value = change.newValue else { return }
          values.withLock { $0.append(value) }
        }
        self.observation.withLock { $0 = observation }
      }

      /// Waits until exactly these have come, at most half a minute, and returns those that came.
      func wait(for expected: [AVCapturePhotoOutput.CaptureReadiness]) -> [AVCapturePhotoOutput
        .CaptureReadiness]
      {
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
        func news(_ values: [AVCapturePhotoOutput.CaptureReadiness]) -> [AVCapturePhotoOutput
          .CaptureReadiness]
        {
          // The session's start may still be reported.
          Array(values.drop { $0 == .ready })
        }
        _ = values.wait(until: deadline, for: { news($0).count >= expected.count }, then: { _ in })
        return news(values.withLock { $0 })
      }
    }

    private func settings(
      _ prioritization: AVCapturePhotoOutput.QualityPrioritization = .balanced,
      flash: AVCaptureDevice.FlashMode = .off
    ) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings()
      settings.photoQualityPrioritization = prioritization
      settings.flashMode = flash
      return settings
    }

    // MARK: Switches

    @Test func `the switches go together, and cameras may change between them`() throws {
      let stage = SessionStage()
      let output = AVCapturePhotoOutput()
      #expect(!output.isResponsiveCaptureSupported && !output.isFastCapturePrioritizationSupported)
      #expect(ProgrammingMistake.collect { output.isResponsiveCaptureEnabled = true }.count == 1)
      let input = try AVCaptureDeviceInput(device: stage.camera())
      stage.session.sessionPreset = .photo
      stage.session.addInput(input)
      stage.session.addOutput(output)
      #expect(output.isResponsiveCaptureSupported && !output.isResponsiveCaptureEnabled)
      #expect(!output.isFastCapturePrioritizationSupported)
      #expect(ProgrammingMistake.collect { output.isFastCapturePrioritizationEnabled = true }.count == 1)
      output.isResponsiveCaptureEnabled = true
      output.isFastCapturePrioritizationEnabled = true
      stage.session.startRunning()

      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
      stage.session.commitConfiguration()
      #expect(output.isResponsiveCaptureEnabled && output.isFastCapturePrioritizationEnabled)

      output.isZeroShutterLagEnabled = false
      #expect(!output.isResponsiveCaptureSupported && !output.isResponsiveCaptureEnabled)
      #expect(!output.isFastCapturePrioritizationEnabled)
      stage.session.stopRunning()
    }

    // MARK: Readiness

    @Test func `readiness follows session, flash and processing, and observers see each step`() throws {
      let gates = StageGates()
      let stage = try ScriptedStage(load: gates.load)
      let output = stage.output
      output.maxPhotoQualityPrioritization = .quality
      #expect(output.captureReadiness == .ready)
      let observed = Observed(output)
      var expected: [Readiness] = []

      stage.press(settings(flash: .on))
      expected.append(.notReadyWaitingForCapture)
      #expect(output.captureReadiness == .notReadyWaitingForCapture)
      gates.close()
      stage.camera.expose()
      expected.append(.notReadyMomentarily)
      #expect(gates.wait(for: [.developing(try #require(stage.lastID))]))
      #expect(output.captureReadiness == .notReadyMomentarily)
      gates.openAll()
      #expect(stage.delegate.wait())
      expected.append(.ready)
      #expect(observed.wait(for: expected) == expected)

      gates.close()
      stage.press(settings(.quality))
      stage.camera.expose()
      expected += [.notReadyMomentarily, .notReadyWaitingForProcessing]
      #expect(observed.wait(for: expected) == expected)
      #expect(output.captureReadiness == .notReadyWaitingForProcessing)
      gates.openAll()
      #expect(stage.delegate.wait(for: 2))
      expected.append(.ready)
      #expect(observed.wait(for: expected) == expected)

      stage.session.stopRunning()
      expected.append(.sessionNotRunning)
      #expect(observed.wait(for: expected) == expected)
      #expect(output.captureReadiness == .sessionNotRunning)
      stage.session.startRunning()
      expected.append(.ready)
      #expect(observed.wait(for: expected) == expected)
    }

    @Test func `an interruption is a session that does not run`() throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 0.5), at: 0.2)])
      let output = AVCapturePhotoOutput()
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.addOutput(output)
      #expect(output.captureReadiness == .sessionNotRunning)
      stage.session.startRunning()
      #expect(output.captureReadiness == .ready)
      stage.pass(frames: 9)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(output.captureReadiness == .sessionNotRunning)
      stage.pass(frames: 16)
      #expect(stage.news.wait(for: "interruption ended"))
      #expect(output.captureReadiness == .ready)
      stage.session.stopRunning()
    }

    // MARK: Coordinator

    private final class ReadinessDelegate: NSObject, AVCapturePhotoOutputReadinessCoordinatorDelegate,
      Sendable
    {
      let values = Monitor<[AVCapturePhotoOutput.CaptureReadiness]>([])
      let isAlwaysMain = Locked(true)

      func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
        captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
      ) {
        if !MainQueue.isCurrent || coordinator.captureReadiness != captureReadiness {
          isAlwaysMain.withLock { $0 = false }
        }
        values.withLock { $0.append(captureReadiness) }
      }

      func wait(for count: Int) -> [AVCapturePhotoOutput.CaptureReadiness] {
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
        _ = values.wait(until: deadline, for: { $0.count >= count }, then: { _ in })
        return values.withLock { $0 }
      }
    }

    @Test func `a coordinator reports on the main queue what the output says, first what it says now`() throws
    {
      let stage = try ScriptedStage()
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: stage.output)
      let delegate = ReadinessDelegate()
      coordinator.delegate = delegate
      #expect(delegate.wait(for: 1) == [.ready])
      stage.press(settings(flash: .on))
      #expect(delegate.wait(for: 2) == [.ready, .notReadyWaitingForCapture])
      stage.session.stopRunning()
      #expect(delegate.wait(for: 3).last == .sessionNotRunning)
      #expect(delegate.isAlwaysMain.withLock { $0 })
    }

    @Test @MainActor func `on the main queue an announced press is reported before the call returns`() throws
    {
      let stage = try ScriptedStage()
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: stage.output)
      let delegate = ReadinessDelegate()
      coordinator.delegate = delegate
      let settings = settings()
      coordinator.startTrackingCaptureRequest(using: settings)
      #expect(delegate.values.withLock { $0 } == [.ready, .notReadyMomentarily])
      #expect(stage.output.captureReadiness == .ready)
      coordinator.stopTrackingCaptureRequest(using: settings.uniqueID)
      #expect(delegate.values.withLock { $0 } == [.ready, .notReadyMomentarily, .ready])
      #expect(coordinator.captureReadiness == .ready)
    }

    @Test func `a delegate that is set while a change is under way hears of it once`() throws {
      let stage = try ScriptedStage()
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: stage.output)
      let delegate = ReadinessDelegate()
      let release = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { release.wait() }
      stage.session.stopRunning()
      coordinator.delegate = delegate
      coordinator.startTrackingCaptureRequest(using: settings())
      let isOver = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { isOver.signal() }
      release.signal()
      isOver.wait()
      #expect(delegate.values.withLock { $0 } == [.notReadyMomentarily])
    }

    @Test func `an announcement ends when the output gets its settings or newer ones`() throws {
      let stage = try ScriptedStage()
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: stage.output)
      let delegate = ReadinessDelegate()
      coordinator.delegate = delegate
      #expect(delegate.wait(for: 1) == [.ready])
      let (older, newer) = (settings(), settings())
      coordinator.startTrackingCaptureRequest(using: older)
      coordinator.startTrackingCaptureRequest(using: newer)
      #expect(delegate.wait(for: 2) == [.ready, .notReadyMomentarily])
      stage.press(newer)
      stage.camera.expose()
      #expect(stage.delegate.wait())
      #expect(delegate.wait(for: 3) == [.ready, .notReadyMomentarily, .ready])
    }

    @Test func `a press may be announced before the session runs`() throws {
      let stage = try ScriptedStage()
      stage.session.stopRunning()
      let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: stage.output)
      #expect(coordinator.captureReadiness == .sessionNotRunning)
      let delegate = ReadinessDelegate()
      coordinator.delegate = delegate
      #expect(delegate.wait(for: 1) == [.sessionNotRunning])
      coordinator.startTrackingCaptureRequest(using: settings())
      #expect(delegate.wait(for: 2) == [.sessionNotRunning, .notReadyMomentarily])
      let broken = AVCapturePhotoSettings(format: ["nonsense": 1])
      #expect(
        ProgrammingMistake.collect { coordinator.startTrackingCaptureRequest(using: broken) }.count == 1)
    }

    // MARK: Prioritization

    @Test func `presses in a row are lowered only when that is switched on, and the photo says so`() throws {
      let stage = SessionStage()
      // Slower than presses that follow each other at once.
      let arePressed = Monitor(false)
      let output = AVCapturePhotoOutput(load: { stage, request in
        guard stage == .developing, request.prioritization == .quality else { return }
        #expect(arePressed.wait(for: true))
      })
      let delegate = RecordingPhotoDelegate()
      output.maxPhotoQualityPrioritization = .quality
      stage.session.sessionPreset = .photo
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.addOutput(output)
      output.isResponsiveCaptureEnabled = true
      stage.session.startRunning()
      stage.pass(frames: 2)

      func burst() -> [Bool] {
        let count = delegate.finishedCount.withLock { $0 }
        arePressed.withLock { $0 = false }
        for _ in 0..<4 { output.capturePhoto(with: settings(.quality), delegate: delegate) }
        arePressed.withLock { $0 = true }
        stage.pass(frames: 10)
        #expect(delegate.wait(for: count + 4))
        return delegate.photos.withLock { photos in
          photos.suffix(4).map(\.resolvedSettings.isFastCapturePrioritizationEnabled)
        }
      }
      #expect(burst() == [false, false, false, false])
      output.isFastCapturePrioritizationEnabled = true
      #expect(burst().suffix(3).allSatisfy { $0 })
      stage.session.stopRunning()
    }

    @Test func `the settings promise the time that photos took before`() throws {
      let stage = try ScriptedStage()
      var longest: Int64 = 0
      for count in 1...5 {
        stage.press(settings())
        stage.camera.expose()
        try #require(stage.delegate.wait(for: count))
        let photo = try #require(stage.delegate.photos.withLock { $0.last })
        let range = photo.resolvedSettings.photoProcessingTimeRange
        #expect(range.end.seconds > Double(longest) / 1e9)
        let work = try #require(photo.stages).work
        longest = max(longest, work.developing + work.encoding)
      }
    }
  }
}

import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("An actor as a camera")
  struct CameraServiceTests {
    /// Lets time pass until `isTrue`, at most half a minute of the wall clock; whether it is.
    private func pass(on stage: SessionStage, until isTrue: () async -> Bool) async -> Bool {
      let limit = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      while MonotonicInstant.now < limit {
        if await isTrue() { return true }
        stage.pass(frames: 1)
        await Task.yield()
      }
      return await isTrue()
    }

    @Test func `it sets up, is called back on its own queue, and stops`() async throws {
      let stage = SessionStage()
      let service = CameraService()
      try await service.start()
      #expect(await service.isRunning)
      #expect(await service.cameraName == "Back")
      stage.pass(frames: 3)
      #expect(await service.frames == 3)
      await service.stop()
      #expect(await !service.isRunning)
    }

    @Test func `without permission it does not start`() async throws {
      _ = SessionStage(access: .denied)
      let service = CameraService()
      await #expect(throws: CameraService.Failure.denied) { try await service.start() }
    }

    @Test func `it hears interruptions as an asynchronous sequence`() async throws {
      let stage = SessionStage(faults: [SceneFault(.privacy(seconds: 60), at: 10, device: "stage.back")])
      let service = CameraService()
      try await service.start()
      stage.clock.advance(by: .seconds(10.5))
      #expect(await pass(on: stage) { await service.isInterrupted })
      #expect(await service.interruptions == [.videoDeviceNotAvailableInBackground])
      stage.clock.advance(by: .seconds(60))
      #expect(await pass(on: stage) { await !service.isInterrupted })
      #expect(await service.isRunning)
      await service.stop()
    }

    @Test func `it switches cameras while it runs`() async throws {
      let stage = SessionStage()
      let service = CameraService()
      try await service.start()
      try await service.switchCamera()
      #expect(await service.cameraName == "Front")
      #expect(await service.isRunning)
      let before = await service.frames
      #expect(await pass(on: stage) { await service.frames > before })
      try await service.switchCamera()
      #expect(await service.cameraName == "Back")
      await service.stop()
    }

    @Test func `it takes a photo and follows how ready the output is`() async throws {
      let stage = SessionStage()
      let service = CameraService()
      try await service.start()
      #expect(await pass(on: stage) { await service.readiness == .ready })
      let result = Locked<Result<AVCapturePhoto, any Error>?>(nil)
      let press = Task {
        do {
          let photo = try await service.takePhoto()
          result.withLock { $0 = .success(photo) }
        } catch {
          result.withLock { $0 = .failure(error) }
        }
      }
      #expect(await pass(on: stage) { result.withLock { $0 != nil } })
      await press.value
      let photo = try #require(try result.withLock { $0 }?.get())
      #expect(photo.fileDataRepresentation()?.starts(with: [0xFF, 0xD8]) == true)
      #expect(await pass(on: stage) { await service.readiness == .ready })
      let changes = await service.readinessChanges
      #expect(changes.contains { $0 != .ready && $0 != .sessionNotRunning }, "the press was seen")
      await service.stop()
      #expect(await pass(on: stage) { await service.readiness == .sessionNotRunning })
    }

    @Test func `a test can await it while its clock goes on, and the same frames pass each time`()
      async throws
    {
      var passed: [[Int]] = []
      for _ in 0..<3 {
        let stage = SessionStage()
        let service = CameraService()
        let frames = try await stage.clock.advancing {
          try await service.start()
          var frames: [Int] = []
          for _ in 0..<3 {
            _ = try await service.takePhoto()
            frames.append(await service.frames)
          }
          return frames
        }
        await service.stop()
        passed.append(frames)
      }
      #expect(passed[0] == passed[1] && passed[1] == passed[2], "\(passed)")
      #expect(passed[0].last ?? 0 > 0)
    }

    @Test func `it turns its photos as the machine is turned`() async throws {
      let stage = SessionStage()
      let service = CameraService()
      try await service.start()
      #expect(await service.captureAngle == 90)
      stage.provider.machine.hold(turnedBy: 90)
      #expect(await pass(on: stage) { await service.captureAngle == 180 })
      await service.stop()
    }
  }
}

#if canImport(SimulatedDevices)
  import AVFoundation
  import SimulatedDevices
  import Testing

  @testable import CaptureKit

  // One program has one set of devices, so tests that install some run one after another.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct CaptureTests {}

  extension CaptureTests {
    @Suite struct CaptureServiceTests {
      let clock = SimulatedClock()

      private func install(_ scene: Scene = .builtIn) {
        SimulatedDevices.install(scene: scene, clock: clock)
      }

      private func temporary(_ name: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
      }

      @Test func `a photo is awaited, and is a file that opens`() async throws {
        install()
        let service = CaptureService()
        let file = try await clock.advancing {
          try await service.start()
          return try await service.capturePhoto()
        }
        let source = try #require(CGImageSourceCreateWithData(file as CFData, nil))
        #expect(CGImageSourceGetCount(source) == 1)
        await service.stop()
      }

      @Test func `a movie is as long as it was recorded`() async throws {
        install()
        let service = CaptureService()
        let url = temporary("movie.mov")
        defer { try? FileManager.default.removeItem(at: url) }
        try await clock.advancing {
          try await service.start()
          try await service.startRecording(to: url)
        }
        clock.advance(by: .seconds(2))
        let movie = try await clock.advancing { try await service.stopRecording() }
        let seconds = try await AVURLAsset(url: movie).load(.duration).seconds
        #expect(abs(seconds - 2) < 0.2)
        await service.stop()
      }

      @Test func `what cannot be is an error, and the service goes on`() async throws {
        install()
        let service = CaptureService()
        await #expect(throws: CaptureService.Failure.notRunning) { try await service.capturePhoto() }
        await #expect(throws: CaptureService.Failure.notRecording) { try await service.stopRecording() }
        try await clock.advancing { try await service.start() }
        let nowhere = URL(fileURLWithPath: "/nowhere/movie.mov")
        await #expect(throws: (any Error).self) {
          try await clock.advancing { try await service.startRecording(to: nowhere) }
        }
        let file = try await clock.advancing { try await service.capturePhoto() }
        #expect(!file.isEmpty)
        await service.stop()
      }

      @Test func `without a camera it says so`() async {
        install(Scene(devices: []))
        let service = CaptureService()
        await #expect(throws: CaptureService.Failure.noCamera) { try await service.start() }
      }

      @Test func `its state follows the camera: zoom, the next camera, and a closed shutter`() async throws {
        var scene = Scene.builtIn
        scene.faults = [SceneFault(.privacy(seconds: 2), at: 1)]
        install(scene)
        let service = CaptureService()
        try await clock.advancing { try await service.start() }
        try await service.zoom(to: 3)
        let zoomed = await service.states.first { $0.zoomFactor == 3 }
        #expect(zoomed?.isRunning == true)
        clock.advance(by: .seconds(1.5))
        let covered = await service.states.first { $0.interruption != nil }
        #expect(covered?.interruption == "videoDeviceNotAvailableInBackground")
        clock.advance(by: .seconds(2))
        _ = await service.states.first { $0.interruption == nil }
        try await service.selectNextCamera()
        let other = await service.states.first { $0.cameraName != covered?.cameraName }
        #expect(other?.cameraName.isEmpty == false)
        await service.stop()
      }
    }
  }

  extension CaptureTests {
    @Suite struct CameraModelTests {
      @Test @MainActor func `a screen shows what the service does`() async throws {
        let clock = SimulatedClock()
        SimulatedDevices.install(scene: .builtIn, clock: clock)
        let model = CameraModel()
        await clock.advancing {
          await model.start()
          await model.takePhoto()
        }
        #expect(model.message == nil && model.photo != nil && model.state.isRunning)
        await clock.advancing { await model.toggleRecording() }
        while !model.state.isRecording { await Task.yield() }
        await clock.advancing { await model.toggleRecording() }
        let movie = try #require(model.movie)
        defer { try? FileManager.default.removeItem(at: movie) }
        #expect(try await AVURLAsset(url: movie).load(.isPlayable))
        await model.stop()
        #expect(!model.state.isRunning)
        await model.takePhoto()
        #expect(model.message == "notRunning")
      }
    }
  }
#endif

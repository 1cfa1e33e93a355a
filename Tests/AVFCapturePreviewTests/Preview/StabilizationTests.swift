import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Stabilization")
  struct StabilizationTests {
    /// A camera that steadies in its larger format only.
    private static let camera: SimulatedDeviceModel = {
      var model = SimulatedDeviceModel.camera(
        uniqueID: "stage.steady", sizes: [SessionStage.small, FrameSize(width: 96, height: 72)])
      for index in model.facts.formats.indices {
        let isLarge = model.facts.formats[index].size.width == 96
        model.facts.formats[index].stabilizationModes = isLarge ? [.standard, .cinematic] : []
      }
      return model
    }()

    @Test func `the older names of stabilization prefer the device's own choice, and tell what is in use`()
      throws
    {
      let stage = SessionStage(devices: [Self.camera])
      _ = try stage.addCamera(Self.camera)
      let connection = try #require(stage.session.outputs[0].connection(with: .video))
      #expect(!connection.enablesVideoStabilizationWhenAvailable && !connection.isVideoStabilizationEnabled)
      stage.session.startRunning()
      connection.enablesVideoStabilizationWhenAvailable = true
      #expect(connection.preferredVideoStabilizationMode == .auto)
      #expect(connection.isVideoStabilizationEnabled)
      connection.enablesVideoStabilizationWhenAvailable = false
      #expect(connection.preferredVideoStabilizationMode == .off && !connection.isVideoStabilizationEnabled)
      let formats = try #require(connection.inputPorts.first?.input as? AVCaptureDeviceInput).device.formats
      for format in formats {
        let width = CMVideoFormatDescriptionGetDimensions(format.formatDescription).width
        #expect(format.isVideoStabilizationSupported == (width == 96))
      }
    }

    @Test func `a preference is planned, streamed and reported`() throws {
      let stage = SessionStage(devices: [Self.camera])
      let (_, counter) = try stage.addCamera(Self.camera)
      let connection = try #require(stage.session.outputs[0].connection(with: .video))
      #expect(connection.isVideoStabilizationSupported)
      #expect(connection.preferredVideoStabilizationMode == .off)
      #expect(connection.activeVideoStabilizationMode == .off)
      let reported = Locked<[AVCaptureVideoStabilizationMode]>([])
      let observation = connection.observe(\.activeVideoStabilizationMode, options: .new) { _, change in
        reported.withLock { $0.append(change.newValue ?? .off) }
      }
      stage.session.startRunning()
      connection.preferredVideoStabilizationMode = .cinematic
      #expect(connection.activeVideoStabilizationMode == .cinematic)
      let before = counter.frames
      stage.pass(frames: 8)
      #expect(counter.frames > before, "frames go on")
      #expect(connection.stillSource?.plan.stream.stabilization == .cinematic)
      connection.preferredVideoStabilizationMode = .auto
      #expect(connection.preferredVideoStabilizationMode == .auto)
      #expect(connection.activeVideoStabilizationMode == .standard)
      connection.preferredVideoStabilizationMode = .lowLatency
      #expect(connection.activeVideoStabilizationMode == .off, "the format lacks it")
      connection.preferredVideoStabilizationMode = .cinematic
      connection.isEnabled = false
      #expect(connection.activeVideoStabilizationMode == .off)
      #expect(reported.withLock { $0 } == [.cinematic, .standard, .off, .cinematic, .off])
      observation.invalidate()
    }

    @Test(arguments: [
      (AVCaptureVideoStabilizationMode.off, 0), (.standard, 0), (.cinematic, 5), (.cinematicExtended, 15),
      (.cinematicExtendedEnhanced, 24),
    ])
    func `cinematic frames come late by what the mode looks ahead, with their own times`(
      mode: AVCaptureVideoStabilizationMode, frames: Int
    ) throws {
      let camera = SimulatedDeviceModel.camera(uniqueID: "stage.cinema", sizes: [SessionStage.small])
      let stage = SessionStage(devices: [camera])
      let (_, counter) = try stage.addCamera(camera)
      try #require(stage.session.outputs[0].connection(with: .video)).preferredVideoStabilizationMode = mode
      let start = CMClockGetTime(try #require(stage.session.synchronizationClock))
      stage.session.startRunning()
      stage.pass(frames: 30)
      #expect(counter.frames == 30 - frames)
      #expect(counter.times.first == start)
      #expect(counter.times.last.map { ($0 - start).seconds * 30 }.map { Int($0.rounded()) } == 29 - frames)
    }

    @Test func `formats say what they can`() throws {
      let stage = SessionStage(devices: [Self.camera])
      let formats = try stage.camera(Self.camera).formats
      let small = try #require(formats.first { $0.formatDescription.dimensions.width == 64 })
      let large = try #require(formats.first { $0.formatDescription.dimensions.width == 96 })
      #expect(large.isVideoStabilizationModeSupported(.cinematic))
      #expect(!large.isVideoStabilizationModeSupported(.previewOptimized))
      #expect(!small.isVideoStabilizationModeSupported(.standard))
      for format in [small, large] {
        #expect(format.isVideoStabilizationModeSupported(.off))
        #expect(format.isVideoStabilizationModeSupported(.auto))
      }
      let phone = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let own = try #require(AVCaptureDevice.default(for: .video)).formats
      #expect(own.contains { $0.isVideoStabilizationModeSupported(.previewOptimized) })
      withExtendedLifetime(phone) {}
    }

    @Test func `a camera that cannot refuses`() throws {
      var plain = SimulatedDeviceModel.camera(uniqueID: "stage.plain", sizes: [SessionStage.small])
      for index in plain.facts.formats.indices { plain.facts.formats[index].stabilizationModes = [] }
      let stage = SessionStage(devices: [plain])
      try stage.addCamera(plain)
      let connection = try #require(stage.session.outputs[0].connection(with: .video))
      #expect(!connection.isVideoStabilizationSupported)
      connection.preferredVideoStabilizationMode = .off
      let rules = ProgrammingMistake.collect { connection.preferredVideoStabilizationMode = .standard }
      #expect(rules.count == 1)
      #expect(connection.preferredVideoStabilizationMode == .off)
    }

    @Test(
      arguments: [
        (AVCaptureVideoStabilizationMode.off, 0), (.standard, 1), (.cinematic, 2), (.cinematicExtended, 3),
        (.previewOptimized, 4), (.cinematicExtendedEnhanced, 5), (.lowLatency, 6), (.auto, -1),
      ])
    func `raw values are Apple's`(mode: AVCaptureVideoStabilizationMode, value: Int) {
      #expect(mode.rawValue == value)
    }
  }
}

import AVFoundation
import CaptureDevice
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureSession: configuration")
  struct SessionConfigurationTests {
    @Test
    func `adding makes the connections, removing takes them away`() throws {
      let stage = SessionStage()
      let input = try AVCaptureDeviceInput(device: stage.camera())
      let video = AVCaptureVideoDataOutput()
      let photo = AVCapturePhotoOutput()
      stage.session.addOutput(video)
      #expect(stage.session.connections.isEmpty)
      stage.session.addInput(input)
      stage.session.addOutput(photo)
      #expect(stage.session.connections.count == 2)
      #expect(video.connection(with: .video)?.inputPorts.first === input.ports.first)
      #expect(photo.connection(with: .video)?.isActive == true)
      #expect(video.connection(with: .audio) == nil)
      let connection = try #require(video.connection(with: .video))
      stage.session.removeInput(input)
      #expect(stage.session.connections.isEmpty && video.connections.isEmpty)
      #expect(!connection.isActive)
      #expect(stage.session.inputs.isEmpty && stage.session.outputs.count == 2)
    }

    @Test
    func `connections can be left to the client`() throws {
      let stage = SessionStage()
      let input = try AVCaptureDeviceInput(device: stage.camera())
      let video = AVCaptureVideoDataOutput()
      stage.session.addInputWithNoConnections(input)
      stage.session.addOutputWithNoConnections(video)
      #expect(stage.session.connections.isEmpty)
      let ports = input.ports(
        for: .video, sourceDeviceType: .builtInWideAngleCamera, sourceDevicePosition: .back)
      let connection = AVCaptureConnection(inputPorts: ports, output: video)
      #expect(stage.session.canAddConnection(connection))
      stage.session.addConnection(connection)
      #expect(!stage.session.canAddConnection(connection))
      #expect(!stage.session.canAddConnection(AVCaptureConnection(inputPorts: ports, output: video)))
      #expect(video.connections.count == 1)
      stage.session.removeConnection(connection)
      #expect(video.connections.isEmpty)
    }

    @Test
    func `what cannot be added is refused, and adding it is a mistake without effect`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let second = try AVCaptureDeviceInput(device: stage.camera(SessionStage.front))
      let output = try #require(stage.session.outputs.first)
      #expect(!stage.session.canAddInput(input))
      #expect(!stage.session.canAddInput(second), "a session takes one camera")
      #expect(!stage.session.canAddOutput(output))
      #expect(!AVCaptureSession().canAddOutput(output), "it is in another session")
      let mistakes = ProgrammingMistake.collect {
        stage.session.addInput(input)
        stage.session.addInput(second)
        stage.session.addOutput(output)
        stage.session.sessionPreset = .hd4K3840x2160
      }
      #expect(mistakes.count == 4)
      #expect(stage.session.inputs.count == 1 && stage.session.outputs.count == 1)
      #expect(stage.session.sessionPreset == .high)
    }

    /// Apple: at most one output of each type may be added; since iOS 16 this is not so for video data outputs.
    ///
    /// With several cameras each may have outputs of its own.
    @Test(
      arguments: [
        { AVCapturePhotoOutput() }, { AVCaptureMetadataOutput() }, { AVCaptureAudioDataOutput() },
        { AVCaptureDepthDataOutput() }, { AVCaptureVideoDataOutput() },
      ] as [@Sendable () -> AVCaptureOutput])
    func `a session takes one output of each type, and several for video data`(
      make: @Sendable () -> AVCaptureOutput
    ) throws {
      let stage = SessionStage()
      let (first, second) = (make(), make())
      let takesSeveral = first is AVCaptureVideoDataOutput
      stage.session.addOutput(first)
      #expect(stage.session.canAddOutput(second) == takesSeveral)
      let mistakes = ProgrammingMistake.collect { stage.session.addOutput(second) }
      #expect(mistakes.count == (takesSeveral ? 0 : 1))
      stage.session.removeOutput(first)
      #expect(stage.session.canAddOutput(make()))
      let several = AVCaptureMultiCamSession()
      several.addOutput(make())
      #expect(several.canAddOutput(make()))
    }

    @Test
    func `nested begins commit with the last one`() throws {
      let stage = SessionStage()
      stage.session.startRunning()
      stage.session.beginConfiguration()
      stage.session.beginConfiguration()
      let (_, counter) = try stage.addCamera()
      stage.session.commitConfiguration()
      stage.pass(frames: 3)
      #expect(counter.frames == 0)
      #expect(stage.session.inputs.count == 1, "calls see what they did")
      stage.session.commitConfiguration()
      stage.pass(frames: 3)
      #expect(counter.frames > 0)
      stage.session.stopRunning()
    }

    @Test
    func `swapping the camera keeps the output and the session running`() throws {
      let stage = SessionStage()
      let (input, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 3)
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(SessionStage.front)))
      stage.session.commitConfiguration()
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      #expect(counter.sizes == ["96×72", "80×60"])
      #expect(stage.news.all == ["isRunning true", "started"], "no stop is posted")
      stage.session.stopRunning()
    }

    @Test
    func `what does not differ goes on without a gap`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 4)
      let photo = AVCapturePhotoOutput()
      stage.session.addOutput(photo)
      stage.pass(frames: 4)
      stage.session.removeOutput(photo)
      let camera = try stage.camera()
      try camera.lockForConfiguration()
      camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
      camera.unlockForConfiguration()
      stage.pass(frames: 4)
      stage.session.stopRunning()
      let gaps = zip(counter.times, counter.times.dropFirst()).map { ($1 - $0).seconds }
      #expect(gaps.allSatisfy { $0 < 1.2 / 30 }, "a restart would cost a frame: \(gaps)")
      #expect(gaps.last.map { $0 < 1.2 / 60 } == true, "and the rate has changed")
    }

    @Test
    func `setting the active format makes the preset input priority`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let camera = try stage.camera()
      #expect(camera.activeFormat.formatDescription.dimensions.width == 96)
      stage.session.startRunning()
      let smaller = try #require(camera.formats.first)
      try camera.lockForConfiguration()
      camera.activeFormat = smaller
      camera.unlockForConfiguration()
      #expect(stage.session.sessionPreset == .inputPriority)
      #expect(camera.activeFormat === smaller)
      stage.pass(frames: 3)
      #expect(counter.sizes == ["64×48"])
      stage.session.sessionPreset = .high
      #expect(camera.activeFormat.formatDescription.dimensions.width == 96)
      stage.session.stopRunning()
    }

    @Test
    func `a switched-off connection delivers nothing and closes the camera`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      let connection = try #require(stage.session.connections.first)
      connection.isEnabled = false
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames == before)
      connection.isEnabled = true
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
    }

    @Test
    func `connections have Apple's defaults, and both spellings set the same turn`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let photo = AVCapturePhotoOutput()
      stage.session.addOutput(photo)
      let toVideo = try #require(stage.session.outputs[0].connection(with: .video))
      let toPhoto = try #require(photo.connection(with: .video))
      #expect(toVideo.videoRotationAngle == 0 && toVideo.videoOrientation == .landscapeRight)
      #expect(toPhoto.videoRotationAngle == 90 && toPhoto.videoOrientation == .portrait)
      #expect(!toVideo.isVideoMirrored && !toVideo.automaticallyAdjustsVideoMirroring)
      toVideo.videoOrientation = .portrait
      #expect(toVideo.videoRotationAngle == 90)
      let mistakes = ProgrammingMistake.collect {
        toVideo.videoRotationAngle = 45
        toVideo.automaticallyAdjustsVideoMirroring = true
        toVideo.isVideoMirrored = true
      }
      #expect(mistakes.count == 2)
      #expect(toVideo.videoRotationAngle == 90 && !toVideo.isVideoMirrored)
      stage.session.startRunning()
      stage.pass(frames: 2)
      #expect(counter.sizes == ["72×96"])
      stage.session.stopRunning()
    }
  }
}

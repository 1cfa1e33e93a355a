import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("What a device says of itself")
  struct DeviceDescriptionTests {
    @Test
    func `a camera has the names that its driver gives it`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      #expect(camera.localizedName == "Back" && camera.uniqueID == "stage.back")
      #expect(camera.manufacturer == "Obscura" && camera.modelID == "Simulated Test Camera")
      #expect(camera.nominalFocalLengthIn35mmFilm == 26)
    }

    @Test
    func `the older lists have every device, and those of one medium`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      #expect(AVCaptureDevice.devices().count == SimulatedDeviceModel.builtIn.count)
      let microphones = AVCaptureDevice.devices(for: .audio)
      #expect(microphones.count == 1)
      #expect(
        AVCaptureDevice.default(.builtInMicrophone, for: .audio, position: .unspecified) === microphones.first
      )
      #expect(AVCaptureDevice.devices(for: .video).count == SimulatedDeviceModel.builtIn.count - 1)
      withExtendedLifetime(stage) {}
    }

    @Test
    func `a camera that was plugged in is external`() throws {
      let stage = SessionStage(devices: [.webcam])
      let camera = try #require(AVCaptureDevice.default(for: .video))
      #expect(camera.deviceType == .external && camera.position == .unspecified)
      for type in [AVCaptureDevice.DeviceType.external, .externalUnknown] {
        #expect(AVCaptureDevice.default(type, for: .video, position: .unspecified) === camera)
      }
      withExtendedLifetime(stage) {}
    }

    @Test
    func `the user's choice of a camera is kept, and preferred while it is plugged in`() throws {
      let stage = SessionStage()
      let former = AVCaptureDevice.userPreferredCamera
      defer { AVCaptureDevice.userPreferredCamera = former }
      AVCaptureDevice.userPreferredCamera = nil
      #expect(try AVCaptureDevice.systemPreferredCamera === stage.camera())
      AVCaptureDevice.userPreferredCamera = try stage.camera(SessionStage.front)
      #expect(try AVCaptureDevice.userPreferredCamera === stage.camera(SessionStage.front))
      #expect(try AVCaptureDevice.systemPreferredCamera === stage.camera(SessionStage.front))
      try stage.simulated(SessionStage.front).unplug()
      #expect(AVCaptureDevice.userPreferredCamera == nil)
      #expect(try AVCaptureDevice.systemPreferredCamera === stage.camera())
    }

    @Test
    func `access is asked for once, and the answer stays`() async throws {
      let stage = SessionStage(access: SimulatedAccess(.undetermined, answer: .granted))
      #expect(AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined)
      let answer = await withCheckedContinuation { continuation in
        AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
      }
      #expect(answer && AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
      withExtendedLifetime(stage) {}
    }

    @Test
    func `a format offers the colours that its camera has, and one of them is active`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let camera = try #require(AVCaptureDevice.default(for: .video))
      #expect(camera.activeFormat.supportedColorSpaces == [.sRGB, .P3_D65])
      #expect(camera.activeColorSpace == .sRGB)
      try camera.lockForConfiguration()
      camera.activeColorSpace = .P3_D65
      #expect(camera.activeColorSpace == .P3_D65)
      camera.activeColorSpace = .sRGB
      camera.unlockForConfiguration()
      #expect(stage.session.automaticallyConfiguresCaptureDeviceForWideColor)
      stage.session.automaticallyConfiguresCaptureDeviceForWideColor = false
      #expect(!stage.session.automaticallyConfiguresCaptureDeviceForWideColor)
    }

    @Test
    func `a format describes how its pictures are read from the sensor`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      let photo = try #require(camera.formats.last)
      let video = try #require(camera.formats.first)
      #expect(photo.isHighPhotoQualitySupported && !video.isHighPhotoQualitySupported)
      #expect(photo.highResolutionStillImageDimensions.width == 96)
      #expect(!photo.isVideoBinned)
      #expect(photo.autoFocusSystem == .contrastDetection || photo.autoFocusSystem == .phaseDetection)
      let range = try #require(photo.videoSupportedFrameRateRanges.first)
      #expect(range.maxFrameDuration == CMTime(value: 1, timescale: 1))
      let phone = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let formats = try #require(AVCaptureDevice.default(for: .video)).formats
      for format in formats {
        let isFast = format.videoSupportedFrameRateRanges.contains { $0.maxFrameRate > 60 }
        #expect(format.isVideoBinned == isFast)
      }
      #expect(formats.contains { $0.isVideoBinned })
      withExtendedLifetime(phone) {}
    }

    @Test
    func `the preset for video in independent frames is a size like the others`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let camera = try #require(AVCaptureDevice.default(for: .video))
      stage.session.addInput(try AVCaptureDeviceInput(device: camera))
      #expect(stage.session.canSetSessionPreset(.iFrame1280x720))
      stage.session.sessionPreset = .iFrame1280x720
      let size = CMVideoFormatDescriptionGetDimensions(camera.activeFormat.formatDescription)
      #expect(size.width == 1280 && size.height == 720)
      let small = SimulatedDeviceModel.camera(
        uniqueID: "small", name: "Small",
        sizes: [FrameSize(width: 640, height: 480), FrameSize(width: 960, height: 540)])
      let other = SessionStage(devices: [small])
      try other.addCamera(small)
      #expect(other.session.canSetSessionPreset(.iFrame960x540))
      other.session.sessionPreset = .iFrame960x540
      let chosen = try CMVideoFormatDescriptionGetDimensions(
        other.camera(small).activeFormat.formatDescription)
      #expect(chosen.width == 960 && chosen.height == 540)
    }

    @Test
    func `a port says which device its media comes from, and on which clock`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      let port = try #require(input.ports.first { $0.mediaType == .video })
      #expect(port.input === input && port.sourceDevicePosition == .back)
      #expect(port.sourceDeviceType == .builtInWideAngleCamera)
      let clock = try #require(port.clock)
      #expect(stage.session.masterClock === stage.session.synchronizationClock)
      #expect(CMClockGetTime(clock).isNumeric)
    }

    @Test
    func `settings for movies do not depend on where the movie goes`() throws {
      let stage = SessionStage()
      let output = AVCaptureVideoDataOutput()
      try stage.addCamera(to: output)
      let plain = try #require(
        output.recommendedVideoSettings(forVideoCodecType: .hevc, assetWriterOutputFileType: .mov))
      let placed = try #require(
        output.recommendedVideoSettings(
          forVideoCodecType: .hevc, assetWriterOutputFileType: .mov,
          outputFileURL: URL(fileURLWithPath: "/tmp/movie.mov")))
      #expect(placed.keys.sorted() == plain.keys.sorted())
    }

    @Test
    func `a rotation coordinator belongs to one device`() throws {
      let stage = SessionStage()
      let camera = try stage.camera()
      #expect(AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil).device === camera)
    }

    @Test
    func `a session starts and stops by both spellings of its notifications`() throws {
      #expect(
        Notification.Name.AVCaptureSessionDidStartRunning == AVCaptureSession.didStartRunningNotification)
      #expect(Notification.Name.AVCaptureSessionDidStopRunning == AVCaptureSession.didStopRunningNotification)
      #expect(
        Notification.Name.AVCaptureSessionInterruptionEnded == AVCaptureSession.interruptionEndedNotification)
      #expect(
        AVCaptureSession.didStopRunningNotification.rawValue == "AVCaptureSessionDidStopRunningNotification")
    }
  }
}

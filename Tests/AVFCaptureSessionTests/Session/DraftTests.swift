import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing

/// A phone whose camera measures depth, on a manual clock, with a session in which nothing is yet.
private struct DraftStage {
  let clock = SimulatedClock()
  let provider: SimulatedDeviceProvider
  let asked: DraftAnswers.Asked
  let input: AVCaptureDeviceInput

  init(_ id: String = "simulated.front.truedepth") throws {
    provider = SimulatedDevices.install(
      scene: Scene(isStamped: false, isNoisy: false, devices: SimulatedDeviceModel.builtIn), clock: clock)
    let device = try #require(
      AVCaptureDevice(uniqueID: id)
        ?? AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front))
    asked = DraftAnswers.Asked(
      session: AVCaptureSession(), device: device, photos: AVCapturePhotoOutput(),
      video: AVCaptureVideoDataOutput(), depth: AVCaptureDepthDataOutput(),
      metadata: AVCaptureMetadataOutput(), movie: AVCaptureMovieFileOutput())
    input = try AVCaptureDeviceInput(device: device)
  }

  var session: AVCaptureSession { asked.session }
  var device: AVCaptureDevice { asked.device }

  func configure(_ change: (AVCaptureDevice) -> Void) throws {
    try device.lockForConfiguration()
    change(device)
    device.unlockForConfiguration()
  }
}

/// An edit between begin and commit.
enum DraftEdit: String, CaseIterable, Sendable {
  case photoPreset, lowPreset, movieAway, photosAdded, depthAdded, activeFormat, stabilization, switchedOff,
    camera, zoom, frameDuration, colors

  fileprivate func make(_ stage: DraftStage) throws {
    let (session, asked) = (stage.session, stage.asked)
    switch self {
    case .photoPreset: session.sessionPreset = .photo
    case .lowPreset: session.sessionPreset = .vga640x480
    case .movieAway: session.removeOutput(asked.movie)
    case .photosAdded: session.addOutput(asked.photos)
    case .depthAdded:
      session.sessionPreset = .photo
      session.addOutput(asked.depth)
    case .activeFormat: try stage.configure { $0.activeFormat = $0.formats[0] }
    case .stabilization:
      asked.video.connection(with: .video)?.preferredVideoStabilizationMode = .standard
    case .switchedOff: asked.video.connection(with: .video)?.isEnabled = false
    case .camera:
      session.removeInput(stage.input)
      session.addInput(stage.input)
    case .zoom:
      session.sessionPreset = .photo
      try stage.configure { $0.videoZoomFactor = 2 }
    case .frameDuration:
      session.sessionPreset = .vga640x480
      try stage.configure { $0.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15) }
    case .colors:
      session.automaticallyConfiguresCaptureDeviceForWideColor = false
      try stage.configure { $0.activeColorSpace = .sRGB }
    }
  }
}

extension DeviceSuites {
  @Suite struct `Between begin and commit` {
    @Test(arguments: DraftEdit.allCases, [false, true])
    func `everything answers as it will after the commit`(edit: DraftEdit, isRunning: Bool) throws {
      let stage = try DraftStage()
      stage.session.addInput(stage.input)
      stage.session.addOutput(stage.asked.video)
      stage.session.addOutput(stage.asked.movie)
      stage.session.addOutput(stage.asked.metadata)
      if isRunning { stage.session.startRunning() }
      stage.session.beginConfiguration()
      try edit.make(stage)
      let inside = DraftAnswers(of: stage.asked)
      stage.session.commitConfiguration()
      #expect(inside.differences(from: DraftAnswers(of: stage.asked)) == [])
      #expect(stage.session.isRunning == isRunning)
      if isRunning {
        stage.clock.advance(by: .milliseconds(200))
        #expect(inside.differences(from: DraftAnswers(of: stage.asked)) == [])
      }
      stage.session.stopRunning()
    }

    @Test
    func `a session that is set up at once answers for each step`() throws {
      let stage = try DraftStage()
      let (session, asked) = (stage.session, stage.asked)
      session.beginConfiguration()
      session.sessionPreset = .photo
      #expect(asked.photos.connections.isEmpty && !asked.photos.isAutoDeferredPhotoDeliverySupported)
      session.addInput(stage.input)
      #expect(asked.device.activeFormat.isHighestPhotoQualitySupported)
      session.addOutput(asked.photos)
      #expect(asked.photos.connection(with: .video)?.isActive == true)
      #expect(asked.photos.isAutoDeferredPhotoDeliverySupported && asked.photos.isZeroShutterLagSupported)
      session.addOutput(asked.depth)
      let formats = asked.device.activeFormat.supportedDepthDataFormats
      let last = try #require(formats.last { subType($0) == kCVPixelFormatType_DepthFloat16 })
      try stage.configure { $0.activeDepthDataFormat = last }
      let inside = DraftAnswers(of: asked)
      session.commitConfiguration()
      #expect(inside.differences(from: DraftAnswers(of: asked)) == [])
      #expect(asked.device.activeDepthDataFormat === last)
      #expect(asked.device.activeFormat.supportedDepthDataFormats.contains { $0 === last })
    }

    private func subType(_ format: AVCaptureDevice.Format) -> FourCharCode {
      CMFormatDescriptionGetMediaSubType(format.formatDescription)
    }

    @Test
    func `the lines of the talk and of the sample turn deferral on, and a proxy comes`() throws {
      let stage = SessionStage()
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let photos = AVCapturePhotoOutput()
      let store = DeferredPhotoStore(folder: folder.path)
      photos.deferredPhotos.withLock { $0 = store }
      let session = stage.session
      session.beginConfiguration()
      session.sessionPreset = .photo
      session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      session.addOutput(photos)
      photos.maxPhotoDimensions = try #require(stage.camera().activeFormat.supportedMaxPhotoDimensions.last)
      photos.maxPhotoQualityPrioritization = .quality
      photos.isResponsiveCaptureEnabled = photos.isResponsiveCaptureSupported
      photos.isFastCapturePrioritizationEnabled = photos.isFastCapturePrioritizationSupported
      photos.isAutoDeferredPhotoDeliveryEnabled = photos.isAutoDeferredPhotoDeliverySupported
      session.commitConfiguration()
      #expect(photos.isAutoDeferredPhotoDeliveryEnabled)
      session.startRunning()
      defer { session.stopRunning() }
      #expect(photos.isAutoDeferredPhotoDeliveryEnabled && photos.isResponsiveCaptureEnabled)
      stage.pass(frames: 3)
      let delegate = ProxyDelegate()
      photos.capturePhoto(with: DeferredStage.settings(), delegate: delegate)
      stage.pass(frames: 3)
      #expect(delegate.wait(for: 1))
      #expect(delegate.proxies.withLock { $0.count } == 1)
    }

    @Test(arguments: [false, true])
    func `what a client sets after a preset outlives the commit`(isRunning: Bool) throws {
      let stage = try DraftStage()
      stage.session.addInput(stage.input)
      stage.session.addOutput(stage.asked.video)
      if isRunning { stage.session.startRunning() }
      defer { stage.session.stopRunning() }
      let duration = CMTime(value: 1, timescale: 15)
      stage.session.beginConfiguration()
      stage.session.sessionPreset = .vga640x480
      try stage.configure { device in
        device.activeVideoMinFrameDuration = duration
        device.activeVideoMaxFrameDuration = duration
        device.videoZoomFactor = 1.5
        device.activeMaxExposureDuration = CMTime(value: 1, timescale: 100)
      }
      stage.session.commitConfiguration()
      #expect(stage.device.activeVideoMinFrameDuration == duration)
      #expect(stage.device.activeVideoMaxFrameDuration == duration)
      #expect(stage.device.videoZoomFactor == 1.5)
      #expect(abs(stage.device.activeMaxExposureDuration.seconds - 0.01) < 1e-6)
    }

    @Test
    func `observers hear what is read, when it is read`() throws {
      let stage = try DraftStage()
      stage.session.addInput(stage.input)
      stage.session.addOutput(stage.asked.video)
      let formats = ObservedValues(stage.device, \.activeFormat)
      stage.session.beginConfiguration()
      stage.session.sessionPreset = .photo
      #expect(formats.values.last === stage.device.activeFormat)
      stage.session.commitConfiguration()
      #expect(formats.values.count == 1)
    }

    @Test
    func `a camera that comes meanwhile runs as was committed before`() throws {
      let stage = SessionStage(faults: [SceneFault(.busy(seconds: 1))])
      let (input, counter) = try stage.addCamera()
      let device = input.device
      stage.session.startRunning()
      defer { stage.session.stopRunning() }
      #expect(stage.session.isInterrupted)
      stage.session.beginConfiguration()
      try device.lockForConfiguration()
      device.activeFormat = device.formats[0]
      device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
      device.unlockForConfiguration()
      stage.clock.advance(by: .milliseconds(1100))
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(frames: 6)
      #expect(counter.sizes == ["96×72"] && counter.frames >= 5)
      #expect(device.activeFormat === device.formats[0])
      #expect(device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 10))
      stage.session.commitConfiguration()
      stage.pass(frames: 12)
      #expect(counter.sizes.contains("64×48") && device.activeFormat === device.formats[0])
      #expect(device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 10))
    }
  }
}

import AVFoundation
import SimulatedDevices
import Testing

/// What programs for Apple's systems are seen to write, to the letter: it must compile, and do what they mean.
private final class CaptureService: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable
{
  // Safe because the test uses it from one thread and, for frames, from one queue.
  let captureSession = AVCaptureSession()
  private let photoOutput = AVCapturePhotoOutput()
  private let videoOutput = AVCaptureVideoDataOutput()
  private var activeVideoInput: AVCaptureDeviceInput?
  private let sessionQueue = DispatchQueue(label: "session queue")
  private var keyValueObservations = [NSKeyValueObservation]()
  var heard: [String] = []

  enum CameraError: Error { case videoDeviceUnavailable, addInputFailed, addOutputFailed }

  func configure() throws {
    captureSession.beginConfiguration()
    defer { captureSession.commitConfiguration() }
    captureSession.sessionPreset = .photo
    guard
      let videoDevice = AVCaptureDevice.default(.builtInDualCamera, for: .video, position: .back)
        ?? AVCaptureDevice.default(.builtInWideAngleCamera, for: AVMediaType.video, position: .back)
    else { throw CameraError.videoDeviceUnavailable }
    let videoDeviceInput = try AVCaptureDeviceInput(device: videoDevice)
    guard captureSession.canAddInput(videoDeviceInput) else { throw CameraError.addInputFailed }
    captureSession.addInput(videoDeviceInput)
    activeVideoInput = videoDeviceInput
    videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    videoOutput.alwaysDiscardsLateVideoFrames = true
    videoOutput.setSampleBufferDelegate(self, queue: sessionQueue)
    guard captureSession.canAddOutput(videoOutput) else { throw CameraError.addOutputFailed }
    captureSession.addOutput(videoOutput)
    if let connection = videoOutput.connection(with: .video) {
      if connection.isVideoOrientationSupported { connection.videoOrientation = .portrait }
      if connection.isVideoMirroringSupported { connection.isVideoMirrored = videoDevice.position == .front }
    }
    if captureSession.canAddOutput(photoOutput) {
      captureSession.addOutput(photoOutput)
      photoOutput.maxPhotoQualityPrioritization = .quality
    }
    observe()
  }

  private func observe() {
    let observation = captureSession.observe(\.isRunning, options: .new) { _, change in
      guard let isSessionRunning = change.newValue else { return }
      _ = isSessionRunning
    }
    keyValueObservations.append(observation)
    _ = NotificationCenter.default.addObserver(
      forName: .AVCaptureSessionRuntimeError, object: captureSession, queue: nil
    ) { [weak self] notification in
      guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
      if error.code == .mediaServicesWereReset { self?.captureSession.startRunning() }
    }
    _ = NotificationCenter.default.addObserver(
      forName: AVCaptureSession.wasInterruptedNotification, object: captureSession, queue: nil
    ) { notification in
      if let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int,
        let reason = AVCaptureSession.InterruptionReason(rawValue: value)
      {
        switch reason {
        case .audioDeviceInUseByAnotherClient, .videoDeviceInUseByAnotherClient: break
        case .videoDeviceNotAvailableWithMultipleForegroundApps: break
        default: break
        }
      }
    }
  }

  func focusOnFrameRate(_ framesPerSecond: Double) throws {
    guard let device = activeVideoInput?.device else { return }
    for format in device.formats {
      let dimensions = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
      guard dimensions.width == 64 else { continue }
      for range in format.videoSupportedFrameRateRanges where range.maxFrameRate >= framesPerSecond {
        try device.lockForConfiguration()
        device.activeFormat = format
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: CMTimeScale(framesPerSecond))
        device.activeVideoMaxFrameDuration = CMTimeMake(value: 1, timescale: Int32(framesPerSecond))
        if device.isExposureModeSupported(.continuousAutoExposure) {
          device.exposureMode = .continuousAutoExposure
        }
        device.unlockForConfiguration()
        return
      }
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    heard.append("\(CVPixelBufferGetWidth(pixelBuffer))×\(CVPixelBufferGetHeight(pixelBuffer))")
  }
}

extension DeviceSuites {
  @Suite("Client code")
  struct ClientCodeTests {
    @Test
    func `a camera program for another system runs`() throws {
      let stage = SessionStage()
      let service = CaptureService()
      try service.configure()
      service.captureSession.startRunning()
      #expect(service.captureSession.isRunning)
      stage.pass(frames: 2)
      try service.focusOnFrameRate(60)
      stage.pass(frames: 2)
      service.captureSession.stopRunning()
      #expect(Set(service.heard) == ["72×96", "48×64"])
      #expect(service.captureSession.sessionPreset == .inputPriority)
    }
  }
}

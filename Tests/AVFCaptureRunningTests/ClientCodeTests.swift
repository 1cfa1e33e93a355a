import AVFoundation
import CaptureStage
import SimulatedDevices
import Testing

/// A capture service as clients on Apple's systems write it, to the letter: it must compile, and work as they mean it.
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

/// A program for two cameras and the audio of both sides.
private final class TwoCameras: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable
{
  // Safe because what changes is used on one queue.
  private let session = AVCaptureMultiCamSession()
  private let dataOutputQueue = DispatchQueue(label: "data output queue")
  private var backInput: AVCaptureDeviceInput?
  private let backOutput = AVCaptureVideoDataOutput(), frontOutput = AVCaptureVideoDataOutput()
  private let backAudio = AVCaptureAudioDataOutput(), frontAudio = AVCaptureAudioDataOutput()
  private(set) var counts: [String: Int] = [:]

  enum Failure: Error { case unsupported, missing(String) }

  func configure() throws {
    guard AVCaptureMultiCamSession.isMultiCamSupported else { throw Failure.unsupported }
    session.beginConfiguration()
    defer {
      session.commitConfiguration()
      if session.hardwareCost > 1 || session.systemPressureCost > 1 { counts["too dear"] = 1 }
    }
    for (position, output) in [(AVCaptureDevice.Position.back, backOutput), (.front, frontOutput)] {
      guard
        let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)
      else { throw Failure.missing("camera") }
      let input = try AVCaptureDeviceInput(device: camera)
      guard session.canAddInput(input) else { throw Failure.missing("input") }
      session.addInputWithNoConnections(input)
      if position == .back { backInput = input }
      guard
        let port = input.ports(
          for: .video, sourceDeviceType: camera.deviceType, sourceDevicePosition: camera.position
        ).first
      else { throw Failure.missing("port") }
      guard session.canAddOutput(output) else { throw Failure.missing("output") }
      session.addOutputWithNoConnections(output)
      output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)]
      output.setSampleBufferDelegate(self, queue: dataOutputQueue)
      let connection = AVCaptureConnection(inputPorts: [port], output: output)
      guard session.canAddConnection(connection) else { throw Failure.missing("connection") }
      session.addConnection(connection)
      connection.videoOrientation = .portrait
      if position == .front {
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = true
      }
    }
    guard let microphone = AVCaptureDevice.default(for: .audio) else { throw Failure.missing("microphone") }
    let microphoneInput = try AVCaptureDeviceInput(device: microphone)
    guard session.canAddInput(microphoneInput) else { throw Failure.missing("microphone input") }
    session.addInputWithNoConnections(microphoneInput)
    for (position, output) in [(AVCaptureDevice.Position.back, backAudio), (.front, frontAudio)] {
      guard
        let port = microphoneInput.ports(
          for: .audio, sourceDeviceType: microphone.deviceType, sourceDevicePosition: position
        ).first
      else { throw Failure.missing("audio port") }
      session.addOutputWithNoConnections(output)
      output.setSampleBufferDelegate(self, queue: dataOutputQueue)
      let connection = AVCaptureConnection(inputPorts: [port], output: output)
      guard session.canAddConnection(connection) else { throw Failure.missing("audio connection") }
      session.addConnection(connection)
    }
  }

  func run(_ body: () -> Void) {
    session.startRunning()
    body()
    session.stopRunning()
    dataOutputQueue.sync {}
  }

  func settings() -> [String: Any]? {
    let audio = backAudio.recommendedAudioSettingsForAssetWriter(writingTo: .mp4)
    let video = frontOutput.recommendedVideoSettingsForAssetWriter(writingTo: .mp4)
    return audio?.merging(video ?? [:]) { first, _ in first }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let description = CMSampleBufferGetFormatDescription(sampleBuffer) else { return }
    if let videoDataOutput = output as? AVCaptureVideoDataOutput {
      counts[videoDataOutput === backOutput ? "back" : "front", default: 0] += 1
    } else if output is AVCaptureAudioDataOutput,
      CMFormatDescriptionGetMediaType(description) == kCMMediaType_Audio,
      let format = CMAudioFormatDescriptionGetStreamBasicDescription(description)
    {
      let isBack = output === backAudio
      counts[isBack ? "back sound" : "front sound", default: 0] += CMSampleBufferGetNumSamples(sampleBuffer)
      if format.pointee.mSampleRate != 48_000 { counts["wrong rate"] = 1 }
    }
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

    @Test
    func `a program for two cameras and two sides of audio runs`() throws {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .stageMicrophone])
      for model in [SessionStage.back, SessionStage.front] {
        let camera = try stage.camera(model)
        try camera.lockForConfiguration()
        camera.activeFormat = camera.formats[0]
        camera.activeVideoMinFrameDuration = .invalid
        camera.activeVideoMaxFrameDuration = .invalid
        camera.unlockForConfiguration()
      }
      let program = TwoCameras()
      try program.configure()
      #expect(program.settings()?[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC)
      program.run { stage.pass(milliseconds: 1000) }
      #expect(program.counts["back sound"] == 48_000 && program.counts["front sound"] == 48_000)
      #expect(program.counts["wrong rate"] == nil && program.counts["too dear"] == nil)
      for camera in ["back", "front"] { #expect((28...31).contains(program.counts[camera] ?? 0)) }
    }
  }
}

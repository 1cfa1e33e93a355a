import AVFoundation

/// A camera as programs are written today: an actor that runs on the queue on which it is called back.
///
/// Nothing but AVFoundation is imported, and nothing is an `NSObject`.
actor CameraService {
  enum Failure: Error { case denied, noCamera, refused }

  private let sessionQueue = DispatchSerialQueue(label: "camera.session")
  nonisolated var unownedExecutor: UnownedSerialExecutor { sessionQueue.asUnownedSerialExecutor() }

  private let session = AVCaptureSession()
  private let photoOutput = AVCapturePhotoOutput()
  private let videoOutput = AVCaptureVideoDataOutput()
  private let readinessCoordinator: AVCapturePhotoOutputReadinessCoordinator
  private var activeInput: AVCaptureDeviceInput?
  private var rotationCoordinator: AVCaptureDevice.RotationCoordinator?
  private var rotationObservation: NSKeyValueObservation?
  private var watches: [Task<Void, Never>] = []

  private(set) var isInterrupted = false
  private(set) var interruptions: [AVCaptureSession.InterruptionReason] = []
  private(set) var readiness = AVCapturePhotoOutput.CaptureReadiness.sessionNotRunning
  private(set) var readinessChanges: [AVCapturePhotoOutput.CaptureReadiness] = []
  private(set) var frames = 0
  private(set) var captureAngle: CGFloat = -1

  init() {
    readinessCoordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: photoOutput)
  }

  var isRunning: Bool { session.isRunning }
  var cameraName: String? { activeInput?.device.localizedName }

  // MARK: Setting up

  func start() async throws {
    guard await isAuthorized else { throw Failure.denied }
    watchInterruptions()
    try setUp()
    session.startRunning()
  }

  func stop() {
    session.stopRunning()
    for watch in watches { watch.cancel() }
    watches = []
    rotationObservation = nil
  }

  private var isAuthorized: Bool {
    get async {
      let status = AVCaptureDevice.authorizationStatus(for: .video)
      if status == .notDetermined { return await AVCaptureDevice.requestAccess(for: .video) }
      return status == .authorized
    }
  }

  private func setUp() throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .photo
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw Failure.noCamera
    }
    try add(camera)
    videoOutput.setSampleBufferDelegate(self, queue: sessionQueue)
    for output in [photoOutput, videoOutput] as [AVCaptureOutput] {
      guard session.canAddOutput(output) else { throw Failure.refused }
      session.addOutput(output)
    }
    readinessCoordinator.delegate = self
    followRotation(of: camera)
  }

  private func add(_ camera: AVCaptureDevice) throws {
    let input = try AVCaptureDeviceInput(device: camera)
    guard session.canAddInput(input) else { throw Failure.refused }
    session.addInput(input)
    activeInput = input
  }

  // MARK: Interruptions

  private func watchInterruptions() {
    watches.append(
      Task {
        let reasons = NotificationCenter.default
          .notifications(named: AVCaptureSession.wasInterruptedNotification, object: session)
          .compactMap { $0.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int }
          .compactMap { AVCaptureSession.InterruptionReason(rawValue: $0) }
        for await reason in reasons {
          interruptions.append(reason)
          isInterrupted = true
        }
      })
    watches.append(
      Task {
        let ends = NotificationCenter.default.notifications(
          named: AVCaptureSession.interruptionEndedNotification, object: session)
        for await _ in ends { isInterrupted = false }
      })
  }

  // MARK: Switching

  func switchCamera() throws {
    guard let current = activeInput else { throw Failure.noCamera }
    let cameras = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified
    ).devices
    guard let next = cameras.first(where: { $0.uniqueID != current.device.uniqueID }) else {
      throw Failure.noCamera
    }
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.removeInput(current)
    do {
      try add(next)
    } catch {
      session.addInput(current)
      throw error
    }
    followRotation(of: next)
  }

  // MARK: Rotating

  private func followRotation(of camera: AVCaptureDevice) {
    let coordinator = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
    rotate(to: coordinator.videoRotationAngleForHorizonLevelCapture)
    rotationObservation = coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: .new) {
      [weak self] _, change in
      guard let self, let angle = change.newValue else { return }
      Task { await self.rotate(to: angle) }
    }
    rotationCoordinator = coordinator
  }

  private func rotate(to angle: CGFloat) {
    guard let connection = photoOutput.connection(with: .video),
      connection.isVideoRotationAngleSupported(angle)
    else { return }
    connection.videoRotationAngle = angle
    captureAngle = angle
  }

  // MARK: Pressing

  func takePhoto() async throws -> AVCapturePhoto {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.photoQualityPrioritization = .speed
    readinessCoordinator.startTrackingCaptureRequest(using: settings)
    // The press is announced on the main queue: without this, a photo may be there before it was.
    await MainActor.run {}
    return try await withCheckedThrowingContinuation { continuation in
      photoOutput.capturePhoto(with: settings, delegate: PhotoReceipt(continuation))
    }
  }

  private func note(_ readiness: AVCapturePhotoOutput.CaptureReadiness) {
    self.readiness = readiness
    readinessChanges.append(readiness)
  }
}

extension CameraService: AVCaptureVideoDataOutputSampleBufferDelegate {
  nonisolated func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    assumeIsolated { $0.frames += 1 }
  }
}

extension CameraService: AVCapturePhotoOutputReadinessCoordinatorDelegate {
  nonisolated func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
  ) {
    Task { await note(captureReadiness) }
  }
}

/// Turns the delegate's calls for one photo into a result.
private final class PhotoReceipt: AVCapturePhotoCaptureDelegate {
  private let continuation: CheckedContinuation<AVCapturePhoto, any Error>
  private var photo: AVCapturePhoto?

  init(_ continuation: CheckedContinuation<AVCapturePhoto, any Error>) {
    self.continuation = continuation
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    if error == nil { self.photo = photo }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    if let photo {
      continuation.resume(returning: photo)
    } else {
      continuation.resume(throwing: error ?? CameraService.Failure.refused)
    }
  }
}

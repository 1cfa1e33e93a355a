import AVFoundation

/// All of capture, away from the main actor: cameras, photos and movies.
///
/// An actor on a queue of its own, so that what blocks in AVFoundation blocks no thread of Swift's.
public actor CaptureService {
  /// What the service tells as it changes.
  public struct State: Sendable, Equatable {
    /// Whether the session runs.
    public var isRunning = false
    /// Why no frames come, although it runs; `nil` while they do.
    public var interruption: String?
    /// The name of the camera.
    public var cameraName = ""
    /// Its zoom factor.
    public var zoomFactor = 1.0
    /// Whether a movie is recorded.
    public var isRecording = false
  }

  /// Why something cannot be done.
  public enum Failure: Error, Equatable {
    case notAuthorized
    case noCamera
    case cannotBeAdded(String)
    case busy
    case notRunning
    case notRecording
  }

  /// Each new state, the present one first.
  public nonisolated let states: AsyncStream<State>

  private let queue = DispatchSerialQueue(label: "capture-service")
  private let session = AVCaptureSession()
  private let photos = AVCapturePhotoOutput()
  private let movies = AVCaptureMovieFileOutput()
  private let told: AsyncStream<State>.Continuation
  private var camera: AVCaptureDeviceInput?
  private var recording: MovieRecording?
  private var watches: [Task<Void, Never>] = []
  private var isConfigured = false
  private var state = State() {
    didSet { if state != oldValue { told.yield(state) } }
  }

  /// The queue that the service runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// A service that does nothing yet.
  public init() {
    (states, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    told.yield(State())
  }

  deinit {
    told.finish()
    for watch in watches { watch.cancel() }
  }

  // MARK: Running

  /// Asks for the camera where that is needed, and starts.
  public func start() async throws {
    guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.notAuthorized }
    if !isConfigured {
      try configure()
      watch()
      isConfigured = true
    }
    session.startRunning()
    state.isRunning = session.isRunning
  }

  /// Stops the session.
  public func stop() {
    session.stopRunning()
    state.isRunning = false
  }

  private func configure() throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .high
    guard let device = AVCaptureDevice.default(for: .video) else { throw Failure.noCamera }
    try use(device)
    // A movie without sound is better than none.
    if let microphone = AVCaptureDevice.default(for: .audio),
      let input = try? AVCaptureDeviceInput(device: microphone), session.canAddInput(input)
    {
      session.addInput(input)
    }
    for output in [photos, movies] as [AVCaptureOutput] {
      guard session.canAddOutput(output) else { throw Failure.cannotBeAdded("\(type(of: output))") }
      session.addOutput(output)
    }
    photos.maxPhotoQualityPrioritization = .quality
  }

  /// Puts a camera into the place of the present one.
  private func use(_ device: AVCaptureDevice) throws {
    let input = try AVCaptureDeviceInput(device: device)
    let former = camera
    if let former { session.removeInput(former) }
    guard session.canAddInput(input) else {
      if let former { session.addInput(former) }
      throw Failure.cannotBeAdded(device.localizedName)
    }
    session.addInput(input)
    camera = input
    state.cameraName = device.localizedName
    state.zoomFactor = Double(device.videoZoomFactor)
  }

  /// Follows the session's interruptions and errors for as long as the service lives.
  private func watch() {
    watches = [
      follow(AVCaptureSession.wasInterruptedNotification) { service, reason in
        service.state.interruption = "\(reason.map { "\($0)" } ?? "unknown")"
      },
      follow(AVCaptureSession.interruptionEndedNotification) { service, _ in
        service.state.interruption = nil
      },
      follow(AVCaptureSession.runtimeErrorNotification) { service, _ in
        service.state.isRunning = service.session.isRunning
      },
    ]
  }

  /// Calls `act` for each of the session's notifications of that name, from now on.
  private nonisolated func follow(
    _ name: Notification.Name,
    _ act: @escaping @Sendable (isolated CaptureService, AVCaptureSession.InterruptionReason?) -> Void
  ) -> Task<Void, Never> {
    // The iterator observes from here on; a `for await` loop would only once the task has started.
    var notes = NotificationCenter.default.notifications(named: name, object: session).makeAsyncIterator()
    return Task { [weak self] in
      while let note = await notes.next() {
        let number = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
        guard let self else { return }
        await act(self, number.flatMap { AVCaptureSession.InterruptionReason(rawValue: $0) })
      }
    }
  }

  // MARK: Cameras

  /// Goes to the next camera of the machine; the same one where there is no other.
  public func selectNextCamera() throws {
    guard !state.isRecording else { throw Failure.busy }
    let found = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
    ).devices
    let present = found.firstIndex { $0.uniqueID == camera?.device.uniqueID } ?? -1
    guard let next = found.isEmpty ? nil : found[(present + 1) % found.count] else { throw Failure.noCamera }
    guard next.uniqueID != camera?.device.uniqueID else { return }
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    try use(next)
  }

  /// Zooms, within what the camera has.
  public func zoom(to factor: Double) throws {
    guard let device = camera?.device else { throw Failure.noCamera }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    let range = device.minAvailableVideoZoomFactor...device.maxAvailableVideoZoomFactor
    device.videoZoomFactor = min(max(CGFloat(factor), range.lowerBound), range.upperBound)
    state.zoomFactor = Double(device.videoZoomFactor)
  }

  /// Focuses and exposes at a place of the picture, in fractions of it, once.
  public func focus(at point: CGPoint) throws {
    guard let device = camera?.device else { throw Failure.noCamera }
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
      device.focusPointOfInterest = point
      device.focusMode = .autoFocus
    }
    if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.autoExpose) {
      device.exposurePointOfInterest = point
      device.exposureMode = .autoExpose
    }
  }

  // MARK: Photos and movies

  /// A photo's file.
  public func capturePhoto() async throws -> Data {
    guard state.isRunning else { throw Failure.notRunning }
    let codec: AVVideoCodecType = photos.availablePhotoCodecTypes.contains(.hevc) ? .hevc : .jpeg
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
    settings.photoQualityPrioritization = .balanced
    return try await PhotoCapture().photo(from: photos, settings)
  }

  /// Begins a movie; returns when its first frame is recorded.
  public func startRecording(to url: URL) async throws {
    guard state.isRunning else { throw Failure.notRunning }
    guard recording == nil else { throw Failure.busy }
    let recording = MovieRecording()
    self.recording = recording
    do {
      try await recording.start(movies, url)
      state.isRecording = true
    } catch {
      self.recording = nil
      throw error
    }
  }

  /// Ends the movie; its file is whole when this returns.
  public func stopRecording() async throws -> URL {
    guard let recording else { throw Failure.notRecording }
    movies.stopRecording()
    defer {
      self.recording = nil
      state.isRecording = false
    }
    return try await recording.finished()
  }
}

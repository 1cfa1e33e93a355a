import AVFoundation
import Combine
import CoreLocation
import UniformTypeIdentifiers
import os

/// A video recorder's state, for views to follow.
package final class Recorder: NSObject, ObservableObject {
  @Published package private(set) var isSessionRunning = false
  @Published package private(set) var isRecording = false
  @Published package private(set) var recordedSeconds = 0.0
  @Published package private(set) var zoomOfCamera: CGFloat = 1
  @Published package var zoomFactor: CGFloat = 1
  package let finished = PassthroughSubject<URL, Error>()
  package let session = AVCaptureSession()

  private let output = AVCaptureMovieFileOutput()
  private let sessionQueue = DispatchQueue(label: "org.example.recorder.session")
  private let locationManager = CLLocationManager()
  private let logger = Logger(subsystem: "org.example.recorder", category: "session")
  private var device: AVCaptureDevice?
  private var cancellables = Set<AnyCancellable>()

  package override init() {
    super.init()
    session.publisher(for: \.isRunning)
      .receive(on: DispatchQueue.main)
      .assign(to: &$isSessionRunning)

    $isRecording
      .map { isRecording -> AnyPublisher<Date, Never> in
        guard isRecording else { return Empty().eraseToAnyPublisher() }
        return Timer.publish(every: 0.02, on: .main, in: .common).autoconnect().eraseToAnyPublisher()
      }
      .switchToLatest()
      .compactMap { [weak self] _ in self?.output.recordedDuration.seconds }
      .removeDuplicates()
      .assign(to: &$recordedSeconds)

    $zoomFactor
      .dropFirst()
      .removeDuplicates()
      .debounce(for: .milliseconds(20), scheduler: sessionQueue)
      .sink { [weak self] factor in self?.setZoom(factor) }
      .store(in: &cancellables)

    NotificationCenter.default.publisher(for: .AVCaptureSessionRuntimeError, object: session)
      .compactMap { $0.userInfo?[AVCaptureSessionErrorKey] as? AVError }
      .sink { [logger] error in
        logger.error("The session failed: \(error.localizedDescription, privacy: .public)")
      }
      .store(in: &cancellables)
  }

  /// Where the recordings are made, if the machine knows.
  package var location: CLLocation? { locationManager.location }

  /// Adds the camera and the file output.
  package func configure() throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    guard let device = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
    let input = try AVCaptureDeviceInput(device: device)
    guard session.canAddInput(input), session.canAddOutput(output) else {
      throw AVError(.sessionConfigurationChanged)
    }
    session.addInput(input)
    session.addOutput(output)
    self.device = device
    device.publisher(for: \.videoZoomFactor)
      .receive(on: RunLoop.main)
      .sink { [weak self] factor in self?.zoomOfCamera = factor }
      .store(in: &cancellables)
    locationManager.startUpdatingLocation()
  }

  package func start() {
    sessionQueue.async { self.session.startRunning() }
  }

  package func stop() {
    sessionQueue.sync { self.session.stopRunning() }
  }

  /// Begins a movie in a folder.
  package func record(in folder: URL) {
    let url = folder.appendingPathComponent("recording", conformingTo: .quickTimeMovie)
    sessionQueue.async { self.output.startRecording(to: url, recordingDelegate: self) }
  }

  /// Ends the movie, which ``finished`` then publishes.
  package func finish() {
    sessionQueue.async { self.output.stopRecording() }
  }

  private func setZoom(_ factor: CGFloat) {
    guard let device else { return }
    do {
      try device.lockForConfiguration()
      device.videoZoomFactor = min(
        max(factor, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
      device.unlockForConfiguration()
    } catch {
      logger.warning("The zoom stays: \(error)")
    }
  }
}

extension Recorder: AVCaptureFileOutputRecordingDelegate {
  package func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    DispatchQueue.main.async { self.isRecording = true }
  }

  package func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: Error?
  ) {
    DispatchQueue.main.async {
      self.isRecording = false
      if let error {
        self.finished.send(completion: .failure(error))
      } else {
        self.finished.send(outputFileURL)
      }
    }
  }
}

import AVFoundation

/// The model of a scanner's screen: a session that finds codes, and the state that the screen shows.
final class Scanner: NSObject, @unchecked Sendable {  // Safe because `state` is used under its lock.
  /// The state that the screen shows.
  struct State: Sendable, Equatable {
    var codes: [String] = []
    var isInterrupted = false
    var hasCamera = false
    var frames = 0
    var dropped = 0
  }

  let session = AVCaptureSession()
  private let metadata = AVCaptureMetadataOutput()
  private let video = AVCaptureVideoDataOutput()
  private let queue = DispatchQueue(label: "scanner")
  private let lock = NSLock()
  private var shown = State()
  private var handler: (@Sendable (CMSampleBuffer) -> Void)?
  private var waiting: [CheckedContinuation<String?, Never>] = []
  private var isStarted = false
  private var observers: [any NSObjectProtocol] = []

  var state: State { lock.withLock { shown } }

  /// Called with each frame, on the scanner's queue.
  var onFrame: (@Sendable (CMSampleBuffer) -> Void)? {
    get { lock.withLock { handler } }
    set { lock.withLock { handler = newValue } }
  }

  override init() {
    super.init()
    observe(AVCaptureSession.wasInterruptedNotification) { $0.isInterrupted = true }
    observe(AVCaptureSession.interruptionEndedNotification) { $0.isInterrupted = false }
    observe(AVCaptureDevice.wasDisconnectedNotification) { $0.hasCamera = false }
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  /// Takes the camera that there is, and starts; also after another camera was plugged in.
  func start() throws {
    guard let camera = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
    let input = try AVCaptureDeviceInput(device: camera)
    session.beginConfiguration()
    for former in session.inputs { session.removeInput(former) }
    if session.canSetSessionPreset(.vga640x480) { session.sessionPreset = .vga640x480 }
    if session.canAddInput(input) { session.addInput(input) }
    if session.outputs.isEmpty {
      video.setSampleBufferDelegate(self, queue: queue)
      metadata.setMetadataObjectsDelegate(self, queue: queue)
      session.addOutput(video)
      session.addOutput(metadata)
    }
    metadata.metadataObjectTypes = metadata.availableMetadataObjectTypes.filter {
      [.qr, .ean13].contains($0)
    }
    session.commitConfiguration()
    lock.withLock { isStarted = true }
    session.startRunning()
    change { $0.hasCamera = true }
  }

  /// The next code that is seen, also one that was seen before; `nil` when the scanner is stopped before there is one.
  func nextCode() async -> String? {
    await withCheckedContinuation { continuation in
      let waits = lock.withLock {
        if isStarted { waiting.append(continuation) }
        return isStarted
      }
      if !waits { continuation.resume(returning: nil) }
    }
  }

  func stop() {
    session.stopRunning()
    let waiting = lock.withLock {
      isStarted = false
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }

  private func change(_ body: (inout State) -> Void) {
    lock.withLock { body(&shown) }
  }

  private func observe(_ name: Notification.Name, _ body: @escaping @Sendable (inout State) -> Void) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
        self?.change(body)
      })
  }
}

extension Scanner: AVCaptureVideoDataOutputSampleBufferDelegate {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    change { $0.frames += 1 }
    onFrame?(sampleBuffer)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    change { $0.dropped += 1 }
  }
}

extension Scanner: AVCaptureMetadataOutputObjectsDelegate {
  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let texts = metadataObjects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
    change { state in
      for text in texts where !state.codes.contains(text) { state.codes.append(text) }
    }
    guard let text = texts.first else { return }
    let waiting = lock.withLock {
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume(returning: text) }
  }
}

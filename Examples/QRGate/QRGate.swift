import AVFoundation

/// A door that opens for a code held before the middle of the picture, then looks away for a second.
final class QRGate: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
  // Safe because what changes is used on `queue` only.
  private let session = AVCaptureSession()
  private let output = AVCaptureMetadataOutput()
  private let preview: AVCaptureVideoPreviewLayer
  private let queue = DispatchQueue(label: "gate")
  private let open: @Sendable (String) -> Void
  private let report: @Sendable (String) -> Void
  private var pausedUntil: CMTime = .zero
  /// Starts and stops the session; what follows changes there.
  private let control = DispatchQueue(label: "gate.session")
  private var isWanted = false
  private var observers: [any NSObjectProtocol] = []

  /// A gate with the region that a screen of this size shows in a frame; `open` is called for each code let in, `report` with a
  /// sentence when the gate is closed by a fault, and when it watches.
  init(
    camera: AVCaptureDevice, screen: CGSize, region: CGRect,
    report: @escaping @Sendable (String) -> Void = { _ in }, open: @escaping @Sendable (String) -> Void
  ) throws {
    self.open = open
    self.report = report
    preview = AVCaptureVideoPreviewLayer(session: session)
    super.init()
    #if os(Linux)
      // No one stands by to start the gate again after a plug was touched.
      session.startsAgainWhenDevicesReturn = true
    #endif
    // Nor after the camera stood still: five seconds without a picture end the session.
    observe(AVCaptureSession.runtimeErrorNotification) { gate, news in
      let error = news.userInfo?[AVCaptureSessionErrorKey] as? AVError
      gate.report(error?.localizedDescription ?? "The camera failed.")
      if error?.code == .noDataCaptured || error?.code == .mediaServicesWereReset { gate.startAgain() }
    }
    observe(AVCaptureSession.wasInterruptedNotification) { gate, news in
      let reason = news.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
      switch reason.flatMap(AVCaptureSession.InterruptionReason.init) {
      case .videoDeviceInUseByAnotherClient: gate.report("Another program has the camera.")
      case .videoDeviceNotAvailableInBackground:
        gate.report("The camera's shutter or privacy switch is closed.")
      case .videoDeviceNotAvailableDueToSystemPressure: gate.report("The machine is too hot for the camera.")
      default: gate.report("The camera is not available.")
      }
    }
    for name in [
      AVCaptureSession.didStartRunningNotification, AVCaptureSession.interruptionEndedNotification,
    ] {
      observe(name) { gate, _ in gate.report("The gate watches.") }
    }
    session.beginConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    output.setMetadataObjectsDelegate(self, queue: queue)
    output.metadataObjectTypes = [.qr]
    session.commitConfiguration()

    preview.frame = CGRect(origin: .zero, size: screen)
    preview.videoGravity = .resizeAspectFill
    output.rectOfInterest = preview.metadataOutputRectConverted(fromLayerRect: region)
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  private func observe(
    _ name: Notification.Name, _ body: @escaping @Sendable (QRGate, Notification) -> Void
  ) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] news in
        if let self { body(self, news) }
      })
  }

  func start() {
    control.sync {
      isWanted = true
      session.startRunning()
    }
  }

  func stop() {
    control.sync {
      isWanted = false
      session.stopRunning()
    }
  }

  private func startAgain() {
    control.async { [self] in
      if isWanted { session.startRunning() }
    }
  }

  /// Whether the gate watches: not while its camera is unplugged.
  var isWatching: Bool { session.isRunning }

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    guard let code = metadataObjects.first as? AVMetadataMachineReadableCodeObject,
      let text = code.stringValue, code.time >= pausedUntil
    else { return }
    pausedUntil = code.time + CMTime(value: 1, timescale: 1)
    open(text)
  }
}

import AVFoundation

/// A door that opens for a code held before the middle of the picture, then looks away for a second.
final class QRGate: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
  // Safe because what changes is used on `queue` only.
  private let session = AVCaptureSession()
  private let output = AVCaptureMetadataOutput()
  private let preview: AVCaptureVideoPreviewLayer
  private let queue = DispatchQueue(label: "gate")
  private let open: @Sendable (String) -> Void
  private var pausedUntil: CMTime = .zero
  /// Starts and stops the session; what follows changes there.
  private let control = DispatchQueue(label: "gate.session")
  private var isWanted = false
  private var observer: (any NSObjectProtocol)?

  /// A gate with the region that a screen of this size shows in a frame; `open` is called for each code let in.
  init(
    camera: AVCaptureDevice, screen: CGSize, region: CGRect, open: @escaping @Sendable (String) -> Void
  ) throws {
    self.open = open
    preview = AVCaptureVideoPreviewLayer(session: session)
    super.init()
    #if os(Linux)
      // No one stands by to start the gate again after a plug was touched.
      session.startsAgainWhenDevicesReturn = true
    #endif
    // Nor after the camera stood still: five seconds without a picture end the session.
    observer = NotificationCenter.default.addObserver(
      forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { [weak self] news in
      let error = news.userInfo?[AVCaptureSessionErrorKey] as? AVError
      if error?.code == .noDataCaptured || error?.code == .mediaServicesWereReset { self?.startAgain() }
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
    if let observer { NotificationCenter.default.removeObserver(observer) }
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

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

  func start() { session.startRunning() }

  func stop() { session.stopRunning() }

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

import AVFoundation

/// Says how far the middle of the view is, for each depth map of a camera that measures depth.
final class DepthStream: NSObject, AVCaptureDepthDataOutputDelegate, @unchecked Sendable {
  // Safe because what changes is used on `queue` only.
  private let session = AVCaptureSession()
  private let output = AVCaptureDepthDataOutput()
  private let queue = DispatchQueue(label: "depth")
  private let report: @Sendable (Float) -> Void

  /// `report` is called with metres; not for maps that know nothing in the middle.
  init(camera: AVCaptureDevice, report: @escaping @Sendable (Float) -> Void) throws {
    self.report = report
    super.init()
    session.beginConfiguration()
    session.sessionPreset = .vga640x480
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    output.setDelegate(self, callbackQueue: queue)
    // Smooth over time, and without holes; `false` gives what the sensor measured.
    output.isFilteringEnabled = true
    session.commitConfiguration()
  }

  func start() { session.startRunning() }

  func stop() { session.stopRunning() }

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    let map = depthData.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap
    CVPixelBufferLockBaseAddress(map, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(map) else { return }
    let row = CVPixelBufferGetHeight(map) / 2 * CVPixelBufferGetBytesPerRow(map)
    let column = CVPixelBufferGetWidth(map) / 2 * MemoryLayout<Float>.stride
    // Safe because the place lies in the middle of the locked map.
    let metres = base.load(fromByteOffset: row + column, as: Float.self)
    if metres.isFinite { report(metres) }
  }
}

let cameras = AVCaptureDevice.DiscoverySession(
  deviceTypes: [.builtInTrueDepthCamera], mediaType: .video, position: .unspecified)
guard let camera = cameras.devices.first else {
  print("There is no camera that measures depth; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
let stream = try DepthStream(camera: camera) {
  print(String(format: "%.2f m", $0))
  // A pipe gets each line as it comes.
  fflush(nil)
}
stream.start()
Thread.sleep(forTimeInterval: 2)
stream.stop()

import AVFoundation

/// Hands frames, and the depth maps of their moments, to another process: a line with time and sizes, then the rows of both.
final class RobotEye: NSObject, AVCaptureDataOutputSynchronizerDelegate, @unchecked Sendable {
  // Safe because what changes is set before the session starts.
  private let session = AVCaptureSession()
  private let video = AVCaptureVideoDataOutput()
  private let depth = AVCaptureDepthDataOutput()
  private let synchronizer: AVCaptureDataOutputSynchronizer
  private let pipe: FileHandle
  private let failed: @Sendable (any Error) -> Void

  /// `camera` measures depth; `failed` is called when the pipe takes nothing more.
  init(camera: AVCaptureDevice, pipe: FileHandle, failed: @escaping @Sendable (any Error) -> Void) throws {
    self.pipe = pipe
    self.failed = failed
    session.beginConfiguration()
    session.sessionPreset = .vga640x480
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(video)
    session.addOutput(depth)
    // What the other process knows, whatever the camera sends.
    video.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    session.commitConfiguration()
    synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, depth])
    super.init()
    synchronizer.setDelegate(self, queue: DispatchQueue(label: "eye"))
  }

  func start() { session.startRunning() }

  func stop() { session.stopRunning() }

  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    guard
      let frame = synchronizedDataCollection.synchronizedData(for: video)
        as? AVCaptureSynchronizedSampleBufferData, !frame.sampleBufferWasDropped,
      let picture = frame.sampleBuffer.imageBuffer
    else { return }
    // A frame without a map of its own moment comes alone.
    let map = synchronizedDataCollection.synchronizedData(for: depth) as? AVCaptureSynchronizedDepthData
    let known = map.flatMap { $0.depthDataWasDropped ? nil : $0.depthData }
    do { try write(picture, known, frame.timestamp) } catch { failed(error) }
  }

  private func write(_ picture: CVPixelBuffer, _ depthData: AVDepthData?, _ time: CMTime) throws {
    // Metres, where the camera measures disparity, too.
    let metres = depthData?.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap
    let (columns, rows) = metres.map { (CVPixelBufferGetWidth($0), CVPixelBufferGetHeight($0)) } ?? (0, 0)
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    try pipe.write(contentsOf: Data("\(time.seconds) \(width) \(height) \(columns) \(rows)\n".utf8))
    try write(picture)
    if let metres { try write(metres) }
  }

  /// Writes rows of four bytes for each pixel, without what lies between them in memory.
  private func write(_ buffer: CVPixelBuffer) throws {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let first = CVPixelBufferGetBaseAddress(buffer) else { return }
    for row in 0..<CVPixelBufferGetHeight(buffer) {
      let pixels = first + row * CVPixelBufferGetBytesPerRow(buffer)
      try pipe.write(contentsOf: Data(bytes: pixels, count: 4 * CVPixelBufferGetWidth(buffer)))
    }
  }
}

import AVFoundation
import Foundation
import SimulatedDevices

/// Frames of a live 1080p stream at 30/s that are lost while three filters of colours and a blur change each of them.
///
/// Once as tutorials do it, with a context of the program's own in `captureOutput`, into a buffer of BGRA; and once as the desktop
/// camera does it, where the camera's pictures are changed for all that use them, from 420v to 420v. The frames are painted beforehand
/// and show a photograph: of one colour everywhere the caches would hold all that is looked up.
enum LiveFilterBenchmark {
  fileprivate static let warmUp = 30
  fileprivate static let frames = 300

  static func run() throws -> [Figure] {
    var scene = Scene.blank
    scene.background = SceneBackground(.picture(try ScenePicture(photograph())))
    SimulatedDevices.install(scene: scene, clock: .real)
    let context = CIContext()
    let own = try Stream(format: kCVPixelFormatType_32BGRA) { picture in
      guard let target = makeBuffer(like: picture) else { return }
      change(picture, target, context)
    }
    let first = figure("live.lost", "in captureOutput", try own.lost())
    let camera = try Stream(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange) { _ in }
    camera.input.setPictureChange(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]) {
      picture, target, _ in change(picture, target, context)
    }
    return [
      first, figure("live.lost-of-camera", "as a change of the camera's pictures", try camera.lost()),
    ]
  }

  private static func figure(_ name: String, _ way: String, _ found: (lost: Int, cpu: Double)) -> Figure {
    Figure(
      name: name, value: Double(found.lost),
      detail: String(
        format: "of %d frames, filtered %@; %.1f ms CPU a frame; a mere loop as long was late %d times",
        frames, way, found.cpu * 1000, Metronome.late(cpuSeconds: found.cpu, count: frames)))
  }

  /// What a program's own filters make of a frame.
  private static func change(_ picture: CVPixelBuffer, _ target: CVPixelBuffer, _ context: CIContext) {
    let image = CIImage(cvPixelBuffer: picture)
    let changed =
      image
      .applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 1.2, kCIInputContrastKey: 1.1])
      .applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: 0.3])
      .applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.6])
      .clampedToExtent().applyingGaussianBlur(sigma: 4).cropped(to: image.extent)
    context.render(changed, to: target)
  }

  private static func makeBuffer(like picture: CVPixelBuffer) -> CVPixelBuffer? {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture), kCVPixelFormatType_32BGRA, nil,
      &made)
    return made
  }
}

/// A session with a 1080p camera and a data output, whose frames are counted.
private final class Stream: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because the counts are touched on the delegate's serial queue only, but for `lost` while nothing runs and after the signal.
  let input: AVCaptureDeviceInput
  private let session = AVCaptureSession()
  private let work: @Sendable (CVPixelBuffer) -> Void
  private let reached = DispatchSemaphore(value: 0)
  private var (count, dropped) = (0, 0)
  private var (from, to) = (0.0, 0.0)

  init(format: OSType, _ work: @escaping @Sendable (CVPixelBuffer) -> Void) throws {
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    self.work = work
    input = try AVCaptureDeviceInput(device: camera)
    super.init()
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
    output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "benchmark.filters"))
    session.beginConfiguration()
    session.sessionPreset = .hd1920x1080
    session.addInput(input)
    session.addOutput(output)
    session.commitConfiguration()
  }

  /// The frames that were dropped after the first, and the CPU time of each.
  func lost() throws -> (lost: Int, cpu: Double) {
    session.startRunning()
    let seconds = Double(LiveFilterBenchmark.warmUp + LiveFilterBenchmark.frames) / 30 + 10
    let isDone = reached.wait(timeout: .now() + seconds) == .success
    session.stopRunning()
    guard isDone else { throw BenchmarkError("The simulated camera delivered too few frames.") }
    return (dropped, (to - from) / Double(LiveFilterBenchmark.frames))
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    if let picture = CMSampleBufferGetImageBuffer(sampleBuffer) { work(picture) }
    note()
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    if count >= LiveFilterBenchmark.warmUp { dropped += 1 }
    note()
  }

  private func note() {
    count += 1
    if count == LiveFilterBenchmark.warmUp { from = cpuSeconds() }
    if count == LiveFilterBenchmark.warmUp + LiveFilterBenchmark.frames {
      to = cpuSeconds()
      reached.signal()
    }
  }
}

import AVFoundation
import Foundation
import SimulatedDevices

/// What Live Photos cost while nothing is pressed: CPU time of a 1080p stream with them less that without, beside the program `ffmpeg`
/// coding the same frames by the fastest preset of x264 on one thread; and what fifty presses in a row lose of a video data output.
enum LivePhotoBenchmark {
  private static let pairs = 3
  fileprivate static let warmUp = 30
  fileprivate static let frames = 240

  static func run() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pictures = try (0..<MovieBenchmark.pictures).map(MovieBenchmark.picture)
    let raw = folder.appendingPathComponent("frames.nv12")
    try MovieBenchmark.write(pictures, to: raw)
    SimulatedDevices.install(scene: .blank, clock: .real)
    let cost = try medianRatio(
      pairs: pairs,
      ours: {
        let without = try LiveRun(pictures, folder, isLive: false).run().cpu
        return try LiveRun(pictures, folder, isLive: true).run().cpu - without
      },
      peer: {
        try MovieBenchmark.cpuOfFFmpeg([
          "-f rawvideo -pix_fmt nv12 -s 1920x1080 -r 30 -stream_loop -1 -i \(raw.path)",
          "-frames:v \(frames) -c:v libx264 -preset ultrafast -threads 1 -g 15 -b:v \(MovieBenchmark.bitRate)",
          "-f h264 \(folder.path)/theirs.h264",
        ])
      })
    let pressed = try LiveRun(pictures, folder, isLive: true, presses: 50).run()
    return [
      Figure(
        name: "live-photos.cpu", value: cost.ratio,
        detail: String(format: "%.2f s of CPU time, ffmpeg %.2f s", cost.ours, cost.peer)),
      Figure(
        name: "live-photos.lost", value: Double(pressed.lost),
        detail: "of \(frames) frames and 50 movies, while fifty presses follow each other"),
    ]
  }
}

/// A session with a 1080p camera of prepared pictures, a data output and a photo output.
private final class LiveRun: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCapturePhotoCaptureDelegate,
  @unchecked Sendable
{
  // Safe because the counts are touched on one serial queue each, and read after the signals.
  private let session = AVCaptureSession()
  private let photos = AVCapturePhotoOutput()
  private let folder: URL
  private let presses: Int
  private let reached = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private var (count, dropped, failed) = (0, 0, 0)
  private var (from, to) = (0.0, 0.0)

  init(_ pictures: [CVPixelBuffer], _ folder: URL, isLive: Bool, presses: Int = 0) throws {
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    self.folder = folder
    self.presses = presses
    let input = try AVCaptureDeviceInput(device: camera)
    super.init()
    input.setPictureChange(pixelFormats: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]) {
      _, target, time in
      fill(target, with: pictures[Int((time.seconds * 30).rounded()) % pictures.count])
    }
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ]
    output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "benchmark.live"))
    session.beginConfiguration()
    session.sessionPreset = .hd1920x1080
    session.addInput(input)
    session.addOutput(output)
    session.addOutput(photos)
    photos.isLivePhotoCaptureEnabled = isLive
    session.commitConfiguration()
  }

  /// CPU seconds of the frames, and how many frames and movies were lost.
  func run() throws -> (cpu: Double, lost: Int) {
    session.startRunning()
    defer { session.stopRunning() }
    for number in 0..<presses {
      if number == 0 { Thread.sleep(forTimeInterval: 1.5) }
      let settings = AVCapturePhotoSettings()
      settings.photoQualityPrioritization = .speed
      settings.livePhotoMovieFileURL = folder.appendingPathComponent("\(UUID().uuidString).mov")
      photos.capturePhoto(with: settings, delegate: self)
      Thread.sleep(forTimeInterval: 0.1)
    }
    let seconds = Double(LivePhotoBenchmark.warmUp + LivePhotoBenchmark.frames) / 30 + 20
    guard reached.wait(timeout: .now() + seconds) == .success else {
      throw BenchmarkError("The simulated camera delivered too few frames.")
    }
    for _ in 0..<presses where ended.wait(timeout: .now() + 30) != .success {
      throw BenchmarkError("A Live Photo did not end.")
    }
    return (to - from, dropped + failed)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) { note() }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    if count >= LivePhotoBenchmark.warmUp { dropped += 1 }
    note()
  }

  private func note() {
    count += 1
    if count == LivePhotoBenchmark.warmUp { from = cpuSeconds() }
    if count == LivePhotoBenchmark.warmUp + LivePhotoBenchmark.frames {
      to = cpuSeconds()
      reached.signal()
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    if error != nil { failed += 1 }
    try? FileManager.default.removeItem(at: outputFileURL)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) { ended.signal() }
}

/// Copies a picture of 4:2:0.
private func fill(_ target: CVPixelBuffer, with source: CVPixelBuffer) {
  CVPixelBufferLockBaseAddress(source, .readOnly)
  CVPixelBufferLockBaseAddress(target, [])
  defer {
    CVPixelBufferUnlockBaseAddress(target, [])
    CVPixelBufferUnlockBaseAddress(source, .readOnly)
  }
  for plane in 0..<2 {
    guard let from = CVPixelBufferGetBaseAddressOfPlane(source, plane),
      let to = CVPixelBufferGetBaseAddressOfPlane(target, plane)
    else { continue }
    let (own, other) = (
      CVPixelBufferGetBytesPerRowOfPlane(source, plane), CVPixelBufferGetBytesPerRowOfPlane(target, plane)
    )
    for row in 0..<CVPixelBufferGetHeightOfPlane(source, plane) {
      memcpy(to + row * other, from + row * own, min(own, other, MovieBenchmark.width))
    }
  }
}

import AVFoundation
import Foundation
import Glibc
import SimulatedDevices
import StillCodecs

/// Photos through the whole framework: their time beside the bare encoder's, and the memory of many.
enum PhotoBenchmark {
  private static let pairs = 15

  static func run() throws -> [Figure] {
    [try latency(), try deferred(), try memory()]
  }

  /// From the press to the delivered JPEG at `.speed`, 12 MP, beside our encoder alone on the same frame.
  private static func latency() throws -> Figure {
    var scene = Scene.builtIn
    // Painting is the simulation's work, not the framework's.
    scene.isStill = true
    let run = try PhotoRun(scene)
    defer { run.stop() }
    // Until the exposure has settled: a darker picture is encoded sooner.
    Thread.sleep(forTimeInterval: 1)
    // As the camera sends it, for the file is made of that: another range costs the encoder another time.
    let pixels = try run.take(
      AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: run.pixelFormat]))
    guard let frame = pixels.pixelBuffer else { throw BenchmarkError("The photo has no pixels.") }
    var options = JPEGEncoder.Options()
    // What `.speed` writes.
    options.quality = 0.85
    options.threads = 2
    var bytes = (ours: 0, peer: 0)
    let result = try medianRatio(
      pairs: pairs,
      ours: {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.photoQualityPrioritization = .speed
        return try wallSeconds { bytes.ours = try run.take(settings).fileDataRepresentation()?.count ?? 0 }
      },
      peer: { try wallSeconds { bytes.peer = try JPEGEncoder.encode(frame, options: options).count } })
    return Figure(
      name: "photo.latency", value: result.ratio,
      detail: String(
        format: "press to photo %.1f ms for %d bytes, the encoder alone %.1f ms for %d", result.ours * 1000,
        bytes.ours, result.peer * 1000, bytes.peer))
  }

  /// From the press to the proxy of a 12 MP HEIC at `.quality`, its frames on the disk, beside the photo at `.speed`.
  private static func deferred() throws -> Figure {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-bench-\(getpid())")
    setenv("OBSCURA_LIBRARY", folder.path, 1)
    defer { try? FileManager.default.removeItem(at: folder) }
    var scene = Scene.builtIn
    scene.isStill = true
    let run = try PhotoRun(scene, isDeferring: true)
    defer { run.stop() }
    Thread.sleep(forTimeInterval: 1)
    func take(_ prioritization: AVCapturePhotoOutput.QualityPrioritization) throws -> AVCapturePhoto {
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
      settings.photoQualityPrioritization = prioritization
      return try run.take(settings)
    }
    guard try take(.quality) is AVCaptureDeferredPhotoProxy else {
      throw BenchmarkError("The photo is no proxy.")
    }
    let result = try medianRatio(
      pairs: pairs, ours: { try wallSeconds { _ = try take(.quality) } },
      peer: { try wallSeconds { _ = try take(.speed) } })
    return Figure(
      name: "photo.deferred", value: result.ratio,
      detail: String(
        format: "press to proxy %.1f ms, to the photo at .speed %.1f ms", result.ours * 1000,
        result.peer * 1000))
  }

  /// The resident memory after 10 000 small photos, beside that after the first 1000.
  private static func memory() throws -> Figure {
    var scene = Scene.builtIn
    scene.isStill = true
    // Photos that are pressed one right after the other are of frames one after the other.
    scene.devices = [.camera(uniqueID: "bench", sizes: [.init(width: 320, height: 240)], rates: 1...240)]
    let run = try PhotoRun(scene, isFast: true)
    defer { run.stop() }
    var early = 0
    for index in 0..<10_000 {
      _ = try run.take(AVCapturePhotoSettings())
      if index == 999 { early = try residentBytes() }
    }
    let late = try residentBytes()
    return Figure(
      name: "photo.memory", value: Double(late) / Double(early),
      detail: "\(late / 1_048_576) MB after 10 000 photos, \(early / 1_048_576) MB after 1000")
  }

  /// The memory of this process that is in use, in bytes.
  ///
  /// C: the second number of `/proc/self/statm`, in pages.
  private static func residentBytes() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else {
      throw BenchmarkError("statm has no second number.")
    }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// A running session with one simulated camera, for photos one after the other.
final class PhotoRun: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because `photo` is written before `done` and read after.
  private let session = AVCaptureSession()
  private let camera: AVCaptureDevice
  private let output = AVCapturePhotoOutput()
  private let shown = Shown()
  private var photo: Result<AVCapturePhoto, any Error>?
  private let done = DispatchSemaphore(value: 0)

  /// A viewfinder that looks at nothing; a photo is of what it shows.
  private final class Shown: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    let first = DispatchSemaphore(value: 0)

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) { first.signal() }
  }

  init(_ scene: Scene, isFast: Bool = false, isDeferring: Bool = false) throws {
    SimulatedDevices.install(scene: scene, clock: .real)
    guard let camera = AVCaptureDevice.default(for: .video) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    self.camera = camera
    super.init()
    let viewfinder = AVCaptureVideoDataOutput()
    viewfinder.setSampleBufferDelegate(shown, queue: DispatchQueue(label: "viewfinder"))
    // Frames as large as the photos, so that no photo is painted for itself.
    viewfinder.automaticallyConfiguresOutputBufferDimensions = false
    viewfinder.deliversPreviewSizedOutputBuffers = false
    session.sessionPreset = .photo
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    session.addOutput(viewfinder)
    output.maxPhotoQualityPrioritization = .quality
    output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
    output.maxPhotoDimensions = camera.activeFormat.highResolutionStillImageDimensions
    if isFast, let fastest = camera.activeFormat.videoSupportedFrameRateRanges.map(\.minFrameDuration).min() {
      try camera.lockForConfiguration()
      camera.activeVideoMinFrameDuration = fastest
      camera.activeVideoMaxFrameDuration = fastest
      camera.unlockForConfiguration()
    }
    session.startRunning()
    guard shown.first.wait(timeout: .now() + 20) == .success else {
      throw BenchmarkError("The simulated camera shows nothing.")
    }
  }

  func stop() { session.stopRunning() }

  /// The pixel format of the camera's frames.
  var pixelFormat: OSType { camera.activeFormat.formatDescription.mediaSubType.rawValue }

  func take(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
    settings.maxPhotoDimensions = output.maxPhotoDimensions
    output.capturePhoto(with: settings, delegate: self)
    guard done.wait(timeout: .now() + 60) == .success, let photo else {
      throw BenchmarkError("The simulated camera took no photo.")
    }
    return try photo.get()
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    self.photo = error.map { .failure($0) } ?? .success(photo)
    done.signal()
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    photo = deferredPhotoProxy.map { .success($0) }
    done.signal()
  }
}

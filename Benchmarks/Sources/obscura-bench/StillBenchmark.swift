import AVFoundation
import CPeers
import Foundation
import SimulatedDevices
import StillCodecs

/// 12 MP stills: JPEG's time beside the bare TurboJPEG call, and HEIC's bytes beside JPEG's.
enum StillBenchmark {
  private static let pairs = 15
  private static let quality = 0.9
  /// JPEG's quality 90 keeps about this much of a photograph's luma.
  private static let decibels = 44.7

  static func run() throws -> [Figure] {
    let frame = try StillFrame.capture()
    return try [jpeg(frame, threads: 1), jpeg(frame, threads: 2), heic(frame)]
  }

  private static func jpeg(_ frame: StillFrame, threads: Int) throws -> Figure {
    var options = JPEGEncoder.Options()
    options.quality = quality
    options.threads = threads
    let peer = peer_turbojpeg_create()
    defer { peer_turbojpeg_destroy(peer) }
    let result = try medianRatio(
      pairs: pairs,
      ours: { try wallSeconds { _ = try JPEGEncoder.encode(frame.buffer, options: options) } },
      peer: {
        wallSeconds {
          _ = peer_turbojpeg_compress(
            peer, frame.luma, frame.blue, frame.red, Int32(frame.width), Int32(frame.height),
            Int32(quality * 100))
        }
      })
    return Figure(
      name: threads == 1 ? "jpeg.one-thread" : "jpeg.two-threads", value: result.ratio,
      detail: String(format: "%.1f ms, TurboJPEG %.1f ms", result.ours * 1000, result.peer * 1000))
  }

  /// The smallest file of each kind that keeps the luma.
  private static func heic(_ frame: StillFrame) throws -> Figure {
    let jpeg = try smallest(frame) { quality in
      var options = JPEGEncoder.Options()
      options.quality = quality
      let data = try JPEGEncoder.encode(frame.buffer, options: options)
      return (data, try JPEGDecoder.decode(data))
    }
    let heic = try smallest(frame) { quality in
      var options = HEICEncoder.Options()
      options.quality = quality
      options.threads = 2
      let data = try HEICEncoder.encode(frame.buffer, options: options)
      return (data, try HEICDecoder.decode(data))
    }
    return Figure(
      name: "heic.bytes", value: Double(heic.bytes) / Double(jpeg.bytes),
      detail: String(
        format: "%d bytes at %.2f dB (quality %.2f), JPEG %d bytes at %.2f dB (quality %.2f)", heic.bytes,
        heic.decibels, heic.quality, jpeg.bytes, jpeg.decibels, jpeg.quality))
  }

  private static func smallest(
    _ frame: StillFrame, encode: (Double) throws -> (Data, CVPixelBuffer)
  ) throws -> (bytes: Int, decibels: Double, quality: Double) {
    var (low, high) = (0, 100)
    var best: (bytes: Int, decibels: Double, quality: Double)?
    while low < high {
      let middle = (low + high) / 2
      let (data, picture) = try encode(Double(middle) / 100)
      let kept = frame.lumaDecibels(of: picture)
      if kept >= decibels {
        best = (data.count, kept, Double(middle) / 100)
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard let best else { throw BenchmarkError("No quality keeps \(decibels) dB of luma.") }
    return best
  }
}

/// A 12 MP frame of the simulated camera, as a 420f buffer and as the separate planes that TurboJPEG takes.
final class StillFrame {
  let buffer: CVPixelBuffer
  let width: Int
  let height: Int
  let luma: [UInt8]
  let blue: [UInt8]
  let red: [UInt8]

  static func capture() throws -> StillFrame {
    SimulatedDevices.install(scene: .builtIn, clock: .real)
    guard let camera = AVCaptureDevice.default(for: .video) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    let session = AVCaptureSession()
    let output = AVCapturePhotoOutput()
    session.sessionPreset = .photo
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    session.startRunning()
    defer { session.stopRunning() }
    let delegate = OnePhoto()
    let settings = AVCapturePhotoSettings(format: [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ])
    settings.maxPhotoDimensions = output.maxPhotoDimensions
    output.capturePhoto(with: settings, delegate: delegate)
    return try StillFrame(try delegate.wait())
  }

  private init(_ buffer: CVPixelBuffer) throws {
    guard CVPixelBufferGetWidth(buffer) == 4032, CVPixelBufferGetHeight(buffer) == 3024 else {
      throw BenchmarkError("The simulated camera's still is not 4032×3024.")
    }
    // Both sides take the bytes as what JPEG holds; neither is to convert.
    CVBufferSetAttachment(
      buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    self.buffer = buffer
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    let planes = Self.planes(of: buffer)
    luma = planes.luma
    blue = planes.blue
    red = planes.red
  }

  /// The peak signal-to-noise ratio of `picture`'s luma to this frame's.
  func lumaDecibels(of picture: CVPixelBuffer) -> Double {
    let other = Self.planes(of: picture).luma
    var squares = 0
    for (left, right) in zip(luma, other) {
      let difference = Int(left) - Int(right)
      squares += difference * difference
    }
    return 10 * log10(255 * 255 * Double(luma.count) / Double(max(squares, 1)))
  }

  private static func planes(of buffer: CVPixelBuffer) -> (luma: [UInt8], blue: [UInt8], red: [UInt8]) {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    var luma: [UInt8] = []
    luma.reserveCapacity(width * height)
    for row in 0..<height { luma += rowBytes(buffer, plane: 0, row, width) }
    var blue: [UInt8] = []
    var red: [UInt8] = []
    for row in 0..<height / 2 {
      let pairs = rowBytes(buffer, plane: 1, row, width)
      blue += stride(from: 0, to: width, by: 2).map { pairs[$0] }
      red += stride(from: 1, to: width, by: 2).map { pairs[$0] }
    }
    return (luma, blue, red)
  }

  private static func rowBytes(
    _ buffer: CVPixelBuffer, plane: Int, _ row: Int, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    let start = base + row * CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
    return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }
}

private final class OnePhoto: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because `picture` is read only after `done`.
  private var picture: Result<CVPixelBuffer, any Error>?
  private let done = DispatchSemaphore(value: 0)

  func wait() throws -> CVPixelBuffer {
    guard done.wait(timeout: .now() + 60) == .success, let picture else {
      throw BenchmarkError("The simulated camera took no photo.")
    }
    return try picture.get()
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    if let buffer = photo.pixelBuffer {
      picture = .success(buffer)
    } else {
      picture = .failure(error ?? BenchmarkError("The photo has no pixels."))
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    done.signal()
  }
}

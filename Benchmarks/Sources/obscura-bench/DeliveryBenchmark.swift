import AVFoundation
import CPeers
import Foundation
import PixelTransforms
import SimulatedDevices

/// CPU time for each 1080p frame at 30/s from a simulated device without pixel work to a delegate, beside GStreamer's live
/// `fakesrc ! appsink` at the same rate.
enum DeliveryBenchmark {
  private static let rate = 30
  private static let frames = 150
  private static let frameBytes = 1920 * 1080 * 3 / 2

  static func run() throws -> [Figure] {
    SimulatedDevices.install(scene: .blank, clock: .real)
    let capture = try Delivery()
    let result = try medianRatio(pairs: 5, ours: { try capture.cpuSecondsPerFrame(frames) }) {
      let start = cpuSeconds()
      let count = peer_gstreamer_delivery(Int32(rate), frameBytes, Int32(frames))
      guard count > 0 else { throw BenchmarkError("GStreamer's pipeline did not start.") }
      return (cpuSeconds() - start) / Double(count)
    }
    return [
      Figure(
        name: "delivery.cpu", value: result.ratio,
        detail: String(
          format: "%.3f ms CPU a frame, GStreamer %.3f ms", result.ours * 1000, result.peer * 1000)),
      Figure(
        name: "delivery.copied-bytes", value: Double(capture.bytesCopied),
        detail: "bytes written by transforms over all frames"),
    ]
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A session that delivers 1080p frames to a delegate which does nothing.
private final class Delivery {
  private let session = AVCaptureSession()
  private let receiver = Receiver()
  private let start: Int

  init() throws {
    start = PixelTraffic.bytesWritten
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
      throw BenchmarkError("The simulated device is missing.")
    }
    let output = AVCaptureVideoDataOutput()
    output.setSampleBufferDelegate(receiver, queue: DispatchQueue(label: "benchmark.frames"))
    session.beginConfiguration()
    session.sessionPreset = .hd1920x1080
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    session.commitConfiguration()
  }

  var bytesCopied: Int { PixelTraffic.bytesWritten - start }

  func cpuSecondsPerFrame(_ count: Int) throws -> Double {
    receiver.expect(count)
    let begin = cpuSeconds()
    session.startRunning()
    let arrived = receiver.wait(seconds: Double(count) / 30 + 10)
    let used = cpuSeconds() - begin
    session.stopRunning()
    guard arrived else { throw BenchmarkError("The simulated camera delivered too few frames.") }
    return used / Double(count)
  }
}

private final class Receiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because the counter is touched on the delegate's serial queue only, but for `expect` while nothing runs.
  private var remaining = 0
  private let reached = DispatchSemaphore(value: 0)

  func expect(_ count: Int) { remaining = count }

  func wait(seconds: Double) -> Bool { reached.wait(timeout: .now() + seconds) == .success }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    remaining -= 1
    if remaining == 0 { reached.signal() }
  }
}

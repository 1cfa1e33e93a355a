import AVFoundation
import CPeers
import Foundation
import PixelTransforms
import SimulatedDevices

/// CPU time for each 1080p frame at 30/s from a simulated device without pixel work to a delegate on a queue of its own, beside
/// GStreamer's live `fakesrc ! queue ! appsink` at the same rate; and beside it without the queue, where the sink calls on the
/// thread that waits for the clock.
enum DeliveryBenchmark {
  private static let rate = 30
  /// Frames before the count begins: opening the device and painting its buffers once is no part of delivery.
  fileprivate static let warmUp = 30
  fileprivate static let frames = 150
  private static let frameBytes = 1920 * 1080 * 3 / 2

  static func run() throws -> [Figure] {
    SimulatedDevices.install(scene: .blank, clock: .real)
    let capture = try Delivery()
    func measure(hasQueue: Bool) throws -> (ratio: Double, ours: Double, peer: Double) {
      try medianRatio(pairs: 7, ours: { try capture.cpuSecondsPerFrame() }) {
        let seconds = peer_gstreamer_delivery(
          Int32(rate), frameBytes, Int32(warmUp), Int32(frames), hasQueue ? 1 : 0)
        guard seconds > 0 else { throw BenchmarkError("GStreamer's pipeline did not deliver.") }
        return seconds / Double(frames)
      }
    }
    let result = try measure(hasQueue: true)
    let oneThread = try measure(hasQueue: false)
    return [
      Figure(
        name: "delivery.cpu", value: result.ratio,
        detail: String(
          format: "%.3f ms CPU a frame, GStreamer %.3f ms; %.2f times that of one thread, %.3f ms",
          result.ours * 1000, result.peer * 1000, oneThread.ratio, oneThread.peer * 1000)),
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

  func cpuSecondsPerFrame() throws -> Double {
    receiver.begin()
    session.startRunning()
    let used = receiver.wait(seconds: Double(DeliveryBenchmark.warmUp + DeliveryBenchmark.frames) / 30 + 10)
    session.stopRunning()
    guard let used else { throw BenchmarkError("The simulated camera delivered too few frames.") }
    return used / Double(DeliveryBenchmark.frames)
  }
}

private final class Receiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because the counts are touched on the delegate's serial queue only, but for `begin` while nothing runs and
  // `wait` after the signal.
  private var count = 0
  private var from = 0.0
  private var to = 0.0
  private let reached = DispatchSemaphore(value: 0)

  func begin() { count = 0 }

  /// The CPU seconds from the end of the warm-up to the last frame.
  func wait(seconds: Double) -> Double? {
    reached.wait(timeout: .now() + seconds) == .success ? to - from : nil
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    count += 1
    if count == DeliveryBenchmark.warmUp { from = cpuSeconds() }
    if count == DeliveryBenchmark.warmUp + DeliveryBenchmark.frames {
      to = cpuSeconds()
      reached.signal()
    }
  }
}

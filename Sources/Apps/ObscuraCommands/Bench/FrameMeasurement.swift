internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import Glibc
internal import Linux

/// What the frames of a camera cost on their way to a video data output, decoded where the camera codes them.
struct FrameMeasurement: Encodable {
  let schema = "obscura.bench.frames"
  let version = 1
  let device: String
  let width: Int
  let height: Int
  let encoding: String
  let seconds: Double
  let frames: Int
  let dropped: Int
  /// Milliseconds of the process's CPU time for each frame.
  let milliseconds: Double
  /// Milliseconds from a frame's time stamp to the delegate's call: the median, and the latest of a hundred.
  let delay: Double
  let latest: Double
  /// Each call of the delegate, in order.
  let calls: [Call]

  /// One call of the delegate.
  ///
  /// With a source of known brightness, time and luma give the latency from glass to callback.
  struct Call: Encodable {
    /// Seconds of the host's clock (`CLOCK_MONOTONIC`).
    let at: Double
    /// The luma of the picture's middle, 0...255; `nil` for pixel formats other than '420v' and '420f'.
    let luma: UInt8?
  }

  private struct Count {
    var dropped = 0
    var delays: [Double] = []
    var calls: [Call] = []
  }

  /// Takes the frames of `count` thirtieths of a second, after a second in which the camera settles.
  /// - Throws: `CameraTaskError`.
  init(of camera: AVCaptureDevice, frames wanted: Int, stop: StopRequest) throws {
    let run = try CameraRun(camera: camera, stop: stop)
    let output = AVCaptureVideoDataOutput()
    let counter = Counter()
    output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "obscura.bench-frames"))
    run.session.addOutput(output)
    try run.start()
    defer { run.stop() }
    try run.sleep(until: .now.advanced(byNanoseconds: 1_000_000_000))
    let (before, start) = (Self.processNanoseconds, MonotonicInstant.now)
    counter.count.withLock { $0 = Count() }
    try run.sleep(until: start.advanced(byNanoseconds: Int64(wanted) * 33_333_333))
    let (count, cost) = (counter.count.withLock { $0 }, Self.processNanoseconds - before)
    seconds = Double(MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1e9
    device = camera.localizedName
    let format = camera.activeFormat.formatDescription
    (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
    encoding = "\(format.mediaSubType)"
    (frames, dropped, calls) = (count.calls.count, count.dropped, count.calls)
    milliseconds = Double(cost) / 1e6 / Double(max(frames, 1))
    let delays = count.delays.sorted()
    delay = delays.isEmpty ? 0 : delays[delays.count / 2]
    latest = delays.isEmpty ? 0 : delays[delays.count * 99 / 100]
  }

  /// For people.
  var text: String {
    String(
      format:
        "%@, %@ %d×%d: %d frames in %.1f s, %d dropped; %.2f ms of CPU a frame; called after %.1f ms, %.1f ms of a hundred at most",
      device, encoding, width, height, frames, seconds, dropped, milliseconds, delay, latest)
  }

  private static var processNanoseconds: Int64 {
    var time = Glibc.timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private final class Counter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    let count = Locked(Count())

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
      let now = CMClockGetTime(CMClockGetHostTimeClock())
      let call = Call(at: now.seconds, luma: sampleBuffer.imageBuffer.flatMap(Self.middle))
      count.withLock { count in
        count.delays.append((now - sampleBuffer.presentationTimeStamp).seconds * 1000)
        count.calls.append(call)
      }
    }

    private static func middle(_ picture: CVPixelBuffer) -> UInt8? {
      let formats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      ]
      guard formats.contains(CVPixelBufferGetPixelFormatType(picture)),
        CVPixelBufferLockBaseAddress(picture, .readOnly) == kCVReturnSuccess
      else { return nil }
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      let row = CVPixelBufferGetBaseAddressOfPlane(picture, 0)?.advanced(
        by: CVPixelBufferGetHeight(picture) / 2 * CVPixelBufferGetBytesPerRowOfPlane(picture, 0))
      return row?.load(fromByteOffset: CVPixelBufferGetWidth(picture) / 2, as: UInt8.self)
    }

    func captureOutput(
      _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
      count.withLock { $0.dropped += 1 }
    }
  }
}

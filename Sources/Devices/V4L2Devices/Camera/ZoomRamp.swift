internal import Glibc
internal import Linux

/// Zooms a camera evenly to a factor: the kernel knows no such ramp, so it is made of steps.
final class ZoomRamp: Sendable {
  /// The interval of the steps: a frame of most cameras.
  private static let stepNanoseconds: Int64 = 33_000_000

  private let hasEnded = Monitor(false)

  /// Begins at once, on a thread of its own, by `rate` powers of two a second.
  init(_ camera: V4L2Camera, from: Double, to factor: Double, rate: Float) throws(SystemError) {
    let seconds = abs(log2(factor / from)) / Double(max(abs(rate), 0.01))
    let began = MonotonicInstant.now
    _ = try ReaderThread(name: "obscura-zoom") { [weak camera, self] in
      while true {
        let next = MonotonicInstant.now.advanced(byNanoseconds: Self.stepNanoseconds)
        if hasEnded.wait(until: next, for: { $0 }, then: { _ in }) != nil { return }
        let passed = Double(MonotonicInstant.now.nanoseconds - began.nanoseconds) / 1e9
        let isLast = passed >= seconds
        let present = isLast ? factor : from * pow(factor / from, passed / seconds)
        guard let camera, camera.takeStep(of: self, to: present, isLast: isLast), !isLast else { return }
      }
    }
  }

  /// Stops where it is; a step under way is the last.
  func end() {
    hasEnded.withLock { $0 = true }
  }
}

import AVFoundation
import Linux
import VirtualCameras

/// A virtual camera that keeps what other programs would see; a test says who watches.
final class WatchedCamera: VirtualCamera {
  struct Seen {
    var report: (@Sendable (VirtualCameraEvent) -> Void)?
    var offers = 0
    var isOffered = false
    var pictures: [CVPixelBuffer] = []
    var times: [CMTime] = []
  }

  let seen = Monitor(Seen())
  /// Why it cannot be offered; `nil` where it can.
  let problem = Locked<VirtualCameraProblem?>(nil)

  func open(_ report: @escaping @Sendable (VirtualCameraEvent) -> Void) throws(VirtualCameraProblem)
    -> any VirtualCamera
  {
    let problem = problem.withLock { $0 }
    seen.withLock { seen in
      seen.offers += 1
      if problem == nil { (seen.report, seen.isOffered) = (report, true) }
    }
    if let problem { throw problem }
    return self
  }

  func show(_ picture: CVPixelBuffer, at time: CMTime) {
    seen.withLock { seen in
      seen.pictures.append(picture)
      seen.times.append(time)
    }
  }

  func close() { seen.withLock { $0.isOffered = false } }

  func report(_ event: VirtualCameraEvent) {
    let report = seen.withLock { $0.report }
    report?(event)
  }

  /// Waits for what it sees; false when it does not come.
  func wait(for isThere: (Seen) -> Bool) -> Bool {
    seen.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: isThere, then: { _ in true }) ?? false
  }
}

extension CVPixelBuffer {
  /// The greatest difference of chroma from grey.
  var mostChroma: Int {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(self, 1) else { return -1 }
    let stride = CVPixelBufferGetBytesPerRowOfPlane(self, 1)
    return (0..<CVPixelBufferGetHeightOfPlane(self, 1)).map { row in
      UnsafeRawBufferPointer(start: base + row * stride, count: 2 * CVPixelBufferGetWidthOfPlane(self, 1))
        .map { abs(Int($0) - 128) }.max() ?? 0
    }.max() ?? 0
  }

  /// Whether its luma has more than one value.
  var showsSomething: Bool {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(self, 0) else { return false }
    let row = base + CVPixelBufferGetHeight(self) / 2 * CVPixelBufferGetBytesPerRowOfPlane(self, 0)
    return Set(UnsafeRawBufferPointer(start: row, count: CVPixelBufferGetWidth(self))).count > 1
  }
}

/// The states of a virtual camera, in order.
final class CameraStates: Sendable {
  private let states = Monitor<[VirtualCameraState]>([])

  @Sendable func note(_ state: VirtualCameraState) { states.withLock { $0.append(state) } }

  var all: [VirtualCameraState] { states.withLock { $0 } }

  /// Waits until this is how it is, after so many reports.
  func wait(for state: VirtualCameraState, after count: Int = 0) -> Bool {
    states.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count > count && $0.last == state },
      then: { _ in true }) ?? false
  }
}

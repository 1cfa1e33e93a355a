import AVFoundation
import Linux

/// Counts how often each photo has ended.
final class PhotoTally: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because its state is behind locks.
  private let ends = Monitor<[Int64: Int]>([:])
  private let successes = Locked(0)
  /// Called at each end.
  let inside = Hook<Void>()

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    ends.withLock { $0[resolvedSettings.uniqueID, default: 0] += 1 }
    if error == nil { successes.withLock { $0 += 1 } }
    inside.call()
  }

  var succeeded: Int { successes.withLock { $0 } }

  var twice: [Int64] { ends.withLock { $0.filter { $0.value > 1 }.map(\.key) } }

  func missing(_ asked: [Int64]) -> Int { ends.withLock { ends in asked.count { ends[$0] == nil } } }

  func waitForAll(_ asked: [Int64]) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return ends.wait(until: deadline) { ends in
      asked.allSatisfy { ends[$0] != nil }
    } then: { _ in
      true
    } ?? false
  }
}

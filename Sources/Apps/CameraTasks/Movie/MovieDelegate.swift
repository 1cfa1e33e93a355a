internal import AVFoundation
internal import Foundation
internal import Linux

/// Notes how the recordings of a run go.
final class MovieDelegate: AVCaptureFileOutputRecordingDelegate, Sendable {
  struct Ended: Sendable {
    var url: URL
    var error: AVError?

    /// Whether there is a file that can be played.
    var isPlayable: Bool {
      error.map { $0.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true } ?? true
    }
  }

  struct Progress: Sendable {
    var hasStarted = false
    var begun = 0
    var ended: [Ended] = []
  }

  let progress = Monitor(Progress())

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    progress.withLock { $0.hasStarted = true }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    let ended = Ended(url: outputFileURL, error: error as? AVError)
    progress.withLock { $0.ended.append(ended) }
  }
}

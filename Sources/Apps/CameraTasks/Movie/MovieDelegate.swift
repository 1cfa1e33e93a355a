internal import AVFoundation
internal import CoreMedia
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
    /// The files that have begun, each with the time of its first frame.
    var started: [(url: URL, time: CMTime)] = []
    var ended: [Ended] = []
  }

  let progress = Monitor(Progress())

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
    from connections: [AVCaptureConnection]
  ) {
    progress.withLock { $0.started.append((fileURL, startPTS)) }
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    let ended = Ended(url: outputFileURL, error: error as? AVError)
    progress.withLock { $0.ended.append(ended) }
  }
}

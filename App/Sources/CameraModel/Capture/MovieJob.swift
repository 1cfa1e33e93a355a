import AVFoundation

/// One movie from the press to its file.
final class MovieJob: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  // Safe because everything is constant.
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let date: Date

  init(engine: CaptureEngine, keeper: PhotoKeeper) {
    self.engine = engine
    date = engine.time.date
    self.keeper = keeper
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    engine.send(.recording(.recording))
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    engine.send(.recording(.paused))
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    engine.send(.recording(.recording))
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    let (engine, keeper, date) = (engine, keeper, date)
    let isWhole =
      error == nil
      || (error as? NSError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true
    let reason = error?.localizedDescription
    engine.fileQueue.async {
      if isWhole {
        engine.storeMovie(outputFileURL, keeper, date)
        if let reason { engine.send(.movieEnded(reason)) }
      } else {
        engine.send(.movieFailed(reason ?? ""))
      }
      engine.send(.recording(.idle))
      engine.queue.async { engine.movie = nil }
    }
  }
}

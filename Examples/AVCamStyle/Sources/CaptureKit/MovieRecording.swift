import AVFoundation

/// One movie, from its first frame to its whole file.
final class MovieRecording: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  // Safe because of streams and constants alone.

  private let starts = AsyncThrowingStream<Void, any Error>.makeStream()
  private let ends = AsyncThrowingStream<URL, any Error>.makeStream()

  /// Returns when the first frame is recorded.
  func start(_ output: AVCaptureMovieFileOutput, _ url: URL) async throws {
    output.startRecording(to: url, recordingDelegate: self)
    for try await _ in starts.stream { return }
    // It ended before it began.
    _ = try await finished()
  }

  func finished() async throws -> URL {
    for try await url in ends.stream { return url }
    throw CancellationError()
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
  ) {
    starts.continuation.yield()
    starts.continuation.finish()
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    starts.continuation.finish()
    // A full disk ends a movie that plays all the same.
    let isWhole = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? true
    if let error, !isWhole {
      ends.continuation.finish(throwing: error)
    } else {
      ends.continuation.yield(outputFileURL)
      ends.continuation.finish()
    }
  }
}

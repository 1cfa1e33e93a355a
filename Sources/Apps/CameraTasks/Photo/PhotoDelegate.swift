internal import AVFoundation
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Keeps what becomes of one photo.
final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  struct Progress {
    var isCaptured = false
    var delivered: MonotonicInstant?
    /// Whether all of the photo has been reported.
    var isFinished = false
    /// The photo, without the raw picture beside it.
    var processed: AVCapturePhoto?
    /// The sensor's numbers.
    var raw: AVCapturePhoto?
    /// Why all of it failed, or a part.
    var error: (any Error)?
  }

  let progress = Monitor(Progress())
  /// What became of its movie; `nil` for a photo without one.
  let film = Locked<Result<URL, any Error>?>(nil)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    progress.withLock { $0.isCaptured = true }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    progress.withLock { progress in
      progress.delivered = WorldTime.current.now
      guard error == nil else { return }
      if photo.isRawPhoto { progress.raw = photo } else { progress.processed = photo }
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    film.withLock { $0 = error.map { .failure($0) } ?? .success(outputFileURL) }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    progress.withLock { progress in
      progress.isFinished = true
      progress.error = error
    }
  }
}

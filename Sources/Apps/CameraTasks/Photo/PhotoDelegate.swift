internal import AVFoundation
internal import CoreMedia
internal import Foundation
internal import Linux

/// Keeps what becomes of one photo.
final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  struct Progress {
    var isCaptured = false
    var delivered: MonotonicInstant?
    var outcome: Result<AVCapturePhoto, any Error>?
  }

  let progress = Monitor(Progress())
  private let photo = Locked<AVCapturePhoto?>(nil)
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
    progress.withLock { $0.delivered = .now }
    if error == nil { self.photo.withLock { $0 = photo } }
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
    let photo = self.photo.withLock { $0 }
    progress.withLock { progress in
      if let error {
        progress.outcome = .failure(error)
      } else if let photo {
        progress.outcome = .success(photo)
      } else {
        progress.outcome = .failure(AVError(.noDataCaptured))
      }
    }
  }
}

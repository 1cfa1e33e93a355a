internal import AVFoundation
internal import CoreMedia
internal import Foundation
internal import Linux

/// Keeps what becomes of one photo.
final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  struct Progress {
    var isCaptured = false
    var delivered: MonotonicInstant?
    /// The photo, and the raw picture beside it; of a raw picture alone, that.
    var outcome: Result<(photo: AVCapturePhoto, raw: AVCapturePhoto?), any Error>?
  }

  let progress = Monitor(Progress())
  private let photos = Locked<[AVCapturePhoto]>([])
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
    if error == nil { photos.withLock { $0.append(photo) } }
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
    let photos = photos.withLock { $0 }
    let raw = photos.first(where: \.isRawPhoto)
    let processed = photos.first { !$0.isRawPhoto }
    progress.withLock { progress in
      if let error {
        progress.outcome = .failure(error)
      } else if let photo = processed ?? raw {
        progress.outcome = .success((photo, processed == nil ? nil : raw))
      } else {
        progress.outcome = .failure(AVError(.noDataCaptured))
      }
    }
  }
}

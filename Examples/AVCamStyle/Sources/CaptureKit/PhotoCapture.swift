import AVFoundation

/// One photo on its way.
final class PhotoCapture: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because the output calls it on one queue, after `photo(from:_:)` has set what is used there.

  private var continuation: CheckedContinuation<Data, any Error>?
  private var result: Result<Data, any Error>?

  func photo(from output: AVCapturePhotoOutput, _ settings: AVCapturePhotoSettings) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      output.capturePhoto(with: settings, delegate: self)
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    if let error {
      result = .failure(error)
    } else {
      result = photo.fileDataRepresentation().map { .success($0) }
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    let outcome = error.map { .failure($0) } ?? result ?? .failure(AVError(.unknown))
    continuation?.resume(with: outcome)
    continuation = nil
  }
}

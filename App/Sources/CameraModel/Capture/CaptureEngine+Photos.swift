import AVFoundation

extension CaptureEngine {
  /// Takes a photo with settings that were announced to the readiness coordinator.
  func takePhoto(
    _ settings: AVCapturePhotoSettings, format: PhotoFormat, into keeper: PhotoKeeper
  ) {
    // Safe because the caller does not touch them again.
    nonisolated(unsafe) let photo = settings
    queue.async {
      guard self.session.isRunning, self.has(self.photoOutput),
        self.photoOutput.connection(with: .video)?.isActive == true
      else {
        self.send(.photoFailed(""))
        return self.send(.photoEnded)
      }
      // The camera may have been changed since the press.
      if !self.photoOutput.supportedFlashModes.contains(photo.flashMode) { photo.flashMode = .off }
      let job = PhotoCapture(engine: self, keeper: keeper, format: format)
      self.photos[photo.uniqueID] = job
      self.photoOutput.capturePhoto(with: photo, delegate: job)
    }
  }
}

import AVFoundation
import Foundation

extension CaptureEngine {
  /// Takes a photo with settings that were announced to the readiness coordinator.
  ///
  /// - Parameter isSingle: Whether it comes with a movie and depth where these are chosen and the camera has them; one of a burst does not.
  func takePhoto(
    _ settings: AVCapturePhotoSettings, format: PhotoFormat, isSingle: Bool = false,
    into keeper: PhotoKeeper
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
      photo.isDepthDataDeliveryEnabled =
        isSingle && format.codec != nil && self.photoOutput.isDepthDataDeliveryEnabled
      // Pixels have no place for the name that a photo shares with its movie.
      if isSingle, format.codec != nil, self.photoOutput.isLivePhotoCaptureEnabled {
        photo.livePhotoMovieFileURL = FileManager.default.temporaryDirectory.appendingPathComponent(
          "obscura-camera-\(UUID().uuidString).mov")
      }
      let job = PhotoCapture(
        engine: self, keeper: keeper, format: format, hasFilm: photo.livePhotoMovieFileURL != nil,
        hasScreenFlash: self.hasScreenFlash)
      self.photos[photo.uniqueID] = job
      self.photoOutput.capturePhoto(with: photo, delegate: job)
    }
  }

  /// Whether the camera's flash is the screen: a front camera's that has no lamp.
  private var hasScreenFlash: Bool {
    guard let device = input?.device else { return false }
    return device.position == .front && device.hasFlash && !device.hasTorch
  }
}

import AVFoundation

/// One photo from the press to its file.
final class PhotoJob: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because the output calls on one queue, and the rest is constant.
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let format: PhotoFormat
  /// What is made of a photo that comes as pixels; `nil` for one that comes as a file.
  private let look: PhotoLook?
  private let date = Date()

  init(engine: CaptureEngine, keeper: PhotoKeeper, format: PhotoFormat, look: PhotoLook?) {
    self.engine = engine
    self.keeper = keeper
    self.format = format
    self.look = look
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    engine.send(.photoExposed)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    guard error == nil, let data = file(of: photo) else {
      return engine.send(.photoFailed(error?.localizedDescription ?? ""))
    }
    keep(data, isProxy: false)
  }

  private func file(of photo: AVCapturePhoto) -> Data? {
    guard let look else { return photo.fileDataRepresentation() }
    return DevelopedPhoto.file(of: photo, look, format)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    guard error == nil, let data = deferredPhotoProxy?.fileDataRepresentation() else {
      return engine.send(.photoFailed(error?.localizedDescription ?? ""))
    }
    keep(data, isProxy: true)
  }

  private func keep(_ data: Data, isProxy: Bool) {
    let (engine, keeper, suffix, date) = (engine, keeper, format.suffix, date)
    // The picture does not wait for the library, which at the start is still being opened.
    engine.thumbnailQueue.async {
      let thumbnail =
        PictureReader.thumbnail(of: data, longerSide: 256) ?? Thumbnail(width: 0, height: 0, bytes: Data())
      engine.send(.thumbnail(thumbnail))
      engine.fileQueue.async { Self.store(data, thumbnail, engine, keeper, isProxy, suffix, date) }
    }
  }

  private static func store(
    _ data: Data, _ thumbnail: Thumbnail, _ engine: CaptureEngine, _ keeper: PhotoKeeper, _ isProxy: Bool,
    _ suffix: String, _ date: Date
  ) {
    do {
      let kept = try keeper.keep(data, isProxy: isProxy, suffix: suffix, date: date)
      engine.send(.photoStored(StoredPhoto(place: kept.place, thumbnail: thumbnail)))
      if let refusal = kept.refusal { engine.send(.keptAsFile(refusal)) }
    } catch {
      engine.send(.photoNotStored(error.localizedDescription))
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    let (engine, id) = (engine, resolvedSettings.uniqueID)
    // After the file is stored, so that nothing is under way any more when this is reported.
    engine.thumbnailQueue.async {
      engine.fileQueue.async {
        engine.send(.photoEnded)
        engine.queue.async { engine.photos[id] = nil }
      }
    }
  }
}

extension CaptureEngine {
  /// Takes a photo with settings that were announced to the readiness coordinator.
  ///
  /// - Parameter look: For settings that ask for pixels of BGRA; else `nil`.
  func takePhoto(
    _ settings: AVCapturePhotoSettings, format: PhotoFormat, look: PhotoLook?, into keeper: PhotoKeeper
  ) {
    // Safe because the caller does not touch them again.
    nonisolated(unsafe) let photo = settings
    queue.async {
      guard self.session.isRunning, self.session.outputs.contains(where: { $0 === self.photoOutput }),
        self.photoOutput.connection(with: .video)?.isActive == true
      else {
        self.send(.photoFailed(""))
        return self.send(.photoEnded)
      }
      // The camera may have been changed since the press.
      if !self.photoOutput.supportedFlashModes.contains(photo.flashMode) { photo.flashMode = .off }
      let job = PhotoJob(engine: self, keeper: keeper, format: format, look: look)
      self.photos[photo.uniqueID] = job
      self.photoOutput.capturePhoto(with: photo, delegate: job)
    }
  }
}

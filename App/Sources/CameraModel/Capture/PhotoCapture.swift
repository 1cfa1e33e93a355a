import AVFoundation

/// One photo from the press to its file.
final class PhotoCapture: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because the output calls on one queue, and what it changes is used there only.
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let format: PhotoFormat
  private let date = Date()
  private var isLongExposure = false

  init(engine: CaptureEngine, keeper: PhotoKeeper, format: PhotoFormat) {
    self.engine = engine
    self.keeper = keeper
    self.format = format
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    guard output.captureReadiness == .notReadyWaitingForCapture, !resolvedSettings.isFlashEnabled else {
      return
    }
    isLongExposure = true
    engine.send(.longExposure(seconds: resolvedSettings.photoProcessingTimeRange.start.seconds))
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    engine.send(.photoExposed)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    endLongExposure()
  }

  private func endLongExposure() {
    guard isLongExposure else { return }
    isLongExposure = false
    engine.send(.longExposureEnded)
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
    format.codec == nil ? DevelopedPhoto.file(of: photo, format) : photo.fileDataRepresentation()
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
      if isProxy, case .asset(let identifier) = kept.place {
        engine.laterPhotos.change { $0.append(identifier) }
      }
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
    endLongExposure()
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

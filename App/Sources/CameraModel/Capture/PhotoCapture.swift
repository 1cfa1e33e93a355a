import AVFoundation
import CoreMedia
import Foundation

/// One photo from the press to its file.
final class PhotoCapture: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because the output calls on one queue, and what it changes is used there only.
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let format: PhotoFormat
  private let date: Date
  private var isLongExposure = false
  /// Whether the camera's flash is the screen, and whether that is lit.
  private let hasScreenFlash: Bool
  private var isLit = false
  /// Whether its movie is still to come; a photo waits for it, for the library takes both as one.
  private var awaitsFilm: Bool
  private var film: URL?
  /// What the sensor counted, which comes before the photo.
  private var raw: Data?
  /// The photo, which waits to be stored.
  private var photo: (data: Data, isProxy: Bool)?

  init(
    engine: CaptureEngine, keeper: PhotoKeeper, format: PhotoFormat, hasFilm: Bool = false,
    hasScreenFlash: Bool
  ) {
    self.engine = engine
    date = engine.time.date
    self.keeper = keeper
    self.format = format
    self.hasScreenFlash = hasScreenFlash
    awaitsFilm = hasFilm
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    if hasScreenFlash, resolvedSettings.isFlashEnabled {
      isLit = true
      engine.send(.screenFlash(isLit: true))
    }
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
    endScreenFlash()
  }

  private func endScreenFlash() {
    guard isLit else { return }
    isLit = false
    engine.send(.screenFlash(isLit: false))
  }

  private func endLongExposure() {
    guard isLongExposure else { return }
    isLongExposure = false
    engine.send(.longExposureEnded)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    if photo.isRawPhoto {
      raw = error == nil ? photo.fileDataRepresentation() : nil
      // The photo is kept without it.
      if raw == nil { engine.send(.photoFailed(error?.localizedDescription ?? "")) }
      return
    }
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

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    awaitsFilm = false
    // Without its movie it is a photo as any other.
    if error == nil { film = outputFileURL }
    storeIfWhole()
  }

  private func keep(_ data: Data, isProxy: Bool) {
    photo = (data, isProxy)
    let (engine, thumbnail) = (engine, thumbnail)
    // The picture does not wait for the library, which at the start is still being opened, nor for the movie.
    engine.thumbnailQueue.async {
      let small =
        PictureReader.thumbnail(of: data, longerSide: 256) ?? Thumbnail(width: 0, height: 0, bytes: Data())
      thumbnail.change { $0 = small }
      engine.send(.thumbnail(small))
    }
    storeIfWhole()
  }

  /// The picture that is shown for it, once there is one.
  private let thumbnail = Guarded<Thumbnail?>(nil)

  private func storeIfWhole() {
    guard !awaitsFilm, let (data, isProxy) = photo else { return }
    photo = nil
    let (engine, keeper, suffix, date) = (engine, keeper, format.suffix, date)
    let (film, raw, thumbnail) = (film, raw, thumbnail)
    self.film = nil
    engine.thumbnailQueue.async {
      let small = thumbnail.change { $0 } ?? Thumbnail(width: 0, height: 0, bytes: Data())
      engine.fileQueue.async { Self.store(data, film, raw, small, engine, keeper, isProxy, suffix, date) }
    }
  }

  private static func store(
    _ data: Data, _ film: URL?, _ raw: Data?, _ thumbnail: Thumbnail, _ engine: CaptureEngine,
    _ keeper: PhotoKeeper,
    _ isProxy: Bool, _ suffix: String, _ date: Date
  ) {
    do {
      let kept = try keeper.keep(data, isProxy: isProxy, suffix: suffix, date: date, film: film, raw: raw)
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
    // Of a photo that failed.
    endScreenFlash()
    if let film { try? FileManager.default.removeItem(at: film) }
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

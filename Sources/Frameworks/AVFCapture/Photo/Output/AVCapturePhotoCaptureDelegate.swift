public import CoreMedia
public import Foundation
internal import FoundationExtras

/// Hears how a photo comes about.
///
/// For each photo, in this order: `willBeginCaptureFor`, `willCapturePhotoFor`, `didCapturePhotoFor`,
/// `didFinishProcessingPhoto` or `didFinishCapturingDeferredPhotoProxy`, `didFinishCaptureFor`; the last comes exactly once whatever happens. A photo that fails, or is
/// refused, gets them all too, its error in the last two: for a bracket `didFinishProcessingPhoto` comes once for each picture, and for a
/// raw picture with a processed one beside it once for each, the raw one first.
/// The delegate is retained until then.
///
/// With a Live Photo two calls more come before the last one: `didFinishRecordingLivePhotoMovieForEventualFileAt` and
/// `didFinishProcessingLivePhotoToMovieFileAt`, in this order, after `willBeginCaptureFor`; they come a second and a half after the press,
/// mostly after the photo. A movie that fails is no failure of the photo: the last call has no error for it.
///
/// All calls of one `AVCapturePhotoOutput` come on one serial queue of its own, never on the main queue, so that they come in
/// programs whose main queue does not run. Apple promises one common queue too and does not say which.
///
/// Source: [AVCapturePhotoCaptureDelegate](https://developer.apple.com/documentation/avfoundation/avcapturephotocapturedelegate).
public protocol AVCapturePhotoCaptureDelegate: AnyObject {
  /// The settings are resolved and the photo is under way.
  func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// The exposure is about to begin: the moment of the shutter sound.
  func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// The exposure is over; nothing that moves now is in the picture.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// The picture is there, or `error` says why it is not; `photo` then holds metadata only.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?)

  /// A proxy of the picture is there, in place of `didFinishProcessingPhoto`: the photo itself is finished later.
  ///
  /// Only with the output's `isAutoDeferredPhotoDeliveryEnabled`; a delegate that captures with it must implement this, and
  /// should hand the proxy to the photo library at once. Photos that fail come to `didFinishProcessingPhoto`.
  ///
  /// - Parameters:
  ///   - deferredPhotoProxy: What the library needs, and a smaller picture to show.
  ///   - error: `nil` beside a proxy.
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?)

  /// The movie of a Live Photo has all its pictures and sound: a badge that says so can go.
  ///
  /// - Parameter outputFileURL: Where the file will be, which is not whole yet.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
    resolvedSettings: AVCaptureResolvedPhotoSettings)

  /// The movie of a Live Photo is written, or `error` says why there is no file.
  ///
  /// A movie that was cut, because the session stopped, the camera was unplugged or Live Photos were suspended, is whole and shorter. A
  /// photo that fails takes its movie along, unless one of several pictures is there.
  ///
  /// - Parameters:
  ///   - duration: How long the movie is; invalid with an error.
  ///   - photoDisplayTime: When in the movie the photo was taken; invalid with an error.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?)

  /// The older form of `didFinishProcessingPhoto`: called only for delegates that lack the newer one.
  ///
  /// Apple has deprecated it.
  ///
  /// - Parameters:
  ///   - photoSampleBuffer: A JPEG file's bytes in its data buffer, or an uncompressed picture; the photo's metadata are its
  ///     attachments. `nil` with an error: that of a photo that failed, or that a HEIC photo has no such form.
  ///   - previewPhotoSampleBuffer: The preview picture, if one was asked for.
  ///   - bracketSettings: How this picture of a bracket was to be exposed.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
    previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
    resolvedSettings: AVCaptureResolvedPhotoSettings,
    bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?)

  /// The older form of `didFinishProcessingPhoto` for a raw picture: called only for delegates that lack the newer one.
  ///
  /// Apple has deprecated it.
  ///
  /// - Parameters:
  ///   - rawSampleBuffer: The sensor's numbers, as `AVCapturePhoto.pixelBuffer` has them; `nil` with an error.
  ///   - previewPhotoSampleBuffer: The preview picture, if one was asked for.
  ///   - bracketSettings: How this picture of a bracket was to be exposed.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingRawPhoto rawSampleBuffer: CMSampleBuffer?,
    previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
    resolvedSettings: AVCaptureResolvedPhotoSettings,
    bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?)

  /// Nothing more will come for this photo.
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?)
}

/// Every method is optional, as in Objective-C: what a delegate leaves out does nothing.
extension AVCapturePhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}

  /// Has the photo finished at once.
  public func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    deferredPhotoProxy?.passOver()
  }

  /// Reports the photo in the older form.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    let (sample, problem) = photo.sampleBuffer(unless: error)
    if photo.isRawPhoto {
      return photoOutput(
        output, didFinishProcessingRawPhoto: sample, previewPhoto: photo.previewSampleBuffer,
        resolvedSettings: photo.resolvedSettings, bracketSettings: photo.bracketSettings, error: problem)
    }
    photoOutput(
      output, didFinishProcessingPhoto: sample, previewPhoto: photo.previewSampleBuffer,
      resolvedSettings: photo.resolvedSettings, bracketSettings: photo.bracketSettings, error: problem)
  }

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
    previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
    resolvedSettings: AVCaptureResolvedPhotoSettings,
    bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingRawPhoto rawSampleBuffer: CMSampleBuffer?,
    previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
    resolvedSettings: AVCaptureResolvedPhotoSettings,
    bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
    resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {}

  /// Reports that the delegate lacks a method that a Live Photo needs.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL,
    duration: CMTime, photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    ProgrammingMistake.report(
      rule: """
        With livePhotoMovieFileURL the delegate must implement \
        photoOutput(_:didFinishProcessingLivePhotoToMovieFileAt:duration:photoDisplayTime:resolvedSettings:error:).
        """)
  }

  /// Does nothing.
  public func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {}
}

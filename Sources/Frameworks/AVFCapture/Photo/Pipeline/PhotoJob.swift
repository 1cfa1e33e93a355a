package import PhotoProcessing

/// One photo on its way.
package struct PhotoJob: Sendable {
  /// What the device is asked for.
  package var capture: PhotoCaptureRequest
  /// What is made of it.
  package var processing: PhotoProcessingRequest
  /// Where its frames go, if it is finished later; `nil` for a photo that is finished at once.
  package var store: DeferredPhotoStore?
  /// Who exposes it.
  package var exposer: any PhotoExposer
  /// Who gets it.
  package var receiver: any PhotoReceiver

  package init(
    capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, exposer: any PhotoExposer,
    receiver: any PhotoReceiver, store: DeferredPhotoStore? = nil
  ) {
    self.capture = capture
    self.processing = processing
    self.exposer = exposer
    self.receiver = receiver
    self.store = store
  }

  /// `AVCapturePhotoSettings.uniqueID`.
  var id: Int64 { capture.uniqueID }
}

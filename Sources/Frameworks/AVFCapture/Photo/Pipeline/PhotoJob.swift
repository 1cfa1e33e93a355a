package import PhotoProcessing

/// One photo on its way.
package struct PhotoJob: Sendable {
  /// What the device is asked for.
  package var capture: PhotoCaptureRequest
  /// What is made of it.
  package var processing: PhotoProcessingRequest
  /// Who exposes it.
  package var exposer: any PhotoExposer
  /// Who gets it.
  package var receiver: any PhotoReceiver

  package init(
    capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, exposer: any PhotoExposer,
    receiver: any PhotoReceiver
  ) {
    self.capture = capture
    self.processing = processing
    self.exposer = exposer
    self.receiver = receiver
  }

  /// `AVCapturePhotoSettings.uniqueID`.
  var id: Int64 { capture.uniqueID }
}

package import PhotoProcessing

/// A photo on its way through the pipeline.
package struct PhotoJob: Sendable {
  /// The request to the device.
  package var capture: PhotoCaptureRequest
  /// The request to the processing stages.
  package var processing: PhotoProcessingRequest
  /// The store of its frames, if it is finished later; `nil` for a photo that is finished at once.
  package var store: DeferredPhotoStore?
  /// The camera that exposes it.
  package var exposer: any PhotoExposer
  /// The receiver of the photo.
  package var receiver: any PhotoReceiver
  /// The request for its depth; `nil` for a photo without.
  package var depth: PhotoDepthRequest?
  /// The request for the matte of its people; `nil` for a photo without.
  package var matte: PhotoMatteRequest?
  /// The request for mattes of parts of its people; `nil` for a photo without.
  package var partMattes: PartMattesRequest?
  /// Whether its cameras' calibration comes with it.
  package var wantsCalibration = false
  /// Whether eyes that its flash made red become dark.
  package var reducesRedEyes = false
  /// Whether heads at the edges become round.
  package var makesHeadsRound = false
  /// The request for the flash's light alone; `nil` for a photo as the camera sees the scene.
  package var constantColor: ConstantColorRequest?

  package init(
    capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, exposer: any PhotoExposer,
    receiver: any PhotoReceiver, store: DeferredPhotoStore? = nil, depth: PhotoDepthRequest? = nil
  ) {
    self.depth = depth
    self.capture = capture
    self.processing = processing
    self.exposer = exposer
    self.receiver = receiver
    self.store = store
  }

  /// How many results it has.
  var resultCount: Int {
    capture.pictures.count * processing.resultCount + (constantColor?.deliversFallback == true ? 1 : 0)
  }

  /// `AVCapturePhotoSettings.uniqueID`.
  var id: Int64 { capture.uniqueID }
}

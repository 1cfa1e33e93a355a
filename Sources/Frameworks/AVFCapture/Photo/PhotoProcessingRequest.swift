package import ImageIO
package import CaptureDevice

/// What is made of the chosen frame: the second half of a checked request.
///
/// Holds everything that later stages need, so that nobody asks the session again: it may have changed by then.
package struct PhotoProcessingRequest: Sendable {
  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  package var encoding: PhotoEncoding
  package var preview: PhotoPreviewRequest?
  package var thumbnail: PhotoThumbnailRequest?
  /// How the finished picture must be turned to stand upright; the pixels stay as the sensor lies.
  package var orientation: CGImagePropertyOrientation
  /// How many times the picture is enlarged about its middle, at its size.
  package var enlargement: Double
  package var prioritization: AVCapturePhotoOutput.QualityPrioritization
  package var camera: PhotoCamera
  /// When the client wanted the flash to fire.
  package var flash: FlashMode
  /// How the picture was to be exposed, in a bracket.
  package var exposure: StillExposure?
  /// What the client wants written into the file.
  package var clientMetadata: PhotoMetadata

  package init(
    uniqueID: Int64, encoding: PhotoEncoding, preview: PhotoPreviewRequest? = nil,
    thumbnail: PhotoThumbnailRequest? = nil, orientation: CGImagePropertyOrientation = .up,
    enlargement: Double = 1,
    prioritization: AVCapturePhotoOutput.QualityPrioritization = .balanced, camera: PhotoCamera,
    flash: FlashMode = .off, exposure: StillExposure? = nil,
    clientMetadata: PhotoMetadata = PhotoMetadata()
  ) {
    self.uniqueID = uniqueID
    self.encoding = encoding
    self.preview = preview
    self.thumbnail = thumbnail
    self.orientation = orientation
    self.enlargement = enlargement
    self.prioritization = prioritization
    self.camera = camera
    self.flash = flash
    self.exposure = exposure
    self.clientMetadata = clientMetadata
  }
}

/// What a photo's file says of the camera.
package struct PhotoCamera: Sendable, Hashable {
  package var make: String
  package var model: String
  package var lenses: CameraLenses
  /// Whether the device decides the exposure on its own.
  package var isExposureAutomatic: Bool
  /// Whether there is a flash at all.
  package var hasFlash: Bool
  /// Whether exposure can be biased.
  package var hasBias: Bool

  package init(
    make: String, model: String, lenses: CameraLenses = CameraLenses(), isExposureAutomatic: Bool = true,
    hasFlash: Bool = false, hasBias: Bool = false
  ) {
    self.make = make
    self.model = model
    self.lenses = lenses
    self.isExposureAutomatic = isExposureAutomatic
    self.hasFlash = hasFlash
    self.hasBias = hasBias
  }

  /// What the facts of a device say: of a camera that is plugged in its own name, of one that is built in the machine's.
  package init(_ facts: DeviceFacts, lenses: CameraLenses, isExposureLocked: Bool) {
    let hasOwnName = facts.kind == .externalCamera || facts.modelID.isEmpty
    self.init(
      make: facts.manufacturer, model: hasOwnName ? facts.name : facts.modelID, lenses: lenses,
      isExposureAutomatic: !isExposureLocked, hasFlash: !facts.capabilities.flashModes.isEmpty,
      hasBias: facts.capabilities.exposureBias != nil)
  }
}

/// Properties of a picture in ImageIO's dictionaries.
package struct PhotoMetadata: @unchecked Sendable {
  // Safe because the values are property-list values that nobody changes after they were put in.
  package var properties: [String: Any]

  package init(_ properties: [String: Any] = [:]) {
    self.properties = properties
  }

  /// These properties with `other`'s over them, dictionary by dictionary.
  package func merging(_ other: PhotoMetadata) -> PhotoMetadata {
    PhotoMetadata(
      properties.merging(other.properties) { own, given in
        guard let own = own as? [String: Any], let given = given as? [String: Any] else { return given }
        return own.merging(given) { _, given in given }
      })
  }
}

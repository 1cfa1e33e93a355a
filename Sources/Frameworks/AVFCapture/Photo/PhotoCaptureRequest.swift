package import CaptureDevice

/// What a photo needs from the device: the first half of a checked request.
///
/// It ends with the last exposure; everything after is the ``PhotoProcessingRequest``'s. Keeping the two apart is what lets
/// the next exposure begin before this photo is finished.
package struct PhotoCaptureRequest: Sendable, Hashable {
  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  /// One of the running format's still sizes.
  package var size: FrameSize
  /// Whether the flash fires; decided, never `auto`.
  package var flash: FlashMode
  /// One for each exposure, in order: `nil` is as the stream is exposed.
  package var exposures: [StillExposure?]

  /// A photo of one exposure, unless `exposures` says otherwise; there must be at least one.
  package init(
    uniqueID: Int64, size: FrameSize, flash: FlashMode = .off, exposures: [StillExposure?] = [nil]
  ) {
    precondition(!exposures.isEmpty, "A photo has at least one exposure.")
    self.uniqueID = uniqueID
    self.size = size
    self.flash = flash
    self.exposures = exposures
  }

  /// What the device is asked for, in order.
  package var stills: [StillRequest] {
    exposures.map { StillRequest(size: size, flash: flash, exposure: $0) }
  }
}

package import CaptureDevice

/// What a photo needs from the device: the first half of a checked request.
///
/// It ends with the exposure; everything after is the ``PhotoProcessingRequest``'s. Keeping the two apart is what lets the
/// next exposure begin before this photo is finished.
package struct PhotoCaptureRequest: Sendable, Hashable {
  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  /// One of the running format's still sizes.
  package var size: FrameSize

  package init(uniqueID: Int64, size: FrameSize) {
    self.uniqueID = uniqueID
    self.size = size
  }
}

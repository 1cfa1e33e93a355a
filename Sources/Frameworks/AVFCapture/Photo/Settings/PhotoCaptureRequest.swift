package import CaptureDevice
package import Linux

/// What a photo needs from the device: the first half of a checked request, a plain value.
///
/// It ends with the last exposure; the ``PhotoProcessingRequest`` takes over. The split lets the next exposure begin before this
/// photo is finished.
package struct PhotoCaptureRequest: Sendable, Hashable, Codable {
  /// One picture of a photo; only a bracket, and a photo of several cameras under a virtual one, have several.
  package struct Picture: Sendable, Hashable, Codable {
    /// The exposures that the picture is made of, in order, at least one; `nil` is as the stream is exposed.
    package var exposures: [StillExposure?]
    /// Which of the cameras under a virtual one takes it, by unique identifier; `nil` is the one in use.
    package var constituent: String?

    /// A picture of the given exposures.
    package init(_ exposures: [StillExposure?] = [nil], constituent: String? = nil) {
      precondition(!exposures.isEmpty, "A picture has at least one exposure.")
      self.exposures = exposures
      self.constituent = constituent
    }
  }

  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  /// One of the running format's still sizes.
  package var size: FrameSize
  /// Whether the flash fires; decided, never `auto`.
  package var flash: FlashMode
  /// What the photo consists of, in order.
  package var pictures: [Picture]
  /// The press whose moment the photo may be of; `nil` when only an exposure to come will do.
  package var press: PhotoPress?
  /// Whether the device can expose one picture apart from the stream's frames.
  package var canExposeApart = false
  /// Whether the photo may be captured while others are processed.
  package var overlaps: Bool
  /// Whether the exposure itself takes long.
  package var isSlowToExpose = false
  /// When it was pressed, on the real clock.
  package var pressed: MonotonicInstant

  /// A photo of one exposure, unless `pictures` says otherwise; there must be at least one.
  package init(
    uniqueID: Int64, size: FrameSize, flash: FlashMode = .off, pictures: [Picture] = [Picture()],
    overlaps: Bool = false, pressed: MonotonicInstant = .now
  ) {
    precondition(!pictures.isEmpty, "A photo has at least one picture.")
    self.uniqueID = uniqueID
    self.size = size
    self.flash = flash
    self.pictures = pictures
    self.overlaps = overlaps
    self.pressed = pressed
  }

  /// What the device is asked for, picture by picture; cameras under a virtual one expose at the same time.
  package var stills: [StillRequest] {
    let group = pictures.count { $0.constituent != nil }
    return pictures.flatMap { picture in
      picture.exposures.map {
        StillRequest(
          size: size, flash: flash, exposure: $0, constituent: picture.constituent, groupSize: max(group, 1))
      }
    }
  }
}

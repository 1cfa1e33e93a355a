package import CaptureDevice
package import Linux
internal import PhotoProcessing

/// A photo's request to the device: the first half of a checked request, a plain value.
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
    /// The camera under a virtual one whose picture of the same moment gives this one its fine detail, by unique identifier.
    package var companion: String?

    /// A picture of the given exposures.
    package init(_ exposures: [StillExposure?] = [nil], constituent: String? = nil) {
      precondition(!exposures.isEmpty, "A picture has at least one exposure.")
      self.exposures = exposures
      self.constituent = constituent
    }

    /// How many frames it is made of; its companion's is the last.
    package var frameCount: Int { exposures.count + (companion == nil ? 0 : 1) }
  }

  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  /// One of the running format's still sizes.
  package var size: FrameSize
  /// Whether the flash fires; decided, never `auto`.
  package var flash: FlashMode
  /// The pictures of the photo, in order.
  package var pictures: [Picture]
  /// The press whose moment the photo may be of; `nil` when only an exposure to come will do.
  package var press: PhotoPress?
  /// Whether the device can expose one picture apart from the stream's frames.
  package var canExposeApart = false
  /// Whether the photo may be captured while others are processed.
  package var overlaps: Bool
  /// Whether its frames lie in memory of their own, and are none of the stream's.
  package var ownsFrames = false
  /// Whether a burst takes no more room than a photo of one exposure.
  package var isBurstLight = false
  /// Whether its pictures come with the sensor's numbers.
  package var wantsMosaic = false
  /// Whether its two exposures are one with flash and then the same without.
  package var isConstantColor = false
  /// Whether the exposure itself takes long.
  package var isSlowToExpose = false
  /// When it was pressed, for ``PhotoStageTimes``.
  package var pressed: MonotonicInstant

  /// A photo of one exposure, unless `pictures` says otherwise; there must be at least one.
  package init(
    uniqueID: Int64, size: FrameSize, flash: FlashMode = .off, pictures: [Picture] = [Picture()],
    overlaps: Bool = false, pressed: MonotonicInstant = PhotoStageTimes.now
  ) {
    precondition(!pictures.isEmpty, "A photo has at least one picture.")
    self.uniqueID = uniqueID
    self.size = size
    self.flash = flash
    self.pictures = pictures
    self.overlaps = overlaps
    self.pressed = pressed
  }

  /// Whether the photo is one picture of several exposures.
  package var isBurst: Bool {
    pictures.count == 1 && pictures[0].exposures.count > 1 && !isConstantColor
  }

  /// Whether pictures of two cameras become one.
  package var isOfTwoCameras: Bool { pictures.contains { $0.companion != nil } }

  /// Whether several frames become one picture.
  package var isFused: Bool { isBurst || isOfTwoCameras }

  /// How many of ``PhotosUnderWay/frameLimit`` places it takes: one for each picture, and for each three frames of the stream that are
  /// fused.
  package var places: Int {
    if isBurst && !isBurstLight { return (pictures[0].exposures.count + 2) / 3 }
    return isBurst ? 1 : pictures.reduce(0) { $0 + $1.frameCount }
  }

  /// The requests to the device, picture by picture; cameras under a virtual one expose at the same time.
  package var stills: [StillRequest] {
    let group = pictures.reduce(0) {
      $0 + ($1.constituent != nil ? 1 : $1.companion != nil ? $1.frameCount : 0)
    }
    return pictures.flatMap { picture in
      let stills = picture.exposures.map {
        var still = StillRequest(
          size: size, flash: flash, exposure: $0, constituent: picture.constituent, groupSize: max(group, 1))
        still.wantsMosaic = wantsMosaic
        return still
      }
      guard let companion = picture.companion else { return stills }
      return stills + [StillRequest(size: size, constituent: companion, groupSize: max(group, 1))]
    }
  }
}

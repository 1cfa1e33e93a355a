internal import CaptureDevice
package import PhotoProcessing

/// The request for the depth of a photo.
package struct PhotoDepthRequest: Sendable, Hashable {
  /// Whether holes are filled.
  package var isFiltered: Bool
  /// Whether the photo's file holds the map, too.
  package var isEmbedded: Bool
  /// How many times the photo is enlarged about its middle.
  package var enlargement: Double
  /// The shape that the photo is cut to afterwards.
  package var shape: PhotoShape?

  /// The depth of a photo that shows all of its frames, unless it is enlarged or cut.
  package init(
    isFiltered: Bool = true, isEmbedded: Bool = true, enlargement: Double = 1, shape: PhotoShape? = nil
  ) {
    self.isFiltered = isFiltered
    self.isEmbedded = isEmbedded
    self.enlargement = enlargement
    self.shape = shape
  }

  /// The part of a map of `size` that the photo shows: its middle.
  func part(of size: FrameSize) -> FrameSize {
    let kept = shape?.size(in: size) ?? size
    func side(_ length: Int) -> Int { max(1, Int((Double(length) / max(enlargement, 1)).rounded())) }
    return FrameSize(width: side(kept.width), height: side(kept.height))
  }
}

internal import CaptureDevice

/// The request for the matte of the people in a photo.
package struct PhotoMatteRequest: Sendable, Hashable {
  /// Whether the photo's file holds the matte, too.
  package var isEmbedded: Bool

  /// A matte that clients get.
  package init(isEmbedded: Bool = true) {
    self.isEmbedded = isEmbedded
  }

  /// The size of the matte of a photo: half of its sides, made even.
  static func size(of photo: FrameSize) -> FrameSize {
    FrameSize(width: max(2, photo.width / 4 * 2), height: max(2, photo.height / 4 * 2))
  }
}

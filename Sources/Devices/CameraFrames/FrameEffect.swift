package import CoreVideo
package import Linux

/// A change of a camera's pictures that all consumers of its frames see.
package final class FrameEffect: Sendable {
  /// Writes the changed picture into a buffer of the same size and pixel format, which has the attachments of the first; called on
  /// any thread, for several frames at once.
  package typealias Body =
    @Sendable (_ picture: CVPixelBuffer, _ target: CVPixelBuffer, _ time: MonotonicInstant) throws -> Void

  /// Pixel formats that ``body`` takes; pictures of others are converted into the first, and back.
  package let pixelFormats: [OSType]
  /// Whether what is at a place of the first picture may be at another one of the changed.
  package let movesPixels: Bool
  package let body: Body

  /// - Parameter pixelFormats: At least one.
  package init(pixelFormats: [OSType], movesPixels: Bool = false, body: @escaping Body) {
    precondition(!pixelFormats.isEmpty, "An effect takes pictures of some format.")
    self.pixelFormats = pixelFormats
    self.movesPixels = movesPixels
    self.body = body
  }
}

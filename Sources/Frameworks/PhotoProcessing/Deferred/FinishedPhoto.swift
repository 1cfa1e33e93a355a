package import AVFCore
package import CaptureDevice
package import Foundation
package import GraphicsCore
package import ImageIO

/// A deferred photo when it is finished: the very file that would have been made at once.
package struct FinishedPhoto: Sendable {
  /// The file's bytes.
  package var file: Data
  /// `.jpg` or `.heic`.
  package var fileType: AVFileType
  /// The picture's size as it lies in the file.
  package var size: FrameSize
  /// How the picture must be turned to stand upright.
  package var orientation: CGImagePropertyOrientation
  /// What the file says of itself, in ImageIO's dictionaries.
  package var metadata: PhotoMetadata
}

/// A picture of a deferred photo for the time until it is finished: larger than the proxy, smaller than the photo.
package struct SecondaryImage: Sendable {
  /// The picture, as the sensor lies.
  package var image: CGImage
  /// How it must be turned to stand upright.
  package var orientation: CGImagePropertyOrientation
}

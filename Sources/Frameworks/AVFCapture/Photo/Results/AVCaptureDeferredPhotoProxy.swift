internal import Linux
internal import PhotoProcessing

/// A photo that is finished later: for now a smaller picture, made as fast as can be.
///
/// `fileDataRepresentation()` is the file for the photo library, as a resource of type `.photoProxy`: a whole picture that any
/// program can show, with a maker note that names the stored frames. The library finishes the photo from them; until they are
/// handed to it they take space on the disk. `pixelBuffer` is the proxy's picture. `resolvedSettings.photoDimensions` is the
/// size that the finished photo will have.
///
/// Source: [AVCaptureDeferredPhotoProxy](https://developer.apple.com/documentation/avfoundation/avcapturedeferredphotoproxy).
public final class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {
  // Safe because all is constant but the mark, which has a lock.

  /// Under what the frames are stored.
  package let identifier: String
  private let isPassedOver = Locked(false)

  init(_ result: PhotoResult, identifier: String, resolvedSettings: AVCaptureResolvedPhotoSettings) {
    self.identifier = identifier
    super.init(result, resolvedSettings: resolvedSettings)
  }

  /// Notes that the delegate has no method for proxies.
  func passOver() {
    isPassedOver.withLock { $0 = true }
  }

  /// Whether the delegate has no method for proxies.
  var wasPassedOver: Bool { isPassedOver.withLock { $0 } }
}

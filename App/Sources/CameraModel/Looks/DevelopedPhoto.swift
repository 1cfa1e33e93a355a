import AVFoundation

/// The file of a photo that came as pixels, for a format that no camera codes.
enum DevelopedPhoto {
  /// The photo in a format, with all that is known of it; `nil` when it has no pixels.
  static func file(of photo: AVCapturePhoto, _ format: PhotoFormat) -> Data? {
    guard let image = photo.cgImageRepresentation() else { return nil }
    let file = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(file, format.typeIdentifier, 1, nil) else {
      return nil
    }
    CGImageDestinationAddImage(destination, image, photo.metadata as CFDictionary)
    return CGImageDestinationFinalize(destination) ? Data(bytes: file.bytes, count: file.length) : nil
  }
}

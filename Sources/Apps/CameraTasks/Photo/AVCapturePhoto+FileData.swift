package import AVFoundation
internal import Foundation
internal import FoundationExtras
internal import ImageIO

extension AVCapturePhoto {
  /// The photo as the bytes of a file.
  /// - Throws: ``CameraTaskError`` when it cannot be encoded.
  package func fileData(as format: PhotoPlan.Format) throws(CameraTaskError) -> Data {
    switch format {
    case .jpeg, .heic, .dng:
      if let data = fileDataRepresentation() { return data }
    case .png:
      let data = NSMutableData()
      if let image = cgImageRepresentation(),
        let destination = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      {
        CGImageDestinationAddImage(destination, image, metadata as CFDictionary)
        if CGImageDestinationFinalize(destination) { return data.copied }
      }
    }
    throw CameraTaskError(
      .failed, "The photo could not be encoded as \(format.rawValue); try another --format.")
  }
}

internal import CaptureDevice
package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import ImageIO
internal import StillCodecs

/// Encode: writes the developed picture as a file, with its metadata and thumbnail.
package struct PhotoEncoder: Sendable {
  package init() {}

  /// The file that `request` asks for: JPEG in strips over all cores, the camera's own JPEG, or HEIC.
  ///
  /// The pixels stay as they lie; EXIF's orientation, and in HEIC the container's own, turn them for the viewer. A colour
  /// profile is written for colours other than sRGB.
  ///
  /// - Throws: `StillCodecError`.
  package func encode(
    _ negative: PhotoDeveloper.Negative, metadata: PhotoMetadata, for request: PhotoProcessingRequest
  ) throws -> Data {
    let colorSpace = CGColorSpace.described(by: negative.picture)
    let profile = colorSpace.name == CGColorSpace.sRGB ? nil : colorSpace.copyICCData()
    switch request.encoding {
    case .heic(let quality):
      var options = HEICEncoder.Options()
      options.quality = quality ?? Self.quality(for: request.prioritization)
      options.threads = Tiles.threads
      options.orientation = Int(request.orientation.rawValue)
      options.exif = try block(metadata, of: negative, thumbnail: nil).data()
      options.profile = profile
      options.thumbnail = negative.thumbnail
      return try HEICEncoder.encode(negative.picture, options: options)
    case .jpeg(let quality):
      let block = try block(metadata, of: negative, thumbnail: negative.thumbnail.map(Self.thumbnail))
      if let file = negative.cameraFile {
        // Compressed by the camera: a second compression would only lose.
        return try JPEGMetadata.replace(in: file, facts: StillFacts(file), with: block)
      }
      var options = JPEGEncoder.Options()
      options.quality = quality ?? Self.quality(for: request.prioritization)
      options.threads = Tiles.threads
      options.exif = try block.data()
      options.profile = profile
      return try JPEGEncoder.encode(negative.picture, options: options)
    case .pixels:
      preconditionFailure("An uncompressed photo has no file.")
    }
  }

  /// The encoders' quality when the client names none.
  ///
  /// At 12 megapixels none of these looks different from the original; each step up costs some 40 % more bytes and the time
  /// to write them, each step down saves as much.
  package static func quality(for prioritization: PhotoPrioritization) -> Double {
    switch prioritization {
    case .speed: 0.85
    case .balanced: 0.9
    case .quality: 0.95
    }
  }

  /// A small JPEG picture for the inside of a file.
  package static func thumbnail(_ picture: CVPixelBuffer) throws -> Data {
    var options = JPEGEncoder.Options()
    // What it shows is gone at the first tap; an EXIF block has 64 KiB for everything.
    options.quality = 0.7
    return try JPEGEncoder.encode(picture, options: options)
  }

  private func block(_ metadata: PhotoMetadata, of negative: PhotoDeveloper.Negative, thumbnail: Data?) throws
    -> ExifBlock
  {
    var block = ExifBlock(properties: metadata.properties)
    block.thumbnail = thumbnail
    block.complete(
      width: negative.size.width, height: negative.size.height, colorSpace: .described(by: negative.picture))
    return block
  }
}

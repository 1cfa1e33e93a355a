internal import CameraFrames
internal import CaptureDevice
package import CoreVideo
package import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageIO
internal import PixelTransforms
internal import StillCodecs

/// A finished photo's file, to be written once more with other metadata or another thumbnail.
package struct PhotoFile: Sendable {
  /// The thumbnail that the rewritten file gets.
  package enum Thumbnail: @unchecked Sendable {  // Safe because the picture is not written to.
    case keep, remove
    /// Made of the picture, within so many pixels.
    case replace(CVPixelBuffer, PhotoThumbnailRequest)
  }

  private let file: Data
  private let facts: StillFacts

  /// - Throws: `StillCodecError` for what is no picture file.
  package init(_ file: Data) throws {
    self.file = file
    facts = try StillFacts(file)
  }

  /// The file with other metadata, in ImageIO's dictionaries, and another thumbnail.
  ///
  /// The picture stays as it was compressed; in a HEIC whose thumbnail or orientation changes it is compressed again, at the best
  /// quality, which takes as long as the photo did. Without metadata only the orientation is left, for the picture would lie
  /// otherwise.
  ///
  /// - Throws: `StillCodecError`, `PixelTransformError`.
  package func rewritten(metadata: PhotoMetadata?, thumbnail: Thumbnail) throws -> Data {
    var block = ExifBlock()
    if let metadata {
      block = ExifBlock(properties: metadata.properties)
      block.complete(width: facts.width, height: facts.height, colorSpace: facts.colorSpace)
    }
    // A proxy must name its frames, whatever else it says.
    let note = ExifTag(.exif, 0x927C)
    if PhotoProxy.identifier(in: file) != nil { block[note] = facts.exifBlock?[note] }
    // The halves of a Live Photo name each other, whatever else is left out.
    block.keepContentIdentifier(of: facts.exifBlock)
    let orientation = Self.orientation(metadata) ?? facts.orientation
    block[ExifTag(.image, 0x0112)] = .shorts([UInt16(orientation)])
    if facts.format == .heic {
      if case .keep = thumbnail, orientation == facts.orientation,
        let written = try? HEICMetadata.replace(in: file, with: block)
      {
        return written
      }
      return try compressedAgain(block, orientation, thumbnail)
    }
    switch thumbnail {
    case .keep: block.thumbnail = facts.exifBlock?.thumbnail
    case .remove: break
    case .replace(let picture, let request):
      block.thumbnail = try PhotoEncoder.thumbnail(Self.small(picture, request))
    }
    return try JPEGMetadata.replace(in: file, facts: facts, with: block)
  }

  private func compressedAgain(_ block: ExifBlock, _ orientation: Int, _ thumbnail: Thumbnail) throws -> Data
  {
    var options = HEICEncoder.Options()
    options.quality = 0.97
    options.threads = Tiles.threads
    options.orientation = orientation
    options.exif = try block.data()
    options.profile = facts.profile
    switch thumbnail {
    case .keep: options.thumbnail = try HEICDecoder.decodeThumbnail(file)
    case .remove: break
    case .replace(let picture, let request): options.thumbnail = try Self.small(picture, request)
    }
    return try HEICEncoder.encode(HEICDecoder.decode(file), options: options)
  }

  private static func small(_ picture: CVPixelBuffer, _ request: PhotoThumbnailRequest) throws
    -> CVPixelBuffer
  {
    let size = PhotoDeveloper.size(
      .init(width: picture.width, height: picture.height), within: request.maxWidth, request.maxHeight)
    return try PixelTransformer(bufferLimit: 1).apply(
      FrameTransform(size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      to: picture)
  }

  private static func orientation(_ metadata: PhotoMetadata?) -> Int? {
    let number = LooseNumber.integer(metadata?.properties[kCGImagePropertyOrientation as String])
    return number.flatMap { (1...8).contains($0) ? $0 : nil }
  }
}

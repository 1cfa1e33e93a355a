internal import CoreVideo
internal import Foundation
public import FoundationExtras
public import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// A small picture of the file.
///
/// The embedded one, or one made from the picture when the options ask for it. A larger one than
/// `kCGImageSourceThumbnailMaxPixelSize` is made smaller, never a smaller one larger; a JPEG or
/// PNG is decoded only as finely as needed.
///
/// - Returns: `nil` for an index that is not there, for a broken file, and when there is none and none may be made.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard (0..<isrc.count).contains(index), let facts = isrc.facts else { return nil }
  let edge = LooseNumber.double(options?[kCGImageSourceThumbnailMaxPixelSize]).flatMap { size in
    size >= 1 && size < 1e6 ? Int(size) : nil
  }
  let isTransformed = LooseNumber.truth(options?[kCGImageSourceCreateThumbnailWithTransform]) ?? false
  let orientation = isTransformed ? facts.orientation : 1
  if LooseNumber.truth(options?[kCGImageSourceCreateThumbnailFromImageAlways]) != true,
    let embedded = isrc.embeddedThumbnail()
  {
    return try? isrc.thumbnail(from: embedded, facts: facts, edge: edge, orientation: orientation)
  }
  guard
    LooseNumber.truth(options?[kCGImageSourceCreateThumbnailFromImageAlways]) == true
      || LooseNumber.truth(options?[kCGImageSourceCreateThumbnailFromImageIfAbsent]) == true,
    let whole = try? isrc.buffer(at: index, scale: facts.scale(atLeast: edge))
  else { return nil }
  return try? isrc.thumbnail(from: whole, facts: facts, edge: edge, orientation: orientation)
}

extension CGImageSource {
  /// The smaller picture that the file holds; `nil` without one or when it is broken.
  func embeddedThumbnail() -> CVPixelBuffer? {
    let buffer: CVPixelBuffer?
    switch facts?.format {
    case .heic: buffer = try? HEICDecoder.decodeThumbnail(data, to: kCVPixelFormatType_32RGBA)
    case .jpeg:
      buffer = (facts?.exifBlock?.thumbnail).flatMap {
        try? JPEGDecoder.decode($0, to: kCVPixelFormatType_32RGBA)
      }
    case .dng:
      buffer = DNGDecoder.preview(of: data).flatMap { preview in
        try? JPEGDecoder.decode(preview, to: kCVPixelFormatType_32RGBA)
      }
    default: buffer = nil
    }
    if let buffer, let space = facts?.colorSpace, space.model == .rgb {
      CVBufferSetAttachment(buffer, kCVImageBufferCGColorSpaceKey, space, .shouldPropagate)
    }
    return buffer
  }

  /// The upright, small enough image of a decoded buffer.
  func thumbnail(from buffer: CVPixelBuffer, facts: StillFacts, edge: Int?, orientation: Int) throws
    -> CGImage
  {
    let source = PixelSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    var size = source
    let longer = max(source.width, source.height)
    if let edge, longer > edge {
      func scaled(_ length: Int) -> Int { max(1, (length * edge + longer / 2) / longer) }
      size = PixelSize(width: scaled(source.width), height: scaled(source.height))
    }
    let turn = FrameTransform(orientation: orientation)
    let transform = FrameTransform(
      orientation: orientation, size: turn.rotation.isTransposing ? size.transposed : size)
    let small = try PixelTransformer(bufferLimit: 2).apply(transform, to: buffer)
    return try StillPicture.image(of: small, facts: facts)
  }
}

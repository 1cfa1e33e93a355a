internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// Pictures out of files of any format.
enum StillPicture {
  /// The picture of a file as an image, as it is stored; gray stays gray.
  static func decode(_ data: Data, facts: StillFacts, scale: StillScale = .full) throws -> CGImage {
    if facts.format == .png, scale == .full { return try PNGDecoder.decode(data) }
    let buffer = try decodeBuffer(data, facts: facts, scale: scale)
    return try image(of: scaled(buffer, facts: facts, scale), facts: facts)
  }

  /// A buffer of the size that a scale makes of the file's.
  static func scaled(_ buffer: CVPixelBuffer, facts: StillFacts, _ scale: StillScale) throws -> CVPixelBuffer
  {
    let size = scale.size(width: facts.width, height: facts.height)
    guard CVPixelBufferGetWidth(buffer) != size.width || CVPixelBufferGetHeight(buffer) != size.height else {
      return buffer
    }
    return try PixelTransformer(bufferLimit: 1).apply(
      FrameTransform(size: PixelSize(width: size.width, height: size.height)), to: buffer)
  }

  /// The picture as RGBA, or one component of a gray JPEG.
  static func decodeBuffer(_ data: Data, facts: StillFacts, scale: StillScale) throws -> CVPixelBuffer {
    try facts.decode(data, scale: scale, grayFormat: kCVPixelFormatType_OneComponent8)
  }

  /// An image over a buffer that ``decodeBuffer(_:facts:scale:)`` made.
  static func image(of buffer: CVPixelBuffer, facts: StillFacts) throws -> CGImage {
    // HEIC's alpha is straight; PNG's was multiplied on its way into a buffer.
    guard facts.format == .heic, facts.hasAlpha else {
      return try CGImage.make(of: buffer, hasAlpha: facts.hasAlpha, utType: facts.format.typeIdentifier)
    }
    let opaque = try CGImage.make(of: buffer, utType: facts.format.typeIdentifier)
    let info = CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue)
    guard let space = opaque.colorSpace, let provider = opaque.dataProvider,
      let image = CGImage(
        width: opaque.width, height: opaque.height, bitsPerComponent: 8, bitsPerPixel: 32,
        bytesPerRow: opaque.bytesPerRow, space: space, bitmapInfo: info, source: provider, offset: 0,
        decode: nil,
        shouldInterpolate: true, intent: .defaultIntent, utType: opaque.utType)
    else { return opaque }
    return image
  }
}

extension FrameTransform {
  /// The turn and mirroring that make a picture of this orientation upright.
  init(orientation: Int, size: PixelSize? = nil) {
    let steps = ExifOrientation.steps(of: orientation)
    // EXIF mirrors first and turns then, a frame transform the other way round: the turn changes its sense.
    let turns = steps.isMirrored ? -steps.quarterTurns : steps.quarterTurns
    self.init(
      rotation: QuarterTurn(degrees: turns * 90) ?? .none, isMirrored: steps.isMirrored, size: size)
  }
}

internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// Pictures out of files of any format.
enum StillPicture {
  /// The picture of a file as an image, as it is stored.
  ///
  /// - Parameter factor: 1, 2, 4 or 8: by how much each edge is shorter, rounded up.
  static func decode(_ data: Data, facts: StillFacts, smallerBy factor: Int = 1) throws -> CGImage {
    if facts.format == .png, factor == 1 { return try PNGDecoder.decode(data) }
    var buffer = try decodeBuffer(data, facts: facts, atLeast: factor == 1 ? nil : shorter(facts, factor))
    let size = JPEGDecoder.size(
      width: facts.width, height: facts.height, scale: JPEGDecoder.Scale(rawValue: factor) ?? .full)
    if CVPixelBufferGetWidth(buffer) != size.width || CVPixelBufferGetHeight(buffer) != size.height {
      buffer = try PixelTransformer(bufferLimit: 1).apply(
        FrameTransform(size: PixelSize(width: size.width, height: size.height)), to: buffer)
    }
    return try image(of: buffer, facts: facts)
  }

  /// A buffer of RGBA (gray files: one component) whose colours are those of the file.
  ///
  /// - Parameter edge: The longer edge that is enough; a JPEG is decoded no larger than need be.
  static func decodeBuffer(_ data: Data, facts: StillFacts, atLeast edge: Int? = nil) throws -> CVPixelBuffer
  {
    let buffer: CVPixelBuffer
    switch facts.format {
    case .jpeg:
      let format =
        facts.colorComponents == 1 ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_32RGBA
      buffer = try JPEGDecoder.decode(data, to: format, scale: scale(facts, atLeast: edge))
    case .heic:
      buffer = try HEICDecoder.decode(data, to: kCVPixelFormatType_32RGBA)
    case .png:
      buffer = try PNGDecoder.decode(data).makePixelBuffer(format: kCVPixelFormatType_32RGBA)
    }
    CVBufferSetAttachment(buffer, kCVImageBufferCGColorSpaceKey, facts.colorSpace, .shouldPropagate)
    return buffer
  }

  /// An image over a buffer that ``decodeBuffer(_:facts:atLeast:)`` made.
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

  private static func shorter(_ facts: StillFacts, _ factor: Int) -> Int {
    (max(facts.width, facts.height) + factor - 1) / factor
  }

  /// The smallest size at which the decoder still delivers `edge` pixels.
  private static func scale(_ facts: StillFacts, atLeast edge: Int?) -> JPEGDecoder.Scale {
    guard let edge else { return .full }
    let scales: [JPEGDecoder.Scale] = [.eighth, .quarter, .half]
    return scales.first { shorter(facts, $0.rawValue) >= edge } ?? .full
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

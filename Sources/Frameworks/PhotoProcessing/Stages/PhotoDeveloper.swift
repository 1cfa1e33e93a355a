package import CameraFrames
package import CaptureDevice
package import CoreVideo
package import Foundation
internal import PixelTransforms

/// Develop: turns the chosen frame into the pictures the photo consists of.
package struct PhotoDeveloper: Sendable {
  /// A frame's pictures, each as its client asked for it or its encoder takes it.
  package struct Negative: Sendable {
    /// The full picture: memory of its own when a client gets it, else the device's where that fits.
    package var picture: CVPixelBuffer
    /// The picture as the camera compressed it, when it did and no other quality was asked for.
    package var cameraFile: Data?
    package var preview: CVPixelBuffer?
    package var thumbnail: CVPixelBuffer?
    /// The picture before it was enlarged, cut or converted, for the preview of a raw picture; `nil` where there is none.
    package var whole: CVPixelBuffer?
    /// The faces of heads that were made round in the picture, in its pixels; empty where none was.
    package var roundHeads: [CGRect] = []
    /// How many frames the picture is made of, and how many were taken for it.
    package var frames = (used: 1, taken: 1)

    /// Whether the colours are Display P3 rather than sRGB.
    package var isWideColor: Bool {
      CVBufferCopyAttachment(picture, kCVImageBufferColorPrimariesKey, nil) as? String
        == kCVImageBufferColorPrimaries_P3_D65
    }

    /// The thumbnail's size, if there is one.
    package var thumbnailSize: FrameSize? {
      thumbnail.map { FrameSize(width: CVPixelBufferGetWidth($0), height: CVPixelBufferGetHeight($0)) }
    }

    /// The full picture's size.
    package var size: FrameSize {
      FrameSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    }
  }

  // A client may keep as many photos as it likes.
  private let decoder = FrameDecoder(bufferLimit: .max, forgivesLeftOvers: true)
  private let transformer = PixelTransformer(bufferLimit: .max)

  package init() {}

  /// Makes the pictures that `request` asks for.
  ///
  /// Blocks for as long as decoding, converting and copying take: nothing for the usual photo, some 60 ms for 12 megapixels of
  /// JPEG.
  ///
  /// - Parameter processor: The way to the frame's picture; `nil` for a frame from a file.
  /// - Throws: what the decoder or the transformer throws: a broken JPEG, no memory.
  package func develop(
    _ frame: CapturedFrame, for request: PhotoProcessingRequest, by processor: FrameProcessor? = nil
  ) throws -> Negative {
    let first = try picture(of: frame, by: processor)
    // A frame that was decoded here is in memory of its own.
    let shared = processor?.hasEffect == true || frame.content.uncompressed() != nil ? first : nil
    var opened = try shown(first, for: request)
    if request.proxyIdentifier != nil {
      let size = PhotoProxy.size(of: FrameSize(width: opened.width, height: opened.height))
      opened = try transformer.apply(FrameTransform(size: PixelSize(size)), to: opened)
    }
    var picture = opened
    if case .pixels(let format) = request.encoding {
      // Files need no such step: their encoders read every camera's format, row by row where they must convert.
      picture = try owned(transformer.apply(FrameTransform(pixelFormat: format), to: opened), shared)
    }
    var negative = Negative(picture: picture)
    if request.raw != nil { negative.whole = first }
    if request.encoding == .jpeg(quality: nil), opened === first, request.proxyIdentifier == nil,
      processor?.hasEffect != true
    {
      negative.cameraFile = try decoder.cameraFile(of: frame)
    }
    if let preview = request.preview {
      let size = Self.size(negative.size, within: preview.longerSide, preview.longerSide)
      negative.preview = try owned(
        transformer.apply(
          FrameTransform(size: PixelSize(size), pixelFormat: preview.pixelFormat), to: opened), shared)
    }
    if let thumbnail = request.thumbnail {
      let size = Self.size(negative.size, within: thumbnail.maxWidth, thumbnail.maxHeight)
      negative.thumbnail = try transformer.apply(
        FrameTransform(size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
        to: opened)
    }
    return negative
  }

  /// What a photo shows of a still's picture, or of a matte of its size: enlarged, cut and turned.
  package func shown(_ picture: CVPixelBuffer, for request: PhotoProcessingRequest) throws -> CVPixelBuffer {
    let cut = try cut(enlarge(picture, request.enlargement), request.shape)
    return request.turn == .none
      ? cut : try transformer.apply(FrameTransform(rotation: request.turn), to: cut)
  }

  /// A frame's full picture, with its stream's effect: the device's memory, or one that others may share.
  ///
  /// Without an effect it is decoded anew: what clients draw into a picture of theirs is not in a photo.
  package func picture(of frame: CapturedFrame, by processor: FrameProcessor?) throws -> CVPixelBuffer {
    guard let processor, processor.hasEffect else { return try decoder.open(frame) }
    return try processor.picture(of: frame, decode: decoder.open)
  }

  /// A picture that a client gets: never the one that all consumers of the frame share, which a client that keeps photos would take
  /// from the viewfinder.
  private func owned(_ picture: CVPixelBuffer, _ shared: CVPixelBuffer?) throws -> CVPixelBuffer {
    picture === shared ? try transformer.copy(picture) : picture
  }

  /// The middle of a picture at the size of all of it; cut where samples of colour begin, within two pixels of the factor.
  private func enlarge(_ picture: CVPixelBuffer, _ factor: Double) throws -> CVPixelBuffer {
    guard factor > 1 else { return picture }
    let size = PixelSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    func side(_ length: Int) -> Int {
      let margin = Int((Double(length) * (1 - 1 / factor) / 4).rounded()) * 2
      return length - 2 * min(margin, (length - 1) / 4 * 2)
    }
    let (width, height) = (side(size.width), side(size.height))
    let crop = PixelRect(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
    return try transformer.apply(FrameTransform(crop: crop, size: size), to: picture)
  }

  private func cut(_ picture: CVPixelBuffer, _ shape: PhotoShape?) throws -> CVPixelBuffer {
    guard let part = shape?.part(of: FrameSize(width: picture.width, height: picture.height)) else {
      return picture
    }
    return try transformer.apply(
      FrameTransform(crop: part, size: PixelSize(width: part.width, height: part.height)), to: picture)
  }

  /// The largest size with `size`'s aspect and even sides that fits, but no larger than `size`.
  package static func size(_ size: FrameSize, within maxWidth: Int, _ maxHeight: Int) -> FrameSize {
    let scale = min(Double(maxWidth) / Double(size.width), Double(maxHeight) / Double(size.height))
    guard scale < 1 else { return size }
    func side(_ length: Int, _ limit: Int) -> Int {
      max(2, min(Int((Double(length) * scale / 2).rounded()) * 2, limit & ~1))
    }
    return FrameSize(width: side(size.width, maxWidth), height: side(size.height, maxHeight))
  }
}

internal import CFFmpeg
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Makes of any pixel buffer one that the encoder takes.
final class EncoderSource {
  private let transform: FrameTransform
  private let transformer = PixelTransformer()
  private let pixels: cam_pixels
  /// Where ProRes's pictures are made; the encoder has read one when the next comes.
  private var deepMemory: [UInt16] = []

  init(_ settings: VideoEncoderSettings, pixels: cam_pixels, isFullRange: Bool) {
    self.pixels = pixels
    let format =
      switch pixels {
      case cam_pixels_yuv420:
        isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
      case cam_pixels_yuv422_10: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
      default:
        isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      }
    transform = FrameTransform(
      size: settings.size, scaling: settings.scaling, pixelFormat: format,
      matrix: settings.matrix.flatMap(YCbCrMatrix.init(attachment:)))
  }

  func prepare(_ source: CVPixelBuffer) throws(CodecError) -> HeldPicture {
    let picture: CVPixelBuffer
    do {
      picture = try transformer.apply(transform, to: source)
    } catch {
      throw CodecError(.unsuitable, "The picture cannot be made ready for the encoder: \(error)")
    }
    return pixels == cam_pixels_yuv422_10 ? widened(picture) : HeldPicture(picture, pixels: pixels)
  }

  /// Half-size chroma of 10 bits at the high end as chroma of full height with 10 bits at the low end.
  private func widened(_ picture: CVPixelBuffer) -> HeldPicture {
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    let half = (width + 1) / 2
    let count = width * height + 2 * half * height
    if deepMemory.count != count { deepMemory = Array(repeating: 0, count: count) }
    let (luma, chroma) = (picture.planes[0], picture.planes[1])
    deepMemory.withUnsafeMutableBufferPointer { memory in
      for y in 0..<height {
        let row = luma.row(y).bindMemory(to: UInt16.self)
        for x in 0..<width { memory[y * width + x] = row[x] >> 6 }
        let pairs = chroma.row(min(y / 2, chroma.height - 1)).bindMemory(to: UInt16.self)
        let first = width * height + y * half
        for x in 0..<half {
          memory[first + x] = pairs[2 * x] >> 6
          memory[first + half * height + x] = pairs[2 * x + 1] >> 6
        }
      }
    }
    return HeldPicture(deepMemory, width: width, height: height)
  }
}

/// A picture whose memory stays until the encoder gives it back.
final class HeldPicture {
  private let buffer: CVPixelBuffer?
  private let deep: [UInt16]
  private let width: Int
  private let height: Int
  private let pixels: cam_pixels

  init(_ buffer: CVPixelBuffer, pixels: cam_pixels) {
    self.buffer = buffer
    self.pixels = pixels
    deep = []
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
  }

  init(_ deep: [UInt16], width: Int, height: Int) {
    buffer = nil
    self.deep = deep
    self.width = width
    self.height = height
    pixels = cam_pixels_yuv422_10
  }

  deinit {
    if let buffer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
  }

  /// Lends the picture and a reference to this object, which ``release(_:)`` takes back.
  func withPicture<Result>(
    _ facts: PictureFacts, _ body: (UnsafePointer<cam_picture>, UnsafeMutableRawPointer) -> Result
  ) -> Result {
    var picture = cam_picture()
    picture.width = Int32(width)
    picture.height = Int32(height)
    picture.pixels = pixels
    picture.is_interlaced = facts.isInterlaced
    picture.is_top_first = facts.isInterlaced && facts.isTopFirst
    if let buffer {
      let planes = buffer.planes
      func address(_ index: Int) -> UnsafePointer<UInt8>? {
        guard planes.indices.contains(index) else { return nil }
        return UnsafePointer(planes[index].baseAddress.assumingMemoryBound(to: UInt8.self))
      }
      func stride(_ index: Int) -> Int32 {
        planes.indices.contains(index) ? Int32(planes[index].bytesPerRow) : 0
      }
      picture.planes = (address(0), address(1), address(2))
      picture.strides = (stride(0), stride(1), stride(2))
      return body(&picture, Unmanaged.passRetained(self).toOpaque())
    }
    let half = (width + 1) / 2
    return deep.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: UInt8.self).baseAddress
      picture.planes = (
        base, base.map { $0 + 2 * width * height }, base.map { $0 + 2 * (width * height + half * height) }
      )
      picture.strides = (Int32(2 * width), Int32(2 * half), Int32(2 * half))
      return body(&picture, Unmanaged.passRetained(self).toOpaque())
    }
  }

  /// Takes back the reference.
  static func release(_ owner: UnsafeMutableRawPointer?) {
    if let owner { Unmanaged<HeldPicture>.fromOpaque(owner).release() }
  }
}

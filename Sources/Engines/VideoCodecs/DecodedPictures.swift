internal import CFFmpeg
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Makes pixel buffers of a decoder's pictures.
final class DecodedPictures {
  private let format: CMFormatDescription
  private let pixelFormat: OSType?
  private let transformer: PixelTransformer

  init(_ format: CMFormatDescription, pixelFormat: OSType?, isLive: Bool) {
    // A stream's next picture is far off: waking another thread costs processor time, and gains a fraction of a millisecond.
    transformer = PixelTransformer(bufferLimit: 64, threads: isLive ? 1 : Tiles.threads)
    self.format = format
    self.pixelFormat = pixelFormat
  }

  /// The picture as it was asked for; without a wish on the decoder's own memory where it can be.
  ///
  /// Takes over `frame`.
  func buffer(_ frame: OpaquePointer, _ facts: cam_frame_facts) throws(CodecError) -> CVPixelBuffer {
    let owner = FrameOwner(frame)
    let isFull = isFullRange(facts)
    let decoded: CVPixelBuffer
    if let shared = shared(owner, facts, isFull) {
      decoded = shared
    } else {
      decoded = try copied(owner, facts, isFull)
    }
    attach(facts, to: decoded)
    guard let pixelFormat, pixelFormat != CVPixelBufferGetPixelFormatType(decoded) else { return decoded }
    do {
      return try transformer.apply(FrameTransform(pixelFormat: pixelFormat), to: decoded)
    } catch {
      throw CodecError(
        .unsuitable,
        "Pictures cannot be had as '\(FourCharacterCode(rawValue: pixelFormat))': \(error)")
    }
  }

  /// The container's word counts more than the stream's.
  private func isFullRange(_ facts: cam_frame_facts) -> Bool {
    let said = CMFormatDescriptionGetExtension(
      format, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo)
    return facts.colors.is_full_range || LooseNumber.truth(said) == true
  }

  private func shared(_ owner: FrameOwner, _ facts: cam_frame_facts, _ isFull: Bool) -> CVPixelBuffer? {
    let picture = facts.picture
    let (width, height) = (Int(picture.width), Int(picture.height))
    let code: OSType
    let count: Int
    switch picture.pixels {
    case cam_pixels_yuv420:
      code = isFull ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
      count = 3
    case cam_pixels_nv12:
      code =
        isFull
        ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      count = 2
    case cam_pixels_p010:
      code =
        isFull
        ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
      count = 2
    default: return nil
    }
    let addresses = [picture.planes.0, picture.planes.1, picture.planes.2]
    let strides = [picture.strides.0, picture.strides.1, picture.strides.2]
    var planes: [PixelPlane] = []
    for index in 0..<count {
      guard let address = addresses[index], strides[index] > 0 else { return nil }
      planes.append(
        PixelPlane(
          baseAddress: UnsafeMutableRawPointer(mutating: address),
          width: index == 0 ? width : (width + 1) / 2, height: index == 0 ? height : (height + 1) / 2,
          bytesPerRow: Int(strides[index])))
    }
    return CVPixelBuffer(
      wrapping: planes, format: code, width: width, height: height,
      release: { withExtendedLifetime(owner) {} })
  }

  private func copied(
    _ owner: FrameOwner, _ facts: cam_frame_facts, _ isFull: Bool
  ) throws(CodecError) -> CVPixelBuffer {
    guard facts.can_be_biplanar else {
      throw CodecError(.noDecoder, "The pictures' sampling is not supported.")
    }
    let isDeep = facts.depth > 8
    let code =
      switch (isDeep, isFull) {
      case (true, true): kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
      case (true, false): kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
      case (false, true): kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      case (false, false): kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      }
    let buffer: CVPixelBuffer
    do {
      buffer = try transformer.makeBuffer(
        size: PixelSize(width: Int(facts.picture.width), height: Int(facts.picture.height)), pixelFormat: code
      )
    } catch {
      throw CodecError(.failed, "There is no memory for a picture: \(error)")
    }
    let planes = buffer.planes
    cam_frame_write_biplanar(
      owner.frame, planes[0].baseAddress.assumingMemoryBound(to: UInt8.self), Int32(planes[0].bytesPerRow),
      planes[1].baseAddress.assumingMemoryBound(to: UInt8.self), Int32(planes[1].bytesPerRow), isDeep)
    return buffer
  }

  /// Colours and shape: what the description says, else what the stream says, else what the size suggests.
  private func attach(_ facts: cam_frame_facts, to buffer: CVPixelBuffer) {
    for key in CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() {
      guard let key = key as? String,
        let value = CMFormatDescriptionGetExtension(format, extensionKey: key)
      else { continue }
      CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
    }
    func add(_ key: String, _ value: String?) {
      guard let value, CVBufferCopyAttachment(buffer, key, nil) == nil else { return }
      CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
    }
    add(kCVImageBufferYCbCrMatrixKey, CVYCbCrMatrixGetStringForIntegerCodePoint(facts.colors.matrix))
    add(kCVImageBufferColorPrimariesKey, CVColorPrimariesGetStringForIntegerCodePoint(facts.colors.primaries))
    add(
      kCVImageBufferTransferFunctionKey,
      CVTransferFunctionGetStringForIntegerCodePoint(facts.colors.transfer))
    add(
      kCVImageBufferYCbCrMatrixKey,
      CVPixelBufferGetHeight(buffer) >= 720
        ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4)
  }
}

/// A decoder's picture, freed with the last reference.
private final class FrameOwner: @unchecked Sendable {  // Safe because the frame is only read, then freed.
  let frame: OpaquePointer

  init(_ frame: OpaquePointer) {
    self.frame = frame
  }

  deinit {
    cam_frame_free(frame)
  }
}

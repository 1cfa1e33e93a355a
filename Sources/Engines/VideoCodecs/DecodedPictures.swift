internal import CFFmpeg
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// Makes pixel buffers of a decoder's pictures.
final class DecodedPictures {
  private let pixelFormat: OSType?
  private let transformer: PixelTransformer
  /// What the container says of all pictures: its word counts more than the stream's.
  private let said: (isFullRange: Bool, attachments: CFDictionary)
  /// What all pictures carry that are coloured as the last one was.
  private var last: (look: Look, attachments: BufferAttachments)?

  /// What a stream may change from picture to picture.
  private struct Look: Equatable {
    var matrix, primaries, transfer: Int32
    var isTall: Bool
  }

  init(_ format: CMFormatDescription, pixelFormat: OSType?, isLive: Bool) {
    // A stream's next picture is far off: waking another thread costs processor time, and gains a fraction of a millisecond.
    transformer = PixelTransformer(bufferLimit: 64, threads: isLive ? 1 : Tiles.threads)
    var attachments: CFDictionary = [:]
    for key in CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() {
      guard let key = key as? String else { continue }
      attachments[key] = CMFormatDescriptionGetExtension(format, extensionKey: key)
    }
    let isFullRange = CMFormatDescriptionGetExtension(
      format, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo)
    said = (LooseNumber.truth(isFullRange) == true, attachments)
    self.pixelFormat = pixelFormat
  }

  /// The picture as it was asked for; without a wish on the decoder's own memory where it can be.
  ///
  /// Takes over `frame`.
  func buffer(_ frame: OpaquePointer, _ facts: cam_frame_facts) throws(CodecError) -> CVPixelBuffer {
    let owner = FrameOwner(frame)
    let isFull = facts.colors.is_full_range || said.isFullRange
    let attachments = attachments(facts)
    let decoded: CVPixelBuffer
    if let shared = shared(owner, facts, isFull, attachments) {
      decoded = shared
    } else {
      decoded = try copied(owner, facts, isFull, attachments)
    }
    guard let pixelFormat, pixelFormat != CVPixelBufferGetPixelFormatType(decoded) else { return decoded }
    do {
      return try transformer.apply(FrameTransform(pixelFormat: pixelFormat), to: decoded)
    } catch {
      throw CodecError(
        .unsuitable,
        "Pictures cannot be had as '\(FourCharacterCode(rawValue: pixelFormat))': \(error)")
    }
  }

  private func shared(
    _ owner: FrameOwner, _ facts: cam_frame_facts, _ isFull: Bool, _ attachments: BufferAttachments
  ) -> CVPixelBuffer? {
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
      wrapping: planes, format: code, width: width, height: height, attachments: attachments,
      release: { withExtendedLifetime(owner) {} })
  }

  private func copied(
    _ owner: FrameOwner, _ facts: cam_frame_facts, _ isFull: Bool, _ attachments: BufferAttachments
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
    buffer.attach(attachments)
    return buffer
  }

  /// Colours and shape: what the description says, else what the stream says, else what the size suggests.
  private func attachments(_ facts: cam_frame_facts) -> BufferAttachments {
    let look = Look(
      matrix: facts.colors.matrix, primaries: facts.colors.primaries, transfer: facts.colors.transfer,
      isTall: facts.picture.height >= 720)
    if let last, last.look == look { return last.attachments }
    var values = said.attachments
    func add(_ key: String, _ value: String?) {
      if values[key] == nil, let value { values[key] = value }
    }
    add(kCVImageBufferYCbCrMatrixKey, CVYCbCrMatrixGetStringForIntegerCodePoint(look.matrix))
    add(kCVImageBufferColorPrimariesKey, CVColorPrimariesGetStringForIntegerCodePoint(look.primaries))
    add(kCVImageBufferTransferFunctionKey, CVTransferFunctionGetStringForIntegerCodePoint(look.transfer))
    add(
      kCVImageBufferYCbCrMatrixKey,
      look.isTall ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    let attachments = BufferAttachments(propagating: values)
    last = (look, attachments)
    return attachments
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

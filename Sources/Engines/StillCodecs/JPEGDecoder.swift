public import CoreVideo
public import Foundation
public import FoundationExtras
internal import CImageCodecs

/// Reads JPEG pictures into pixel buffers.
///
/// 4:2:0 and 4:2:2 files become 420f without a colour round trip. Files without Huffman tables, as cameras send them in
/// Motion JPEG, are read with the standard's. Stateless and thread-safe; runs on the caller's thread.
public enum JPEGDecoder {
  /// Decodes into a new buffer.
  ///
  /// - Parameters:
  ///   - data: The file or frame; bytes behind its end do no harm.
  ///   - pixelFormat: 420f, f420 (planar), one component of 8 bits (luma only), BGRA or RGBA (alpha 255).
  ///   - scale: How much smaller.
  ///   - isStrict: Whether damage is an error; otherwise what could be read is returned, the rest gray.
  /// - Returns: A buffer whose attachments say full-range BT.601 and, for want of a profile's word, sRGB.
  /// - Throws: ``StillCodecError``: `damaged`, `unsupported` (lossless and other rare kinds), `tooLarge`, `unsuitable`
  ///   for another pixel format.
  public static func decode(
    _ data: Data, to pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    scale: StillScale = .full,
    isStrict: Bool = false
  ) throws -> CVPixelBuffer {
    let header = try Header(data)
    let size = scale.size(width: header.width, height: header.height)
    try DecodeLimit.check(
      bytes: size.width * size.height * bytes(ofPixel: pixelFormat) / 2 + header.coefficientBytes,
      fileBytes: data.count, width: size.width, height: size.height, format: .jpeg)
    let buffer = try CVPixelBuffer(
      format: pixelFormat, width: size.width, height: size.height, attributes: [:])
    try decode(data, into: buffer, scale: scale, isStrict: isStrict)
    return buffer
  }

  /// Decodes into a buffer of the caller's, such as one of a pool.
  ///
  /// - Parameters:
  ///   - data: The file or frame.
  ///   - buffer: Of a format of ``decode(_:to:scale:isStrict:)`` and exactly the size of the picture at `scale`. Its
  ///     matrix attachment is set.
  ///   - scale: How much smaller.
  ///   - isStrict: Whether damage is an error. The buffer's content is then undefined.
  ///   - surplus: How many columns and rows a 4:2:0 or 4:2:2 picture at full size may have beyond the buffer, on the right and
  ///     below; they are left out.
  public static func decode(
    _ data: Data, into buffer: CVPixelBuffer, scale: StillScale = .full, isStrict: Bool = false,
    surplus: Int = 0
  ) throws {
    guard var target = cam_jpeg_target(buffer) else {
      throw StillCodecError(
        .unsuitable,
        "The JPEG file cannot be decoded into pixel format '\(FourCharacterCode(rawValue: buffer.format))'; ask for 420f or BGRA."
      )
    }
    target.scale_denominator = Int32(scale.rawValue)
    target.strict = isStrict ? 1 : 0
    target.surplus = Int32(clamping: surplus)
    if isStrict { try checkEnds(of: data) }
    var damage: Int32 = 0
    let profile = JPEGSegments.inkProfile(of: data) ?? Data()
    try profile.withUnsafeBytes { profile in
      target.profile = profile.baseAddress?.assumingMemoryBound(to: UInt8.self)
      target.profile_size = profile.count
      try codecInput(data, StillCodecError.damagedJPEG) { cam_jpeg_decode($0, $1, &target, &damage, $2) }
    }
    if target.layout == CAM_JPEG_YCBCR {
      CVBufferSetAttachment(
        buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    }
  }

  /// Twice the bytes that a pixel takes.
  private static func bytes(ofPixel format: OSType) -> Int {
    switch format {
    case kCVPixelFormatType_OneComponent8: 2
    case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA: 8
    default: 3
    }
  }

  /// A frame that was cut off in transfer has no end marker.
  private static func checkEnds(of data: Data) throws(StillCodecError) {
    guard data.count >= 4, data.starts(with: [0xFF, 0xD8]) else {
      throw StillCodecError.damagedJPEG("it does not begin with a start marker")
    }
    // Cameras pad frames to a multiple of some size, so that the marker need not be the last thing.
    guard data.range(of: Data([0xFF, 0xD9]), options: .backwards) != nil else {
      throw StillCodecError.damagedJPEG("it has no end marker")
    }
  }

  /// The header of a file, before its picture.
  package struct Header {
    var width: Int
    var height: Int
    var components: Int
    var isProgressive: Bool
    var chroma: (x: Int, y: Int)
    /// The bytes that the decoder keeps of the whole picture, at any scale, when it comes in several scans.
    package var coefficientBytes: Int

    package init(_ data: Data) throws {
      var header = cam_jpeg_header()
      try codecInput(data, StillCodecError.damagedJPEG) { cam_jpeg_read_header($0, $1, &header, $2) }
      width = Int(header.width)
      height = Int(header.height)
      components = Int(header.components)
      isProgressive = header.is_progressive != 0
      chroma = (Int(header.chroma_x), Int(header.chroma_y))
      coefficientBytes = header.coefficient_bytes
      try DecodeLimit.check(width: width, height: height, fileBytes: data.count, format: .jpeg)
    }
  }
}

extension StillCodecError {
  /// A JPEG picture that is no whole one; the reason stands between a colon and a semicolon.
  package static func damagedJPEG(_ reason: String) -> StillCodecError {
    StillCodecError(.damaged, "The JPEG picture cannot be decoded: \(reason); it is damaged or cut off.")
  }
}

extension cam_jpeg_target {
  fileprivate init?(_ buffer: CVPixelBuffer) {
    self.init()
    width = Int32(buffer.width)
    height = Int32(buffer.height)
    chroma_step = 1
    let bases = buffer.planes.map { $0.baseAddress.assumingMemoryBound(to: UInt8.self) }
    let rows = buffer.planes.map(\.bytesPerRow)
    switch buffer.format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      layout = CAM_JPEG_YCBCR
      chroma_step = 2
      planes = (bases[0], bases[1], bases[1] + 1)
      strides = (rows[0], rows[1], rows[1])
    case kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      layout = CAM_JPEG_YCBCR
      planes = (bases[0], bases[1], bases[2])
      strides = (rows[0], rows[1], rows[2])
    case kCVPixelFormatType_OneComponent8, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA:
      layout =
        buffer.format == kCVPixelFormatType_OneComponent8
        ? CAM_JPEG_GRAY : buffer.format == kCVPixelFormatType_32BGRA ? CAM_JPEG_BGRA : CAM_JPEG_RGBA
      planes = (bases[0], nil, nil)
      strides = (rows[0], 0, 0)
    default:
      return nil
    }
  }
}

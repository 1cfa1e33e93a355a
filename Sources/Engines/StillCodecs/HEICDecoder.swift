public import CoreVideo
public import Foundation
public import FoundationExtras
internal import CImageCodecs
internal import PixelTransforms

/// Reads the primary picture of HEIC files into pixel buffers.
///
/// The codec library converts to RGB before YCbCr, which costs a level of rounding and clips colours outside the file's
/// primaries. Pictures come as they are stored, without the file's rotation or mirroring. Stateless and thread-safe; runs on
/// the caller's thread, the codec also on threads of its own.
public enum HEICDecoder {
  /// Decodes into a new buffer.
  ///
  /// - Parameters:
  ///   - data: The file.
  ///   - pixelFormat: 420f, BGRA, or any other that these convert to. Alpha, where the file has it and the format too,
  ///     is straight.
  /// - Returns: A buffer whose attachments say matrix, primaries and transfer function.
  /// - Throws: ``StillCodecError``: `damaged`, `tooLarge`, `unsupported`; `PixelTransformError` for the format.
  public static func decode(
    _ data: Data, to pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  ) throws -> CVPixelBuffer {
    try HEICFile.open(data) { try $0.decode(to: pixelFormat) }
  }

  /// The most memory that decoding takes for each pixel: the codec's picture, its RGB, and what is made of it; more where the
  /// codec hands out RGBA.
  package static func bytesPerPixel(isPacked: Bool) -> Int { isPacked ? 14 : 9 }

  /// Decodes the luma of the primary picture as one component of 8 bits, its numbers as they are coded.
  static func decodeGray(_ data: Data) throws -> CVPixelBuffer {
    try HEICFile.open(data) { try $0.decodeGray() }
  }

  /// Decodes the embedded thumbnail; `nil` when there is none.
  public static func decodeThumbnail(
    _ data: Data, to pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  ) throws -> CVPixelBuffer? {
    try HEICFile.open(data) { file in
      file.header.has_thumbnail == 0 ? nil : try file.decode(to: pixelFormat, isThumbnail: true)
    }
  }
}

/// An opened file; lives as long as the bytes it reads from.
struct HEICFile: ~Copyable {
  private let file: OpaquePointer
  let header: cam_heif_header
  /// What decoding may have to make on its way, and the bytes of the file.
  private let largest: (width: Int, height: Int)
  private let crop: PixelRect?
  private let fileBytes: Int

  static func open<Result>(_ data: Data, _ body: (borrowing HEICFile) throws -> Result) throws -> Result {
    guard let boxes = HEIFBoxes(data) else {
      throw StillCodecError.damagedHEIC("it has no primary picture")
    }
    try DecodeLimit.check(
      width: boxes.largest.width, height: boxes.largest.height, fileBytes: data.count, format: .heic)
    try HEIFItems.check(data)
    return try data.withUnsafeBytes { bytes in
      let file = try HEICFile(bytes, boxes)
      return try body(file)
    }
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ boxes: HEIFBoxes) throws {
    var file: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
    let result = cam_heif_open(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &file, &message)
    guard result == 0, let file else { throw StillCodecError.damagedHEIC(text(of: message)) }
    self.file = file
    largest = boxes.largest
    crop = boxes.crop
    fileBytes = bytes.count
    var header = cam_heif_header()
    cam_heif_read_header(file, &header)
    self.header = header
  }

  deinit {
    cam_heif_close(file)
  }

  /// The ICC profile; `nil` when the file has none.
  borrowing func profile() -> Data? {
    read(header.profile_size, cam_heif_read_profile)
  }

  /// The EXIF block from its TIFF header on; `nil` when the file has none.
  borrowing func exif() -> Data? {
    // The block begins with the distance to the TIFF header, counted from behind these four bytes.
    guard let block = read(header.exif_size, cam_heif_read_exif), block.count > 8 else { return nil }
    let distance = block.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard distance <= block.count - 12 else { return nil }
    return Data(block.dropFirst(4 + distance))
  }

  /// The XMP packet; `nil` when the file has none.
  borrowing func xmp() -> Data? {
    read(header.xmp_size, cam_heif_read_xmp)
  }

  private borrowing func read(
    _ size: Int,
    _ reader: (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CChar>?) -> Int32
  ) -> Data? {
    guard size > 0, size < 64 << 20 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
    return reader(file, &bytes, &message) == 0 ? Data(bytes) : nil
  }

  /// Decodes the primary picture or its thumbnail.
  borrowing func decode(to format: OSType, isThumbnail: Bool = false) throws -> CVPixelBuffer {
    // The codec's picture is gone before another is made of it.
    let stored = try decodeStored(for: format, isThumbnail: isThumbnail)
    if stored.format == format { return stored }
    return try PixelTransformer(bufferLimit: 1).apply(FrameTransform(pixelFormat: format), to: stored)
  }

  /// Decodes the luma of the primary picture.
  borrowing func decodeGray() throws -> CVPixelBuffer {
    try checkMemory(isPacked: false)
    var pixels: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
    var result = cam_heif_decode(file, 0, CAM_HEIF_GRAY, &pixels, &message)
    // Of a picture with colours, from which the codec makes no gray one.
    if result != 0 { result = cam_heif_decode(file, 0, CAM_HEIF_420, &pixels, &message) }
    guard result == 0, let pixels else { throw StillCodecError.damagedHEIC(text(of: message)) }
    defer { cam_heif_release(pixels) }
    var planes = cam_heif_planes()
    cam_heif_get_planes(pixels, &planes)
    let (width, height) = (Int(planes.width), Int(planes.height))
    guard width > 0, height > 0, let luma = planes.planes.0 else {
      throw StillCodecError.damagedHEIC("it holds no pixels")
    }
    let gray = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: width, height: height)
    copy(luma, planes.strides.0, to: gray.planes[0], bytes: width)
    return gray
  }

  private borrowing func checkMemory(isPacked: Bool) throws {
    try DecodeLimit.check(
      bytes: largest.width * largest.height * HEICDecoder.bytesPerPixel(isPacked: isPacked),
      fileBytes: fileBytes,
      width: largest.width, height: largest.height, format: .heic)
  }

  /// The picture in the format that is nearest to what the codec decodes.
  private borrowing func decodeStored(for format: OSType, isThumbnail: Bool) throws -> CVPixelBuffer {
    let wantsAlpha =
      header.has_alpha != 0 && (format == kCVPixelFormatType_32BGRA || format == kCVPixelFormatType_32RGBA)
    let crop = isThumbnail ? nil : crop
    // Chroma cannot be cut between its samples.
    var isPacked = wantsAlpha || header.bit_depth > 8 || crop != nil
    if !isThumbnail { try checkMemory(isPacked: isPacked) }
    var pixels: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
    var result = cam_heif_decode(
      file, isThumbnail ? 1 : 0, isPacked ? CAM_HEIF_RGBA : CAM_HEIF_420, &pixels, &message)
    if result == 2 {
      // Chroma of another size: the codec brings it to whole pixels.
      isPacked = true
      if !isThumbnail { try checkMemory(isPacked: true) }
      result = cam_heif_decode(file, isThumbnail ? 1 : 0, CAM_HEIF_RGBA, &pixels, &message)
    }
    guard result == 0, let pixels else { throw StillCodecError.damagedHEIC(text(of: message)) }
    defer { cam_heif_release(pixels) }
    var planes = cam_heif_planes()
    cam_heif_get_planes(pixels, &planes)
    let (width, height) = (Int(planes.width), Int(planes.height))
    guard width > 0, height > 0, let first = planes.planes.0 else {
      throw StillCodecError.damagedHEIC("it holds no pixels")
    }
    // The container's colour box has the last word over what is in the coded picture.
    func code(_ outer: Int32, _ inner: Int32) -> Int32 { outer > 0 && outer != 2 ? outer : inner }
    let stored: CVPixelBuffer
    if let crop {
      guard crop.x + crop.width <= width, crop.y + crop.height <= height else {
        throw StillCodecError.damagedHEIC("the part that is shown lies outside of what is coded")
      }
      stored = try CVPixelBuffer(format: kCVPixelFormatType_32RGBA, width: crop.width, height: crop.height)
      copy(
        first + crop.y * planes.strides.0 + 4 * crop.x, planes.strides.0, to: stored.planes[0],
        bytes: 4 * crop.width)
    } else if isPacked {
      stored = try CVPixelBuffer(format: kCVPixelFormatType_32RGBA, width: width, height: height)
      copy(first, planes.strides.0, to: stored.planes[0], bytes: 4 * width)
    } else {
      stored = try CVPixelBuffer(
        format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: width, height: height)
      copy(first, planes.strides.0, to: stored.planes[0], bytes: width)
      joinChroma(planes, to: stored.planes[1])
    }
    var attachments: CFDictionary = [:]
    attachments[kCVImageBufferColorPrimariesKey] = CVColorPrimariesGetStringForIntegerCodePoint(
      code(header.primaries, planes.primaries))
    attachments[kCVImageBufferTransferFunctionKey] = CVTransferFunctionGetStringForIntegerCodePoint(
      code(header.transfer, planes.transfer))
    if !isPacked {
      // Whatever the file holds, libheif 1.15 goes over RGB of 8 bits and hands out full-range BT.601.
      attachments[kCVImageBufferYCbCrMatrixKey] = kCVImageBufferYCbCrMatrix_ITU_R_601_4
    }
    CVBufferSetAttachments(stored, attachments, .shouldPropagate)
    return stored
  }
}

private func copy(_ from: UnsafePointer<UInt8>, _ stride: Int, to plane: PixelPlane, bytes: Int) {
  for y in 0..<plane.height {
    (plane.baseAddress + y * plane.bytesPerRow).copyMemory(from: from + y * stride, byteCount: bytes)
  }
}

private func joinChroma(_ planes: cam_heif_planes, to plane: PixelPlane) {
  for y in 0..<plane.height {
    let row = (plane.baseAddress + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
    guard planes.has_chroma != 0, let cb = planes.planes.1, let cr = planes.planes.2 else {
      row.update(repeating: 128, count: 2 * plane.width)
      continue
    }
    let (firstRow, secondRow) = (cb + y * planes.strides.1, cr + y * planes.strides.2)
    for x in 0..<plane.width {
      row[2 * x] = firstRow[x]
      row[2 * x + 1] = secondRow[x]
    }
  }
}

extension StillCodecError {
  static func damagedHEIC(_ reason: String) -> StillCodecError {
    StillCodecError(.damaged, "The HEIC picture cannot be decoded: \(reason); it is damaged or cut off.")
  }
}

public import CoreVideo
public import Foundation
internal import CImageCodecs
internal import FoundationExtras
internal import PixelTransforms

/// Writes HEIC files (HEVC pictures in a HEIF container) from pixel buffers.
///
/// Stateless and thread-safe; runs on the caller's thread, the codec also on threads of its own.
public enum HEICEncoder {
  /// The options of a file.
  public struct Options: Sendable {
    /// From 0 (smallest) to 1 (best).
    ///
    /// Chosen so that a photograph at 0.9 comes near a JPEG at 0.9: 44 to 45 dB of luma at some half of its bytes.
    public var quality = 0.9
    /// The threads that the codec may use.
    public var threads = 1
    /// 1…8 as in EXIF: how a viewer must lay the picture.
    ///
    /// Written as the container's rotation and mirroring, which viewers of HEIF obey while they ignore EXIF's tag; a
    /// caller sets EXIF's tag to the same, as phones do.
    public var orientation = 1
    /// The EXIF block as TIFF bytes.
    public var exif: Data?
    /// An XMP packet.
    public var xmp: Data?
    /// The ICC profile; without one the code points of the buffer's attachments say everything.
    public var profile: Data?
    /// A smaller picture to embed.
    public var thumbnail: CVPixelBuffer?

    /// The options of a plain photograph: quality 0.9, one thread, no metadata.
    public init() {}
  }

  /// The file of `buffer`'s picture.
  ///
  /// - Parameters:
  ///   - buffer: 420v, 420f and planar y420, f420 are compressed as they are; everything else is converted to 420f
  ///     with BT.601's matrix first. Alpha is ignored. Attachments say matrix, primaries and transfer function.
  ///   - options: How to write it.
  /// - Throws: ``StillCodecError``: `unsuitable` for a format that cannot be converted, `codecFailed`.
  public static func encode(_ buffer: CVPixelBuffer, options: Options = Options()) throws -> Data {
    let picture = try Input(buffer)
    let thumbnail = try options.thumbnail.map { try Input($0) }
    return try withExtendedLifetime((picture, thumbnail)) {
      let exif = options.exif.map { Array($0) } ?? []
      let xmp = options.xmp.map { Array($0) } ?? []
      let profile = options.profile.map { Array($0) } ?? []
      return try exif.withUnsafeBufferPointer { exif in
        try xmp.withUnsafeBufferPointer { xmp in
          try profile.withUnsafeBufferPointer { profile in
            var main = picture.picture
            main.profile = profile.isEmpty ? nil : profile.baseAddress
            main.profile_size = profile.count
            var small = thumbnail?.picture ?? cam_heif_picture()
            small.profile = main.profile
            small.profile_size = main.profile_size
            var settings = cam_heif_options()
            settings.quality = scale(of: options.quality)
            settings.threads = Int32(max(1, options.threads))
            settings.orientation = Int32((1...8).contains(options.orientation) ? options.orientation : 1)
            settings.exif = exif.isEmpty ? nil : exif.baseAddress
            settings.exif_size = exif.count
            settings.xmp = xmp.isEmpty ? nil : xmp.baseAddress
            settings.xmp_size = xmp.count
            return try withUnsafePointer(to: &small) { small in
              if thumbnail != nil { settings.thumbnail = small }
              var file = try codecOutput("The HEIC file cannot be written") { out, size, message in
                cam_heif_encode(&main, &settings, out, size, message)
              }
              HEIFRepair(width: buffer.width, height: buffer.height, thumbnail: options.thumbnail).apply(
                to: &file)
              return file
            }
          }
        }
      }
    }
  }

  /// The file of a gray picture, compressed without loss: each number comes back as it was.
  ///
  /// - Parameter buffer: One component of 8 bits.
  static func encodeGray(_ buffer: CVPixelBuffer) throws -> Data {
    guard let plane = buffer.planes.first, buffer.format == kCVPixelFormatType_OneComponent8 else {
      throw StillCodecError(.unsuitable, "The HEIC file cannot be written: the picture is not gray.")
    }
    var picture = cam_heif_picture()
    picture.width = Int32(buffer.width)
    picture.height = Int32(buffer.height)
    picture.planes.0 = UnsafePointer(plane.baseAddress.assumingMemoryBound(to: UInt8.self))
    picture.strides.0 = plane.bytesPerRow
    picture.is_full_range = 1
    (picture.primaries, picture.transfer, picture.matrix) = (1, 13, 6)
    var settings = cam_heif_options()
    settings.quality = 100
    settings.lossless = 1
    settings.threads = 1
    settings.orientation = 1
    return try withExtendedLifetime(buffer) {
      try codecOutput("The HEIC file cannot be written") { out, size, message in
        cam_heif_encode(&picture, &settings, out, size, message)
      }
    }
  }

  /// libheif's quality for one of 0…1; x265's constant rate factor is half of what it lacks to 100.
  static func scale(of quality: Double) -> Int32 {
    let quality = min(max(quality.isNaN ? 0.9 : quality, 0), 1)
    // 0.9 lands at 54 (a factor of 23), where ultrafast x265 reaches the luma likeness of JPEG's 90; towards 1 the bytes
    // double with every 0.05, towards 0 they shrink slowly.
    let scale = 10 + 30 * quality + 40 * pow(quality, 8)
    return Int32(scale.rounded())
  }

  /// A pixel buffer as the codec reads it.
  private struct Input {
    let buffer: CVPixelBuffer
    private(set) var picture = cam_heif_picture()

    init(_ source: CVPixelBuffer) throws {
      let direct: [OSType: Bool] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: false,
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: true,
        kCVPixelFormatType_420YpCbCr8Planar: false, kCVPixelFormatType_420YpCbCr8PlanarFullRange: true,
      ]
      if direct[source.format] != nil {
        buffer = source
      } else {
        buffer = try PixelTransformer(bufferLimit: 1).apply(
          FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: .bt601),
          to: source)
      }
      let planes = buffer.planes.map {
        (UnsafePointer($0.baseAddress.assumingMemoryBound(to: UInt8.self)), $0.bytesPerRow)
      }
      picture.width = Int32(buffer.width)
      picture.height = Int32(buffer.height)
      if planes.count == 2 {
        picture.planes = (planes[0].0, planes[1].0, planes[1].0 + 1)
        picture.strides = (planes[0].1, planes[1].1, planes[1].1)
        picture.chroma_step = 2
      } else {
        picture.planes = (planes[0].0, planes[1].0, planes[2].0)
        picture.strides = (planes[0].1, planes[1].1, planes[2].1)
        picture.chroma_step = 1
      }
      picture.is_full_range = direct[buffer.format] == false ? 0 : 1
      func attached(_ key: CFString) -> String? { CVBufferCopyAttachment(buffer, key, nil) as? String }
      let primaries = CVColorPrimariesGetIntegerCodePointForString(attached(kCVImageBufferColorPrimariesKey))
      picture.primaries = primaries == 2 ? 1 : primaries
      let transfer = CVTransferFunctionGetIntegerCodePointForString(
        attached(kCVImageBufferTransferFunctionKey))
      picture.transfer = transfer == 2 ? 13 : transfer
      picture.matrix = CVYCbCrMatrixGetIntegerCodePointForString(YCbCrMatrix(of: buffer).attachment)
    }
  }
}

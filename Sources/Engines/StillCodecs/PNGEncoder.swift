public import Foundation
public import GraphicsCore
internal import CImageCodecs

/// Writes PNG files.
///
/// Stateless and thread-safe; runs on the caller's thread.
public enum PNGEncoder {
  /// The options of a file.
  public struct Options: Sendable {
    /// The EXIF block as TIFF bytes, written as an `eXIf` chunk.
    public var exif: Data?
    /// Dots per inch; 0 writes nothing.
    public var dotsPerInch = 0.0
    /// zlib's level, 1 (fast) to 9 (small).
    public var effort = 6

    /// The options of a plain picture: no metadata.
    public init() {}
  }

  /// The file of `image`: gray or RGB, with straight alpha if the image has alpha, 16 bits if it has more than 8.
  ///
  /// sRGB is written as the `sRGB` chunk, other spaces with their profile.
  ///
  /// - Throws: ``StillCodecError``: `codecFailed` for want of memory.
  public static func encode(_ image: CGImage, options: Options = Options()) throws -> Data {
    let isDeep = image.bitsPerComponent > 8
    let hasAlpha = image.layout.alphaOffset != nil
    let isGray = image.layout.colorOffsets.count == 1 && !hasAlpha
    let (width, height) = (image.width, image.height)
    let size = isDeep ? 8 : 4
    let pixels = UnsafeMutableRawPointer.allocate(byteCount: width * height * size, alignment: 16)
    defer { pixels.deallocate() }
    if isDeep {
      image.copyPixels16(
        into: pixels.assumingMemoryBound(to: UInt16.self), valuesPerRow: 4 * width, alpha: .straight)
    } else {
      image.copyPixels8(into: pixels, bytesPerRow: 4 * width, order: .rgba, alpha: .straight)
    }
    if isGray { keepFirstOfFour(pixels, count: width * height, isDeep: isDeep) }

    var picture = cam_png_picture()
    picture.width = Int32(width)
    picture.height = Int32(height)
    picture.bytes_per_component = isDeep ? 2 : 1
    picture.components = isGray ? 1 : hasAlpha ? 4 : 3
    picture.skips_fourth = !isGray && !hasAlpha ? 1 : 0
    picture.pixels = UnsafePointer(pixels.assumingMemoryBound(to: UInt8.self))
    picture.stride = width * (isGray ? size / 4 : size)
    picture.effort = Int32(min(max(options.effort, 1), 9))
    picture.pixels_per_metre = UInt32(max(0, min(options.dotsPerInch, 1e6)) / 0.0254 + 0.5)
    let space = image.colorSpace
    picture.is_srgb = space?.name == CGColorSpace.sRGB || space?.name == "kCGColorSpaceDeviceRGB" ? 1 : 0
    let isDeviceGray = space?.name == "kCGColorSpaceDeviceGray"
    let profile = picture.is_srgb == 1 || isDeviceGray ? [] : space?.copyICCData().map { Array($0) } ?? []
    let exif = options.exif.map { Array($0) } ?? []
    return try profile.withUnsafeBufferPointer { profile in
      try exif.withUnsafeBufferPointer { exif in
        try "profile".withCString { name in
          picture.profile = profile.isEmpty ? nil : profile.baseAddress
          picture.profile_size = profile.count
          picture.profile_name = name
          picture.exif = exif.isEmpty ? nil : exif.baseAddress
          picture.exif_size = exif.count
          return try codecOutput("The PNG file cannot be written") { out, size, message in
            cam_png_encode(&picture, out, size, message)
          }
        }
      }
    }
  }

  private static func keepFirstOfFour(_ pixels: UnsafeMutableRawPointer, count: Int, isDeep: Bool) {
    if isDeep {
      let values = pixels.assumingMemoryBound(to: UInt16.self)
      for index in 0..<count { values[index] = values[4 * index] }
    } else {
      let values = pixels.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { values[index] = values[4 * index] }
    }
  }
}

package import CaptureDevice
internal import CoreVideo

/// The code of a picture's format, as `drm_fourcc.h` has it: four letters, and the way in which a maker changes their meaning.
package struct PictureCode: Sendable, Hashable {
  package var fourcc: UInt32
  /// 0 for the plain format.
  package var modifier: UInt64

  /// A format by its numbers.
  package init(fourcc: UInt32, modifier: UInt64 = 0) {
    (self.fourcc, self.modifier) = (fourcc, modifier)
  }

  /// A plain format by its four letters, or packed as MIPI CSI-2 packs a sensor's numbers.
  package init(_ letters: StaticString, isPacked: Bool = false) {
    precondition(letters.utf8CodeUnitCount == 4, "a code has four letters")
    fourcc = letters.withUTF8Buffer { bytes in
      bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    modifier = isPacked ? Self.packed : 0
  }

  /// MIPI_FORMAT_MOD_CSI2_PACKED.
  private static let packed: UInt64 = 0x0B << 56 | 1

  /// The four letters.
  package var letters: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * $0)) }, as: UTF8.self)
  }

  /// The encoding of such pictures as the rest of the library names it; `nil` for those that are not read here.
  package func encoding(isFullRange: Bool) -> FrameEncoding? {
    if let mosaic { return .mosaic(mosaic) }
    guard modifier == 0 else { return nil }
    switch letters {
    case "NV12":
      return .pixels(
        isFullRange
          ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    case "YU12", "YV12":
      return .pixels(
        isFullRange ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar)
    case "YUYV":
      return .pixels(
        isFullRange ? kCVPixelFormatType_422YpCbCr8FullRange : kCVPixelFormatType_422YpCbCr8_yuvs)
    case "UYVY": return .pixels(kCVPixelFormatType_422YpCbCr8)
    case "R8  ": return .pixels(kCVPixelFormatType_OneComponent8)
    // Named after a number of 24 bits, whose lowest byte comes first.
    case "BG24": return .pixels(kCVPixelFormatType_24RGB)
    case "XR24", "AR24": return .pixels(kCVPixelFormatType_32BGRA)
    case "MJPG": return .motionJPEG
    default: return nil
    }
  }

  /// The rank among formats of one size: what costs less to read comes later.
  package var preference: Int {
    let order = ["MJPG", "R8  ", "BG24", "AR24", "XR24", "UYVY", "YUYV", "YV12", "YU12", "NV12"]
    return order.firstIndex(of: letters).map { $0 + 1 } ?? 0
  }

  /// The storage of a sensor's numbers; `nil` for pictures, and for numbers that a maker compresses.
  package var mosaic: MosaicLayout? {
    guard modifier == 0 || modifier == Self.packed else { return nil }
    let (orders, isPacked) = (Self.orders, modifier == Self.packed)
    for (bits, names) in Self.mosaics {
      guard let place = names.firstIndex(of: letters) else { continue }
      // Eight bits are packed by nature, sixteen never.
      if isPacked, ![10, 12, 14].contains(bits) { return nil }
      return MosaicLayout(pixelFormat: orders[place], bits: bits, isPacked: isPacked)
    }
    return nil
  }

  private static let orders = [
    kCVPixelFormatType_14Bayer_BGGR, kCVPixelFormatType_14Bayer_GBRG, kCVPixelFormatType_14Bayer_GRBG,
    kCVPixelFormatType_14Bayer_RGGB,
  ]
  private static let mosaics: [(Int, [String])] = [
    (8, ["BA81", "GBRG", "GRBG", "RGGB"]), (10, ["BG10", "GB10", "BA10", "RG10"]),
    (12, ["BG12", "GB12", "BA12", "RG12"]), (14, ["BG14", "GB14", "BA14", "RG14"]),
    // RG16 are colours, of five and six bits.
    (16, ["BYR2", "GB16", "GR16", "RGB6"]),
  ]
}

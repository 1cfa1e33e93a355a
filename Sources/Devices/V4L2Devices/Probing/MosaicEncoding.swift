package import CaptureDevice
internal import CoreVideo

extension VideoPixelFormat {
  /// The storage of a bare sensor's numbers; `nil` for pictures, and for compressed numbers (`aBA8`) and those of one maker (`ip3b`).
  ///
  /// C: `V4L2_PIX_FMT_SBGGR8` to `V4L2_PIX_FMT_SRGGB16`, and the packed ones of MIPI CSI-2.
  package var mosaic: MosaicLayout? { Self.mosaics[description] }

  private static let mosaics: [String: MosaicLayout] = {
    let orders = [
      kCVPixelFormatType_14Bayer_BGGR, kCVPixelFormatType_14Bayer_GBRG, kCVPixelFormatType_14Bayer_GRBG,
      kCVPixelFormatType_14Bayer_RGGB,
    ]
    // The names of each kind in the order of `orders`.
    let kinds: [(names: [String], bits: Int, isPacked: Bool)] = [
      (["BA81", "GBRG", "GRBG", "RGGB"], 8, false), (["BG10", "GB10", "BA10", "RG10"], 10, false),
      (["BG12", "GB12", "BA12", "RG12"], 12, false), (["BG14", "GB14", "GR14", "RG14"], 14, false),
      (["BYR2", "GB16", "GR16", "RG16"], 16, false), (["pBAA", "pGAA", "pgAA", "pRAA"], 10, true),
      (["pBCC", "pGCC", "pgCC", "pRCC"], 12, true), (["pBEE", "pGEE", "pgEE", "pREE"], 14, true),
    ]
    return Dictionary(
      uniqueKeysWithValues: kinds.flatMap { kind in
        zip(kind.names, orders).map { name, order in
          (name, MosaicLayout(pixelFormat: order, bits: kind.bits, isPacked: kind.isPacked))
        }
      })
  }()
}

// Every pixel format that a buffer can have, as data. Source: Apple's CVPixelBuffer.h and the QuickTime File Format
// specification (v210, v216, v308, v408, v410); checked by PixelFormatTests.

extension PixelFormatLayout {
  /// Every format that buffers can have.
  package static let all: [PixelFormatLayout] = rgb + packedYCbCr + planarYCbCr + components + depth + bayer

  private static let rgb: [PixelFormatLayout] = [
    packed(kCVPixelFormatType_32BGRA, "32BGRA", bits: 32, [.rgb, .alpha], component: 8),
    packed(kCVPixelFormatType_32RGBA, "32RGBA", bits: 32, [.rgb, .alpha], component: 8),
    packed(kCVPixelFormatType_32ARGB, "32ARGB", bits: 32, [.rgb, .alpha], component: 8),
    packed(kCVPixelFormatType_32ABGR, "32ABGR", bits: 32, [.rgb, .alpha], component: 8),
    packed(kCVPixelFormatType_24RGB, "24RGB", bits: 24, .rgb, component: 8),
    packed(kCVPixelFormatType_24BGR, "24BGR", bits: 24, .rgb, component: 8),
    packed(kCVPixelFormatType_16BE555, "16BE555", bits: 16, .rgb, component: 5),
    packed(kCVPixelFormatType_16LE555, "16LE555", bits: 16, .rgb, component: 5),
    packed(kCVPixelFormatType_16LE5551, "16LE5551", bits: 16, [.rgb, .alpha], component: 0),
    packed(kCVPixelFormatType_16BE565, "16BE565", bits: 16, .rgb, component: 0),
    packed(kCVPixelFormatType_16LE565, "16LE565", bits: 16, .rgb, component: 0),
    packed(kCVPixelFormatType_48RGB, "48RGB", bits: 48, .rgb, component: 16),
    packed(kCVPixelFormatType_64ARGB, "64ARGB", bits: 64, [.rgb, .alpha], component: 16),
    packed(kCVPixelFormatType_64RGBALE, "64RGBALE", bits: 64, [.rgb, .alpha], component: 16),
    packed(kCVPixelFormatType_30RGB, "30RGB", bits: 32, .rgb, component: 10),
    packed(kCVPixelFormatType_30RGB_r210, "30RGB_r210", bits: 32, .rgb, .video, component: 10),
    packed(
      kCVPixelFormatType_30RGBLEPackedWideGamut, "30RGBLEPackedWideGamut", bits: 32, .rgb, .wide,
      component: 10),
    packed(
      kCVPixelFormatType_ARGB2101010LEPacked, "ARGB2101010LEPacked", bits: 32, [.rgb, .alpha], component: 0),
    packed(
      kCVPixelFormatType_40ARGBLEWideGamut, "40ARGBLEWideGamut", bits: 64, [.rgb, .alpha], .wide,
      component: 10),
    packed(
      kCVPixelFormatType_40ARGBLEWideGamutPremultiplied, "40ARGBLEWideGamutPremultiplied", bits: 64,
      [.rgb, .alpha], .wide, component: 10),
    packed(kCVPixelFormatType_64RGBAHalf, "64RGBAHalf", bits: 64, [.rgb, .alpha], component: 16),
    packed(kCVPixelFormatType_128RGBAFloat, "128RGBAFloat", bits: 128, [.rgb, .alpha], component: 32),
  ]

  private static let packedYCbCr: [PixelFormatLayout] = [
    pairs(kCVPixelFormatType_422YpCbCr8, "422YpCbCr8", bits: 32, .video, component: 8),
    pairs(kCVPixelFormatType_422YpCbCr8_yuvs, "422YpCbCr8_yuvs", bits: 32, .video, component: 8),
    pairs(kCVPixelFormatType_422YpCbCr8FullRange, "422YpCbCr8FullRange", bits: 32, .full, component: 8),
    pairs(kCVPixelFormatType_422YpCbCr16, "422YpCbCr16", bits: 64, .video, component: 16),
    PixelFormatLayout(
      code: kCVPixelFormatType_422YpCbCr10, name: "kCVPixelFormatType_422YpCbCr10",
      planes: [Plane(blockWidth: 6, bitsPerBlock: 128, rowAlignment: 128)], contents: .yCbCr, range: .video,
      bitsPerComponent: 10),
    packed(kCVPixelFormatType_444YpCbCr8, "444YpCbCr8", bits: 24, .yCbCr, .video, component: 8),
    packed(kCVPixelFormatType_444YpCbCr10, "444YpCbCr10", bits: 32, .yCbCr, .video, component: 10),
    packed(
      kCVPixelFormatType_4444YpCbCrA8, "4444YpCbCrA8", bits: 32, [.yCbCr, .alpha], .video, component: 8),
    packed(
      kCVPixelFormatType_4444YpCbCrA8R, "4444YpCbCrA8R", bits: 32, [.yCbCr, .alpha], .full, component: 8),
    packed(
      kCVPixelFormatType_4444AYpCbCr8, "4444AYpCbCr8", bits: 32, [.yCbCr, .alpha], .video, component: 8),
    packed(
      kCVPixelFormatType_4444AYpCbCrFloat, "4444AYpCbCrFloat", bits: 128, [.yCbCr, .alpha], component: 32),
    packed(
      kCVPixelFormatType_4444AYpCbCr16, "4444AYpCbCr16", bits: 64, [.yCbCr, .alpha], .video, component: 16),
  ]

  private static let planarYCbCr: [PixelFormatLayout] = [
    biPlanar(
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, "420YpCbCr8BiPlanarVideoRange", 2, 2, .video, 8),
    biPlanar(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, "420YpCbCr8BiPlanarFullRange", 2, 2, .full, 8),
    biPlanar(
      kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, "422YpCbCr8BiPlanarVideoRange", 2, 1, .video, 8),
    biPlanar(kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, "422YpCbCr8BiPlanarFullRange", 2, 1, .full, 8),
    biPlanar(
      kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, "444YpCbCr8BiPlanarVideoRange", 1, 1, .video, 8),
    biPlanar(kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, "444YpCbCr8BiPlanarFullRange", 1, 1, .full, 8),
    biPlanar(
      kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, "420YpCbCr10BiPlanarVideoRange", 2, 2, .video, 10),
    biPlanar(
      kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, "420YpCbCr10BiPlanarFullRange", 2, 2, .full, 10),
    biPlanar(
      kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, "422YpCbCr10BiPlanarVideoRange", 2, 1, .video, 10),
    biPlanar(
      kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, "422YpCbCr10BiPlanarFullRange", 2, 1, .full, 10),
    biPlanar(
      kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, "444YpCbCr10BiPlanarVideoRange", 1, 1, .video, 10),
    biPlanar(
      kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, "444YpCbCr10BiPlanarFullRange", 1, 1, .full, 10),
    biPlanar(
      kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange, "422YpCbCr16BiPlanarVideoRange", 2, 1, .video, 16),
    biPlanar(
      kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange, "444YpCbCr16BiPlanarVideoRange", 1, 1, .video, 16),
    planar(
      kCVPixelFormatType_420YpCbCr8Planar, "420YpCbCr8Planar", .yCbCr, .video, 8,
      [Plane(bitsPerBlock: 8), chroma(2, 2, bits: 8), chroma(2, 2, bits: 8)]),
    planar(
      kCVPixelFormatType_420YpCbCr8PlanarFullRange, "420YpCbCr8PlanarFullRange", .yCbCr, .full, 8,
      [Plane(bitsPerBlock: 8), chroma(2, 2, bits: 8), chroma(2, 2, bits: 8)]),
    planar(
      kCVPixelFormatType_422YpCbCr_4A_8BiPlanar, "422YpCbCr_4A_8BiPlanar", [.yCbCr, .alpha], .video, 8,
      [Plane(blockWidth: 2, bitsPerBlock: 32), Plane(bitsPerBlock: 8)]),
    planar(
      kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar, "420YpCbCr8VideoRange_8A_TriPlanar",
      [.yCbCr, .alpha], .video, 8, [Plane(bitsPerBlock: 8), chroma(2, 2, bits: 16), Plane(bitsPerBlock: 8)]),
    planar(
      kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar, "444YpCbCr16VideoRange_16A_TriPlanar",
      [.yCbCr, .alpha], .video, 16,
      [Plane(bitsPerBlock: 16), chroma(1, 1, bits: 32), Plane(bitsPerBlock: 16)]),
  ]

  private static let components: [PixelFormatLayout] = [
    packed(kCVPixelFormatType_OneComponent8, "OneComponent8", bits: 8, .grayscale, component: 8),
    packed(kCVPixelFormatType_OneComponent10, "OneComponent10", bits: 16, .grayscale, component: 10),
    packed(kCVPixelFormatType_OneComponent12, "OneComponent12", bits: 16, .grayscale, component: 12),
    packed(kCVPixelFormatType_OneComponent16, "OneComponent16", bits: 16, .grayscale, component: 16),
    packed(kCVPixelFormatType_OneComponent16Half, "OneComponent16Half", bits: 16, .grayscale, component: 16),
    packed(
      kCVPixelFormatType_OneComponent32Float, "OneComponent32Float", bits: 32, .grayscale, component: 32),
    packed(kCVPixelFormatType_TwoComponent8, "TwoComponent8", bits: 16, [], component: 8),
    packed(kCVPixelFormatType_TwoComponent16, "TwoComponent16", bits: 32, [], component: 16),
    packed(kCVPixelFormatType_TwoComponent16Half, "TwoComponent16Half", bits: 32, [], component: 16),
    packed(kCVPixelFormatType_TwoComponent32Float, "TwoComponent32Float", bits: 64, [], component: 32),
    packed(kCVPixelFormatType_16Gray, "16Gray", bits: 16, .grayscale, component: 16),
    packed(kCVPixelFormatType_32AlphaGray, "32AlphaGray", bits: 32, [.grayscale, .alpha], component: 16),
  ]

  private static let depth: [PixelFormatLayout] = [
    packed(kCVPixelFormatType_DisparityFloat16, "DisparityFloat16", bits: 16, .depth, nil, component: 16),
    packed(kCVPixelFormatType_DisparityFloat32, "DisparityFloat32", bits: 32, .depth, nil, component: 32),
    packed(kCVPixelFormatType_DepthFloat16, "DepthFloat16", bits: 16, .depth, nil, component: 16),
    packed(kCVPixelFormatType_DepthFloat32, "DepthFloat32", bits: 32, .depth, nil, component: 32),
  ]

  private static let bayer: [PixelFormatLayout] = [
    packed(kCVPixelFormatType_14Bayer_GRBG, "14Bayer_GRBG", bits: 16, .sensel, component: 14),
    packed(kCVPixelFormatType_14Bayer_RGGB, "14Bayer_RGGB", bits: 16, .sensel, component: 14),
    packed(kCVPixelFormatType_14Bayer_BGGR, "14Bayer_BGGR", bits: 16, .sensel, component: 14),
    packed(kCVPixelFormatType_14Bayer_GBRG, "14Bayer_GBRG", bits: 16, .sensel, component: 14),
  ]

  // MARK: Rows of the table

  private static func packed(
    _ code: UInt32, _ name: String, bits: Int, _ contents: Contents, _ range: ComponentRange? = .full,
    component: Int
  ) -> PixelFormatLayout {
    PixelFormatLayout(
      code: code, name: "kCVPixelFormatType_\(name)", planes: [Plane(bitsPerBlock: bits)], contents: contents,
      range: range, bitsPerComponent: component)
  }

  /// Two pixels that share their colour in one block.
  private static func pairs(
    _ code: UInt32, _ name: String, bits: Int, _ range: ComponentRange, component: Int
  ) -> PixelFormatLayout {
    PixelFormatLayout(
      code: code, name: "kCVPixelFormatType_\(name)", planes: [Plane(blockWidth: 2, bitsPerBlock: bits)],
      contents: .yCbCr, range: range, bitsPerComponent: component)
  }

  /// Luma, then interleaved Cb and Cr; more than 8 bits fill 16.
  private static func biPlanar(
    _ code: UInt32, _ name: String, _ horizontal: Int, _ vertical: Int, _ range: ComponentRange,
    _ component: Int
  ) -> PixelFormatLayout {
    let bits = component > 8 ? 16 : 8
    return planar(
      code, name, .yCbCr, range, component,
      [Plane(bitsPerBlock: bits), chroma(horizontal, vertical, bits: 2 * bits)])
  }

  private static func planar(
    _ code: UInt32, _ name: String, _ contents: Contents, _ range: ComponentRange, _ component: Int,
    _ planes: [Plane]
  ) -> PixelFormatLayout {
    PixelFormatLayout(
      code: code, name: "kCVPixelFormatType_\(name)", planes: planes, contents: contents, range: range,
      bitsPerComponent: component)
  }

  private static func chroma(_ horizontal: Int, _ vertical: Int, bits: Int) -> Plane {
    Plane(horizontalSubsampling: horizontal, verticalSubsampling: vertical, bitsPerBlock: bits)
  }
}

import CoreVideo
import FoundationExtras
import Testing

@Suite("Pixel formats by Apple's names")
struct PixelFormatConstantTests {
  static let withBuffers: [OSType] = [
    kCVPixelFormatType_16BE555, kCVPixelFormatType_16LE555, kCVPixelFormatType_16LE5551,
    kCVPixelFormatType_16BE565, kCVPixelFormatType_16LE565, kCVPixelFormatType_24RGB,
    kCVPixelFormatType_24BGR, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ABGR,
    kCVPixelFormatType_32RGBA, kCVPixelFormatType_64ARGB, kCVPixelFormatType_64RGBALE,
    kCVPixelFormatType_48RGB, kCVPixelFormatType_32AlphaGray, kCVPixelFormatType_16Gray,
    kCVPixelFormatType_30RGB, kCVPixelFormatType_30RGB_r210, kCVPixelFormatType_422YpCbCr8,
    kCVPixelFormatType_4444YpCbCrA8, kCVPixelFormatType_4444YpCbCrA8R, kCVPixelFormatType_4444AYpCbCr8,
    kCVPixelFormatType_4444AYpCbCr16, kCVPixelFormatType_4444AYpCbCrFloat, kCVPixelFormatType_444YpCbCr8,
    kCVPixelFormatType_422YpCbCr16, kCVPixelFormatType_422YpCbCr10, kCVPixelFormatType_444YpCbCr10,
    kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
    kCVPixelFormatType_422YpCbCr_4A_8BiPlanar, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, kCVPixelFormatType_422YpCbCr8_yuvs,
    kCVPixelFormatType_422YpCbCr8FullRange, kCVPixelFormatType_OneComponent8,
    kCVPixelFormatType_TwoComponent8, kCVPixelFormatType_30RGBLEPackedWideGamut,
    kCVPixelFormatType_ARGB2101010LEPacked, kCVPixelFormatType_40ARGBLEWideGamut,
    kCVPixelFormatType_40ARGBLEWideGamutPremultiplied, kCVPixelFormatType_OneComponent10,
    kCVPixelFormatType_OneComponent12, kCVPixelFormatType_OneComponent16, kCVPixelFormatType_TwoComponent16,
    kCVPixelFormatType_OneComponent16Half, kCVPixelFormatType_OneComponent32Float,
    kCVPixelFormatType_TwoComponent16Half, kCVPixelFormatType_TwoComponent32Float,
    kCVPixelFormatType_64RGBAHalf, kCVPixelFormatType_128RGBAFloat, kCVPixelFormatType_14Bayer_GRBG,
    kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_BGGR, kCVPixelFormatType_14Bayer_GBRG,
    kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat16,
    kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, kCVPixelFormatType_422YpCbCr10BiPlanarFullRange,
    kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar,
    kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange, kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange,
    kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar,
  ]

  static let withoutBuffers: [OSType] = [
    kCVPixelFormatType_1Monochrome, kCVPixelFormatType_2Indexed, kCVPixelFormatType_4Indexed,
    kCVPixelFormatType_8Indexed, kCVPixelFormatType_1IndexedGray_WhiteIsZero,
    kCVPixelFormatType_2IndexedGray_WhiteIsZero, kCVPixelFormatType_4IndexedGray_WhiteIsZero,
    kCVPixelFormatType_8IndexedGray_WhiteIsZero, kCVPixelFormatType_16VersatileBayer,
    kCVPixelFormatType_96VersatileBayerPacked12, kCVPixelFormatType_64RGBA_DownscaledProResRAW,
    kCVPixelFormatType_30RGBLE_8A_BiPlanar, kCVPixelFormatType_Lossless_32BGRA,
    kCVPixelFormatType_Lossless_64RGBAHalf, kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange,
    kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange,
    kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange,
    kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar, kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut,
    kCVPixelFormatType_Lossy_32BGRA, kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange,
    kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange,
  ]

  @Test(arguments: withBuffers)
  func `a buffer of this format can be made`(format: OSType) throws {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 8, 6, format, nil, &buffer) == kCVReturnSuccess)
    #expect(try CVPixelBufferGetPixelFormatType(#require(buffer)) == format)
  }

  @Test(arguments: withoutBuffers)
  func `a format without a layout in memory is refused`(format: OSType) {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 8, 6, format, nil, &buffer) == kCVReturnInvalidPixelFormat)
    #expect(buffer == nil)
  }

  @Test func `a buffer of a pool has the pool's format, and colours as attachments`() throws {
    var pool: CVPixelBufferPool?
    let wishes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
      kCVPixelBufferWidthKey as String: 8, kCVPixelBufferHeightKey as String: 6,
    ]
    #expect(CVPixelBufferPoolCreate(nil, nil, wishes, &pool) == kCVReturnSuccess)
    var made: CVPixelBuffer?
    #expect(try CVPixelBufferPoolCreatePixelBuffer(nil, #require(pool), &made) == kCVReturnSuccess)
    let buffer: CVImageBuffer = try #require(made)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
    CVBufferSetAttachment(
      buffer, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2, .shouldPropagate)
    CVBufferSetAttachment(buffer, kCVImageBufferCGColorSpaceKey, "space" as CFString, .shouldNotPropagate)
    #expect(CVBufferHasAttachment(buffer, kCVImageBufferTransferFunctionKey))
    #expect(CVBufferHasAttachment(buffer, kCVImageBufferCGColorSpaceKey))
    let flags = CVOptionFlags(CVPixelBufferLockFlags.readOnly.rawValue)
    #expect(flags == 1)
  }
}

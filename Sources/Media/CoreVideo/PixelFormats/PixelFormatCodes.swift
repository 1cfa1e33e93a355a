public import FoundationExtras

// Apple's codes, all of them: a client names formats that it meets, also such as no buffer here has. The layouts
// that buffers can have are in PixelFormatTable.swift; for any other code `CVPixelBufferCreate` returns
// `kCVReturnInvalidPixelFormat`, as it does on Apple hardware that lacks the format.

/// 1 bit, black and white.
public let kCVPixelFormatType_1Monochrome: OSType = 0x00000001
/// 2 bits, an index into a palette.
public let kCVPixelFormatType_2Indexed: OSType = 0x00000002
/// 4 bits, an index into a palette.
public let kCVPixelFormatType_4Indexed: OSType = 0x00000004
/// 8 bits, an index into a palette.
public let kCVPixelFormatType_8Indexed: OSType = 0x00000008
/// 1 bit grey, 0 is white.
public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 0x00000021
/// 2 bits grey, 0 is white.
public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 0x00000022
/// 4 bits grey, 0 is white.
public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 0x00000024
/// 8 bits grey, 0 is white.
public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 0x00000028
/// 16 bits big-endian, 5 per RGB component.
public let kCVPixelFormatType_16BE555: OSType = 0x00000010
/// `L555`: 16 bits little-endian, 5 per RGB component.
public let kCVPixelFormatType_16LE555: OSType = 0x4C353535
/// `5551`: 16 bits little-endian, 5 per RGB component and 1 of alpha.
public let kCVPixelFormatType_16LE5551: OSType = 0x35353531
/// `B565`: 16 bits big-endian, 5, 6, and 5 for R, G, B.
public let kCVPixelFormatType_16BE565: OSType = 0x42353635
/// `L565`: 16 bits little-endian, 5, 6, and 5 for R, G, B.
public let kCVPixelFormatType_16LE565: OSType = 0x4C353635
/// 8-bit R, G, B.
public let kCVPixelFormatType_24RGB: OSType = 0x00000018
/// `24BG`: 8-bit B, G, R.
public let kCVPixelFormatType_24BGR: OSType = 0x32344247
/// 8-bit A, R, G, B.
public let kCVPixelFormatType_32ARGB: OSType = 0x00000020
/// `BGRA`: 8-bit B, G, R, A.
public let kCVPixelFormatType_32BGRA: OSType = 0x42475241
/// `ABGR`: 8-bit A, B, G, R.
public let kCVPixelFormatType_32ABGR: OSType = 0x41424752
/// `RGBA`: 8-bit R, G, B, A.
public let kCVPixelFormatType_32RGBA: OSType = 0x52474241
/// `b64a`: 16-bit big-endian A, R, G, B.
public let kCVPixelFormatType_64ARGB: OSType = 0x62363461
/// `l64r`: 16-bit little-endian R, G, B, A.
public let kCVPixelFormatType_64RGBALE: OSType = 0x6C363472
/// `b48r`: 16-bit big-endian R, G, B.
public let kCVPixelFormatType_48RGB: OSType = 0x62343872
/// `b32a`: 16-bit big-endian alpha and grey.
public let kCVPixelFormatType_32AlphaGray: OSType = 0x62333261
/// `b16g`: 16-bit big-endian grey.
public let kCVPixelFormatType_16Gray: OSType = 0x62313667
/// `R10k`: 10-bit R, G, B in big-endian 32 bits, 2 lowest bits unused.
public let kCVPixelFormatType_30RGB: OSType = 0x5231306B
/// `r210`: 10-bit R, G, B in big-endian 32 bits, 2 highest bits unused, video range.
public let kCVPixelFormatType_30RGB_r210: OSType = 0x72323130
/// `2vuy`: 8-bit 4:2:2, video range, order Cb, Y0, Cr, Y1.
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x32767579
/// `v408`: 8-bit 4:4:4:4, order Cb, Y, Cr, A.
public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x76343038
/// `r408`: 8-bit 4:4:4:4 for rendering, order A, Y, Cb, Cr, full range.
public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x72343038
/// `y408`: 8-bit 4:4:4:4, order A, Y, Cb, Cr, video range.
public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x79343038
/// `y416`: 16-bit little-endian 4:4:4:4, order A, Y, Cb, Cr.
public let kCVPixelFormatType_4444AYpCbCr16: OSType = 0x79343136
/// `r4fl`: 32-bit float 4:4:4:4, order A, Y, Cb, Cr, full range.
public let kCVPixelFormatType_4444AYpCbCrFloat: OSType = 0x7234666C
/// `v308`: 8-bit 4:4:4, order Cr, Y, Cb.
public let kCVPixelFormatType_444YpCbCr8: OSType = 0x76333038
/// `v216`: 10 to 16-bit little-endian 4:2:2.
public let kCVPixelFormatType_422YpCbCr16: OSType = 0x76323136
/// `v210`: 10-bit 4:2:2, six pixels in 16 bytes.
public let kCVPixelFormatType_422YpCbCr10: OSType = 0x76323130
/// `v410`: 10-bit 4:4:4 in little-endian 32 bits.
public let kCVPixelFormatType_444YpCbCr10: OSType = 0x76343130
/// `y420`: 8-bit 4:2:0 in three planes, video range.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x79343230
/// `f420`: 8-bit 4:2:0 in three planes, full range.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x66343230
/// `a2vy`: 8-bit 4:2:2 in one plane, alpha in another.
public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x61327679
/// `420v`: 8-bit 4:2:0 in two planes (Y, CbCr), luma 16 to 235.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x34323076
/// `420f`: 8-bit 4:2:0 in two planes (Y, CbCr), luma 0 to 255.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x34323066
/// `422v`: 8-bit 4:2:2 in two planes (Y, CbCr), video range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x34323276
/// `422f`: 8-bit 4:2:2 in two planes (Y, CbCr), full range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x34323266
/// `444v`: 8-bit 4:4:4 in two planes (Y, CbCr), video range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x34343476
/// `444f`: 8-bit 4:4:4 in two planes (Y, CbCr), full range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x34343466
/// `yuvs`: 8-bit 4:2:2, video range, order Y0, Cb, Y1, Cr.
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x79757673
/// `yuvf`: 8-bit 4:2:2, full range, order Y0, Cb, Y1, Cr.
public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x79757666
/// `L008`: one 8-bit component.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C303038
/// `2C08`: two 8-bit components.
public let kCVPixelFormatType_TwoComponent8: OSType = 0x32433038
/// `w30r`: 10-bit R, G, B in little-endian 32 bits, wide gamut.
public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x77333072
/// `l10r`: 2-bit A and 10-bit R, G, B in little-endian 32 bits.
public let kCVPixelFormatType_ARGB2101010LEPacked: OSType = 0x6C313072
/// `w40a`: 10-bit A, R, G, B each in little-endian 16 bits, wide gamut.
public let kCVPixelFormatType_40ARGBLEWideGamut: OSType = 0x77343061
/// `w40m`: the same with colour multiplied by alpha.
public let kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: OSType = 0x7734306D
/// `L010`: one 10-bit component in the high bits of little-endian 16.
public let kCVPixelFormatType_OneComponent10: OSType = 0x4C303130
/// `L012`: one 12-bit component in the high bits of little-endian 16.
public let kCVPixelFormatType_OneComponent12: OSType = 0x4C303132
/// `L016`: one 16-bit little-endian component.
public let kCVPixelFormatType_OneComponent16: OSType = 0x4C303136
/// `2C16`: two 16-bit little-endian components.
public let kCVPixelFormatType_TwoComponent16: OSType = 0x32433136
/// `L00h`: one 16-bit float.
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4C303068
/// `L00f`: one 32-bit float.
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C303066
/// `2C0h`: two 16-bit floats.
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x32433068
/// `2C0f`: two 32-bit floats.
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x32433066
/// `RGhA`: 16-bit float R, G, B, A.
public let kCVPixelFormatType_64RGBAHalf: OSType = 0x52476841
/// `RGfA`: 32-bit float R, G, B, A.
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x52476641
/// `grb4`: Bayer, 14 bits in little-endian 16, first row G R, second B G.
public let kCVPixelFormatType_14Bayer_GRBG: OSType = 0x67726234
/// `rgg4`: Bayer, 14 bits in little-endian 16, first row R G, second G B.
public let kCVPixelFormatType_14Bayer_RGGB: OSType = 0x72676734
/// `bgg4`: Bayer, 14 bits in little-endian 16, first row B G, second G R.
public let kCVPixelFormatType_14Bayer_BGGR: OSType = 0x62676734
/// `gbr4`: Bayer, 14 bits in little-endian 16, first row G B, second R G.
public let kCVPixelFormatType_14Bayer_GBRG: OSType = 0x67627234
/// `hdis`: 16-bit float, one over metres.
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x68646973
/// `fdis`: 32-bit float, one over metres.
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x66646973
/// `hdep`: 16-bit float, metres.
public let kCVPixelFormatType_DepthFloat16: OSType = 0x68646570
/// `fdep`: 32-bit float, metres.
public let kCVPixelFormatType_DepthFloat32: OSType = 0x66646570
/// `x420`: 10-bit 4:2:0 in two planes, high bits of little-endian 16, video range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x78343230
/// `x422`: 10-bit 4:2:2 in two planes, high bits of little-endian 16, video range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x78343232
/// `x444`: 10-bit 4:4:4 in two planes, high bits of little-endian 16, video range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x78343434
/// `xf20`: 10-bit 4:2:0 in two planes, high bits of little-endian 16, full range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x78663230
/// `xf22`: 10-bit 4:2:2 in two planes, high bits of little-endian 16, full range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x78663232
/// `xf44`: 10-bit 4:4:4 in two planes, high bits of little-endian 16, full range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x78663434
/// `v0a8`: 8-bit 4:2:0 in two planes, alpha in a third.
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: OSType = 0x76306138
/// `bp16`: ProRes RAW, 16-bit Bayer.
public let kCVPixelFormatType_16VersatileBayer: OSType = 0x62703136
/// `btp2`: ProRes RAW, 12-bit packed Bayer.
public let kCVPixelFormatType_96VersatileBayerPacked12: OSType = 0x62747032
/// `bp64`: ProRes RAW, downscaled.
public let kCVPixelFormatType_64RGBA_DownscaledProResRAW: OSType = 0x62703634
/// `sv22`: 16-bit 4:2:2 in two planes, video range.
public let kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange: OSType = 0x73763232
/// `sv44`: 16-bit 4:4:4 in two planes, video range.
public let kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange: OSType = 0x73763434
/// `s4as`: 16-bit 4:4:4 in two planes, alpha in a third.
public let kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: OSType = 0x73346173
/// `b3a8`: 10-bit R, G, B in little-endian 32 bits, 8-bit alpha in another plane.
public let kCVPixelFormatType_30RGBLE_8A_BiPlanar: OSType = 0x62336138
/// `&BGA`: BGRA, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x26424741
/// `&RhA`: half-float RGBA, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_64RGBAHalf: OSType = 0x26526841
/// `&8v0`: 420v, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x26387630
/// `&8f0`: 420f, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x26386630
/// `&xv0`: x420, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x26787630
/// `&xv2`: x422, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x26787632
/// `&xf0`: xf20, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange: OSType = 0x26786630
/// `&b38`: b3a8, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar: OSType = 0x26623338
/// `&w3r`: w30r, compressed without loss by Apple's hardware.
public let kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut: OSType = 0x26773372
/// `-BGA`: BGRA, compressed with loss by Apple's hardware.
public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2D424741
/// `-8v0`: 420v, compressed with loss by Apple's hardware.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2D387630
/// `-8f0`: 420f, compressed with loss by Apple's hardware.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2D386630
/// `-xv0`: x420, compressed with loss by Apple's hardware.
public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D787630
/// `-xv2`: x422, compressed with loss by Apple's hardware.
public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D787632

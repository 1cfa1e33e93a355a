internal import CYUV

/// The matrix and range of a Y′CbCr picture.
struct YCbCrEncoding: Hashable, Sendable {
  var matrix: YCbCrMatrix
  var isFullRange: Bool

  /// Levels between black and white, and between the extremes of chroma (BT.601-7 2.5.3; JFIF for full range).
  var lumaSpan: Double { isFullRange ? 255 : 219 }
  var chromaSpan: Double { isFullRange ? 255 : 224 }
  var black: Double { isFullRange ? 0 : 16 }
}

/// 1/8192, the unit of chroma factors in CYUV's loops.
private func chromaFactor(_ value: Double) -> Int16 {
  Int16((value * 8192).rounded())
}

/// CYUV multiplies luma × 257 by this and takes the upper 16 bits as 1/64 levels.
private func lumaGain(_ value: Double) -> UInt16 {
  UInt16((value * 64 * 65536 / 257).rounded())
}

extension YCbCrEncoding {
  /// The factors from this encoding to R′G′B′.
  var toRGB: cam_yuv_to_rgb {
    let green = 1 - matrix.red - matrix.blue
    let luma = 255 / lumaSpan
    let chroma = 255 / chromaSpan
    let blueShare = 2 * (1 - matrix.blue) * chroma
    let redShare = 2 * (1 - matrix.red) * chroma
    return cam_yuv_to_rgb(
      lumaGain: lumaGain(luma), lumaOffset: Int16((-black * luma * 64 + 32).rounded()),
      cbToBlue: chromaFactor(blueShare), cbToGreen: chromaFactor(-blueShare * matrix.blue / green),
      crToGreen: chromaFactor(-redShare * matrix.red / green), crToRed: chromaFactor(redShare))
  }

  /// The factors from R′G′B′ to this encoding.
  var fromRGB: cam_rgb_to_yuv {
    let luma = lumaSpan / 255 * 32768
    let chroma = chromaSpan / 255 * 32768 / 2
    let red = Int16((matrix.red * luma).rounded())
    let blue = Int16((matrix.blue * luma).rounded())
    // Green takes the rounding of the other two, so that white is exactly white and gray has no colour.
    let green = Int16(Int(luma.rounded()) - Int(red) - Int(blue))
    let cbRed = Int16((-matrix.red / (1 - matrix.blue) * chroma).rounded())
    let crBlue = Int16((-matrix.blue / (1 - matrix.red) * chroma).rounded())
    let own = Int16(chroma.rounded())
    return cam_rgb_to_yuv(
      luma: (red, green, blue), cb: (cbRed, -cbRed - own, own), cr: (own, -crBlue - own, crBlue),
      lumaOffset: Int32(black))
  }

  /// The factors from this encoding to `other`; `nil` when nothing changes.
  func to(_ other: YCbCrEncoding) -> cam_yuv_to_yuv? {
    if self == other { return nil }
    let green = 1 - matrix.red - matrix.blue
    // R′, G′ and B′ of one unit of Cb and of Cr at luma 0.
    let ofCb = (red: 0.0, green: -2 * (1 - matrix.blue) * matrix.blue / green, blue: 2 * (1 - matrix.blue))
    let ofCr = (red: 2 * (1 - matrix.red), green: -2 * (1 - matrix.red) * matrix.red / green, blue: 0.0)
    func encoded(_ color: (red: Double, green: Double, blue: Double)) -> (
      luma: Double, cb: Double, cr: Double
    ) {
      let to = other.matrix
      let luma = to.red * color.red + to.blue * color.blue + (1 - to.red - to.blue) * color.green
      return (luma, (color.blue - luma) / (2 * (1 - to.blue)), (color.red - luma) / (2 * (1 - to.red)))
    }
    let cb = encoded(ofCb)
    let cr = encoded(ofCr)
    let luma = other.lumaSpan / lumaSpan
    let cross = other.lumaSpan / chromaSpan
    let chroma = other.chromaSpan / chromaSpan
    let isRangeOnly = matrix == other.matrix
    return cam_yuv_to_yuv(
      lumaGain: lumaGain(luma), lumaOffset: Int16(((other.black - black * luma) * 64 + 32).rounded()),
      cbToLuma: isRangeOnly ? 0 : chromaFactor(cb.luma * cross),
      crToLuma: isRangeOnly ? 0 : chromaFactor(cr.luma * cross),
      cbToCb: chromaFactor(cb.cb * chroma), crToCb: isRangeOnly ? 0 : chromaFactor(cr.cb * chroma),
      cbToCr: isRangeOnly ? 0 : chromaFactor(cb.cr * chroma), crToCr: chromaFactor(cr.cr * chroma))
  }
}

package import AVFCore
package import CaptureDevice
internal import FoundationExtras

/// The recommended settings for encoding a movie of a camera's frames; pure data, from the frames' size, rate and colours.
package struct RecommendedVideoSettings: Sendable, Hashable {
  /// The codec's four-character code.
  package var codec: AVVideoCodecType
  /// The frames' size as they are delivered, both sides even: 4:2:0 has one colour for two pixels.
  package var size: FrameSize
  /// Frames a second.
  package var rate: Double
  /// Whether colours are P3.
  package var usesP3: Bool

  /// For frames of `size` as they are delivered.
  package init(codec: AVVideoCodecType, size: FrameSize, rate: Double, usesP3: Bool) {
    self.codec = codec
    self.size = FrameSize(width: max(2, size.width & ~1), height: max(2, size.height & ~1))
    self.rate = rate
    self.usesP3 = usesP3
  }

  /// The codecs that a file of the type may hold and that every free encoder makes; the first is the recommended one.
  ///
  /// H.264 comes first because everything plays it.
  package static func codecs(in fileType: AVFileType) -> [AVVideoCodecType] {
    switch fileType {
    case .mov: [.h264, .hevc, .jpeg]
    case .mp4, .m4v: [.h264, .hevc]
    default: []
    }
  }

  /// Bits a second, to the nearest thousand.
  ///
  /// 0.28 bits a pixel at 30 frames, some 17 million bits for 1080p; every further frame gets half of that, for it differs
  /// less from the one before. HEVC needs three fifths. Never above 240 million, what H.264's level 5.2 allows.
  package var bitRate: Int {
    let frames = min(rate, 30) + max(0, rate - 30) / 2
    let bits = Double(size.width * size.height) * frames * 0.28 * (codec == .hevc ? 0.6 : 1)
    return min(240_000_000, max(64_000, Int((bits / 1000).rounded()) * 1000))
  }

  /// The dictionary in Apple's keys.
  package var dictionary: [String: Any] {
    var compression: [String: Any] = [:]
    switch codec {
    case .jpeg: compression[AVVideoQualityKey] = 0.9
    default:
      compression = [
        AVVideoAverageBitRateKey: bitRate,
        AVVideoExpectedSourceFrameRateKey: Int(rate.rounded()),
        // A second loses little when a player jumps, and little to key frames.
        AVVideoMaxKeyFrameIntervalDurationKey: 1.0,
        // In real time every frame must be done before the next comes.
        AVVideoAllowFrameReorderingKey: false,
        AVVideoProfileLevelKey: codec == .hevc
          ? "HEVC_Main_AutoLevel" : AVVideoProfileLevelH264HighAutoLevel,
      ]
      if codec == .h264 { compression[AVVideoH264EntropyModeKey] = AVVideoH264EntropyModeCABAC }
    }
    return BoxedNumbers.boxed([
      AVVideoCodecKey: codec, AVVideoWidthKey: size.width, AVVideoHeightKey: size.height,
      AVVideoCompressionPropertiesKey: compression,
      AVVideoColorPropertiesKey: [
        AVVideoColorPrimariesKey: usesP3 ? AVVideoColorPrimaries_P3_D65 : AVVideoColorPrimaries_ITU_R_709_2,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_709_2,
      ],
    ])
  }

  /// A timescale in which frames of this duration have whole times: at least 600, the common one of movies.
  package static func timescale(for duration: FrameDuration) -> Int32 {
    var (a, b) = (duration.numerator, duration.denominator)
    while b != 0 { (a, b) = (b, a % b) }
    let unit = duration.denominator / a
    if 600 % unit == 0 { return 600 }
    return (599 / unit + 1) * unit
  }
}

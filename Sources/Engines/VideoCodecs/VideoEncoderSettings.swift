package import PixelTransforms

/// The settings of a video encoder.
package struct VideoEncoderSettings: Sendable, Hashable {
  /// The codec of a stream.
  package enum Codec: String, Sendable, Hashable, CaseIterable {
    /// H.264.
    case h264 = "avc1"
    /// HEVC.
    case hevc = "hvc1"
    /// JPEG, every picture by itself.
    case jpeg
    /// ProRes 422 in its four sizes.
    case proRes422HQ = "apch"
    case proRes422 = "apcn"
    case proRes422LT = "apcs"
    case proRes422Proxy = "apco"
  }

  /// The profile of H.264 or HEVC, which is a set of coding tools.
  package enum Profile: String, Sendable, Hashable {
    case baseline, main, high
  }

  /// The codec.
  package var codec: Codec
  /// The size of the coded pictures; sources of another size are scaled.
  package var size: PixelSize
  /// The rule for a source of another shape than ``size``.
  package var scaling = ScalingRule.stretch
  /// Units of time in a second, in which samples come out.
  package var timescale: Int32 = 600
  /// Bits in a second, on average; `nil` to keep a quality.
  package var bitRate: Int?
  /// From 0 (smallest) to 1 (best); counts where there is no ``bitRate``.
  package var quality: Double?
  /// The most frames from one key frame to the next; `nil` leaves it to the encoder, 1 makes every frame one.
  package var keyFrameInterval: Int?
  /// The most seconds from one key frame to the next.
  package var keyFrameSeconds: Double?
  /// Whether frames may be coded in another order than they are shown.
  package var allowsFrameReordering = true
  /// Frames in a second, as far as that is known.
  package var expectedFrameRate: Double?
  /// The profile; `nil` for the encoder's own.
  package var profile: Profile?
  /// Ten times the level, such as 41; `nil` for the one that size and rate need.
  package var level: Int?
  /// Whether H.264 uses tables of codes (CAVLC) instead of arithmetic coding.
  package var usesSimpleEntropyCoding = false
  /// Whether every frame comes out before the next one goes in.
  package var isLowLatency = false
  /// Whether x264 takes as little time as it can, on one thread, at the cost of bits.
  ///
  /// For what is coded all the time and seldom kept, such as the seconds before a press.
  package var isHasty = false
  /// The most frames that wait in an encoder of the processor, so that a killed program loses few; `nil` leaves it to the
  /// encoder.
  ///
  /// With fewer than four no frames are reordered; with more, x265 holds two beyond it, and four where it reorders.
  package var mostHeldFrames: Int?
  /// Colours, by the texts that `CVImageBuffer` uses; `nil` takes the first frame's.
  package var colorPrimaries: String?
  package var transferFunction: String?
  package var matrix: String?
  /// The shape of a pixel; `nil` is square.
  package var pixelAspect: PixelSize?
  /// The facts of the stream's pictures beside that.
  package var facts = PictureFacts()
  /// The most bytes of a slice of H.264, by x264; `nil` makes one slice of a picture, or what the encoder likes.
  package var sliceBytes: Int?
  /// Whether encoders of the hardware are tried before those of the processor.
  package var prefersHardware = true
  /// Whether encoders of the processor are left out.
  package var requiresHardware = false
  /// The name of the only encoder that is tried, such as `libx264`.
  package var encoderName: String?
  /// The most bits that leave the encoder in ``rateWindow`` seconds; `nil` follows ``bitRate`` loosely.
  package var windowBits: Int?
  /// Seconds in which ``windowBits`` counts.
  package var rateWindow = 1.0
  /// Whether the rate is kept exactly, with filling where pictures need less.
  package var isConstantRate = false
  /// The finest and coarsest quantizers that are allowed, from 0 to 51.
  package var smallestQuantizer: Int?
  package var largestQuantizer: Int?

  /// Whether frames come out in another order than they are shown.
  package var isReordering: Bool {
    allowsFrameReordering && !isLowLatency && profile != .baseline && keyFrameInterval != 1
      && mostHeldFrames ?? .max >= 4 && [.h264, .hevc].contains(codec)
  }

  /// The highest rate in bits a second, and the bits of the window over which it is measured; zeros for no limit.
  var rateLimits: (highest: Int, window: Int) {
    if let windowBits { return (Int(Double(windowBits) / rateWindow), windowBits) }
    guard let bitRate else { return (0, 0) }
    if isConstantRate { return (bitRate, bitRate) }
    // Half a second of delay at most; else x264 would keep the rate over the whole movie only.
    return isLowLatency ? (bitRate, bitRate / 2) : (bitRate + bitRate / 2, bitRate * 2)
  }

  /// Settings that leave all but codec and size to the encoder.
  package init(codec: Codec, size: PixelSize) {
    self.codec = codec
    self.size = size
  }
}

internal import CoreMedia
internal import FoundationExtras
internal import PixelTransforms
internal import VideoCodecs

/// The settings of a compression session for its encoder: the specification, and the properties that clients set.
struct CompressionSettings: @unchecked Sendable {  // Safe because its values are property lists.
  let codec: VideoEncoderSettings.Codec
  let size: PixelSize
  let specification: [String: Any]
  /// The properties that clients have set, checked.
  var values: [String: Any] = [:]

  init(codec: VideoEncoderSettings.Codec, size: PixelSize, specification: [String: Any]) {
    self.codec = codec
    self.size = size
    self.specification = specification
  }

  /// All properties of a codec.
  static func properties(_ codec: VideoEncoderSettings.Codec) -> [String: SessionProperty] {
    var all: [String: SessionProperty] = [
      kVTCompressionPropertyKey_NumberOfPendingFrames: SessionProperty(kind: .number(nil), isReadOnly: true),
      kVTCompressionPropertyKey_PixelBufferPoolIsShared: SessionProperty(kind: .truth, isReadOnly: true),
      kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes: SessionProperty(
        kind: .dictionary, isReadOnly: true),
      kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: SessionProperty(
        kind: .truth, isReadOnly: true),
      kVTCompressionPropertyKey_EncoderID: SessionProperty(kind: .choice([]), isReadOnly: true),
      kVTCompressionPropertyKey_RealTime: SessionProperty(kind: .truth),
      kVTCompressionPropertyKey_ExpectedFrameRate: SessionProperty(kind: .number(0...100_000)),
      kVTCompressionPropertyKey_Quality: SessionProperty(kind: .number(0...1)),
      kVTCompressionPropertyKey_PixelAspectRatio: SessionProperty(kind: .dictionary),
      kVTCompressionPropertyKey_ColorPrimaries: SessionProperty(
        kind: .choice([
          kCMFormatDescriptionColorPrimaries_ITU_R_709_2, kCMFormatDescriptionColorPrimaries_EBU_3213,
          kCMFormatDescriptionColorPrimaries_SMPTE_C, kCMFormatDescriptionColorPrimaries_P3_D65,
          kCMFormatDescriptionColorPrimaries_ITU_R_2020,
        ])),
      kVTCompressionPropertyKey_TransferFunction: SessionProperty(
        kind: .choice([
          kCMFormatDescriptionTransferFunction_ITU_R_709_2,
          kCMFormatDescriptionTransferFunction_SMPTE_240M_1995,
          kCMFormatDescriptionTransferFunction_ITU_R_2020,
          kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ,
          kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG,
        ])),
      kVTCompressionPropertyKey_YCbCrMatrix: SessionProperty(
        kind: .choice([
          kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2, kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4,
          kCMFormatDescriptionYCbCrMatrix_ITU_R_2020,
        ])),
    ]
    all.merge(pictures) { $1 }
    guard codec == .h264 || codec == .hevc else { return all }
    let temporal: [String: SessionProperty] = [
      kVTCompressionPropertyKey_MaxKeyFrameInterval: SessionProperty(kind: .number(0...1_000_000)),
      kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: SessionProperty(kind: .number(0...1_000_000)),
      kVTCompressionPropertyKey_AllowTemporalCompression: SessionProperty(kind: .truth),
      kVTCompressionPropertyKey_AllowFrameReordering: SessionProperty(kind: .truth),
      kVTCompressionPropertyKey_AverageBitRate: SessionProperty(kind: .number(0...4e9)),
      kVTCompressionPropertyKey_DataRateLimits: SessionProperty(kind: .numbers),
      kVTCompressionPropertyKey_MinAllowedFrameQP: SessionProperty(kind: .number(0...51)),
      kVTCompressionPropertyKey_MaxAllowedFrameQP: SessionProperty(kind: .number(0...51)),
      kVTCompressionPropertyKey_MaxFrameDelayCount: SessionProperty(kind: .number(-1...1000)),
      kVTCompressionPropertyKey_SourceFrameCount: SessionProperty(kind: .number(0...1e12)),
      kVTCompressionPropertyKey_ExpectedDuration: SessionProperty(kind: .number(0...1e12)),
      kVTCompressionPropertyKey_ProfileLevel: SessionProperty(
        kind: .choice(codec == .h264 ? h264Profiles : [kVTProfileLevel_HEVC_Main_AutoLevel])),
    ]
    all.merge(temporal) { $1 }
    if codec == .h264 {
      all[kVTCompressionPropertyKey_ConstantBitRate] = SessionProperty(kind: .number(0...4e9))
      all.merge(fields) { $1 }
      all[kVTCompressionPropertyKey_H264EntropyMode] = SessionProperty(
        kind: .choice([kVTH264EntropyMode_CAVLC, kVTH264EntropyMode_CABAC]))
    }
    return all
  }

  /// The values of properties that were not set.
  static let defaults: [String: any Sendable] = [
    kVTCompressionPropertyKey_RealTime: false, kVTCompressionPropertyKey_AllowTemporalCompression: true,
    kVTCompressionPropertyKey_AllowFrameReordering: true, kVTCompressionPropertyKey_AverageBitRate: 0.0,
    kVTCompressionPropertyKey_MaxKeyFrameInterval: 0.0,
    kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: 0.0,
    kVTCompressionPropertyKey_ExpectedFrameRate: 0.0,
    kVTCompressionPropertyKey_MaxFrameDelayCount: Double(kVTUnlimitedFrameDelayCount),
  ]

  func number(_ key: String) -> Double? { values[key] as? Double }
  func positive(_ key: String) -> Int? { number(key).flatMap { $0 >= 1 ? Int($0) : nil } }
  func truth(_ key: String) -> Bool? { values[key] as? Bool }
  private func isSpecified(_ key: String) -> Bool? { LooseNumber.truth(specification[key]) }

  /// The encoder's settings.
  func encoderSettings(timescale: Int32) -> VideoEncoderSettings {
    var asked = VideoEncoderSettings(codec: codec, size: size)
    asked.timescale = timescale
    asked.prefersHardware =
      isSpecified(kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder) ?? true
    asked.requiresHardware =
      isSpecified(kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder) ?? false
    if asked.requiresHardware { asked.prefersHardware = true }
    asked.encoderName = specification[kVTVideoEncoderSpecification_EncoderID] as? String
    applyRates(to: &asked)
    asked.keyFrameInterval =
      truth(kVTCompressionPropertyKey_AllowTemporalCompression) == false
      ? 1 : positive(kVTCompressionPropertyKey_MaxKeyFrameInterval)
    asked.keyFrameSeconds = number(kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration).flatMap {
      $0 > 0 ? $0 : nil
    }
    asked.expectedFrameRate = frameRate
    asked.allowsFrameReordering = truth(kVTCompressionPropertyKey_AllowFrameReordering) ?? true
    asked.colorPrimaries = values[kVTCompressionPropertyKey_ColorPrimaries] as? String
    asked.transferFunction = values[kVTCompressionPropertyKey_TransferFunction] as? String
    asked.matrix = values[kVTCompressionPropertyKey_YCbCrMatrix] as? String
    asked.usesSimpleEntropyCoding =
      values[kVTCompressionPropertyKey_H264EntropyMode] as? String == kVTH264EntropyMode_CAVLC
    applyProfile(to: &asked)
    applyShape(to: &asked)
    applyFields(to: &asked)
    asked.isLowLatency =
      hasLowLatencyRateControl
      || (truth(kVTCompressionPropertyKey_RealTime) == true && !asked.allowsFrameReordering)
      || number(kVTCompressionPropertyKey_MaxFrameDelayCount).map { $0 >= 0 } ?? false
    return asked
  }

  /// Whether the rate is kept from frame to frame.
  var hasLowLatencyRateControl: Bool {
    isSpecified(kVTVideoEncoderSpecification_EnableLowLatencyRateControl) == true
  }

  /// The expected frame rate; where it was not set, the frame count by the duration.
  private var frameRate: Double? {
    if let rate = number(kVTCompressionPropertyKey_ExpectedFrameRate), rate > 0 { return rate }
    guard let count = number(kVTCompressionPropertyKey_SourceFrameCount), count > 0,
      let seconds = number(kVTCompressionPropertyKey_ExpectedDuration), seconds > 0
    else { return nil }
    return min(max(count / seconds, 0.01), 100_000)
  }

  private func applyRates(to asked: inout VideoEncoderSettings) {
    asked.quality = number(kVTCompressionPropertyKey_Quality)
    asked.bitRate = positive(kVTCompressionPropertyKey_AverageBitRate)
    if let rate = positive(kVTCompressionPropertyKey_ConstantBitRate) {
      asked.bitRate = rate
      asked.isConstantRate = true
      asked.prefersHardware = false
    } else if let limits = values[kVTCompressionPropertyKey_DataRateLimits] as? [Double] {
      // Of several windows the one with the lowest rate.
      let pairs = stride(from: 0, to: limits.count - 1, by: 2).map { (limits[$0], limits[$0 + 1]) }
      if let tightest = pairs.min(by: { $0.0 / $0.1 < $1.0 / $1.1 }) {
        asked.windowBits = Int(min(tightest.0 * 8, 1e12))
        asked.rateWindow = tightest.1
      }
    }
    asked.smallestQuantizer = number(kVTCompressionPropertyKey_MinAllowedFrameQP).map { Int($0) }
    asked.largestQuantizer = number(kVTCompressionPropertyKey_MaxAllowedFrameQP).map { Int($0) }
  }

  /// Such as `H264_High_4_1`.
  private func applyProfile(to asked: inout VideoEncoderSettings) {
    guard let text = values[kVTCompressionPropertyKey_ProfileLevel] as? String else { return }
    let parts = text.split(separator: "_")
    guard parts.count >= 3, parts[0] == "H264" else { return }
    switch parts[1] {
    case "Baseline", "ConstrainedBaseline": asked.profile = .baseline
    case "Main": asked.profile = .main
    default: asked.profile = .high
    }
    if parts[1] == "ConstrainedHigh" { asked.allowsFrameReordering = false }
    if parts.count == 4, let major = Int(parts[2]), let minor = Int(parts[3]) {
      asked.level = 10 * major + minor
    }
  }

  private static let h264Profiles: [String] = [
    kVTProfileLevel_H264_Baseline_1_3,
    kVTProfileLevel_H264_Baseline_3_0,
    kVTProfileLevel_H264_Baseline_3_1,
    kVTProfileLevel_H264_Baseline_3_2,
    kVTProfileLevel_H264_Baseline_4_0,
    kVTProfileLevel_H264_Baseline_4_1,
    kVTProfileLevel_H264_Baseline_4_2,
    kVTProfileLevel_H264_Baseline_5_0,
    kVTProfileLevel_H264_Baseline_5_1,
    kVTProfileLevel_H264_Baseline_5_2,
    kVTProfileLevel_H264_Baseline_AutoLevel,
    kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel,
    kVTProfileLevel_H264_Main_3_0,
    kVTProfileLevel_H264_Main_3_1,
    kVTProfileLevel_H264_Main_3_2,
    kVTProfileLevel_H264_Main_4_0,
    kVTProfileLevel_H264_Main_4_1,
    kVTProfileLevel_H264_Main_4_2,
    kVTProfileLevel_H264_Main_5_0,
    kVTProfileLevel_H264_Main_5_1,
    kVTProfileLevel_H264_Main_5_2,
    kVTProfileLevel_H264_Main_AutoLevel,
    kVTProfileLevel_H264_High_3_0,
    kVTProfileLevel_H264_High_3_1,
    kVTProfileLevel_H264_High_3_2,
    kVTProfileLevel_H264_High_4_0,
    kVTProfileLevel_H264_High_4_1,
    kVTProfileLevel_H264_High_4_2,
    kVTProfileLevel_H264_High_5_0,
    kVTProfileLevel_H264_High_5_1,
    kVTProfileLevel_H264_High_5_2,
    kVTProfileLevel_H264_High_AutoLevel,
    kVTProfileLevel_H264_ConstrainedHigh_AutoLevel,
  ]
}

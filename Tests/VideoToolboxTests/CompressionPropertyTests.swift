import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import Testing
import VideoToolbox

@Suite("VTCompressionSession: properties")
struct CompressionPropertyTests {
  private func noisy(_ properties: [String: Any], _ count: Int = 30) throws -> [CMSampleBuffer] {
    let session = try CodingStage.session(properties, width: 128, height: 96)
    return try CodingStage.encode(0..<count, with: session) {
      try CodingStage.noise($0, width: 128, height: 96)
    }
  }

  @Test("Bit rates, limits of the rate and quality decide how large samples are")
  func rates() throws {
    let high = CodingStage.size(
      try noisy([
        kVTCompressionPropertyKey_AverageBitRate: 2_000_000, kVTCompressionPropertyKey_ExpectedFrameRate: 30,
      ]))
    let low = CodingStage.size(try noisy([kVTCompressionPropertyKey_AverageBitRate: 200_000]))
    #expect(low * 3 < high)
    let limited = CodingStage.size(
      try noisy([
        kVTCompressionPropertyKey_AverageBitRate: 2_000_000,
        kVTCompressionPropertyKey_DataRateLimits: [25_000, 1] as CFArray,
      ]))
    #expect(limited * 2 < high)
    let best = CodingStage.size(try noisy([kVTCompressionPropertyKey_Quality: 0.9], 5))
    let worst = CodingStage.size(try noisy([kVTCompressionPropertyKey_Quality: 0.1], 5))
    #expect(worst * 2 < best)
    let constant = CodingStage.size(
      try CodingStage.encode(
        0..<30, with: try CodingStage.session([kVTCompressionPropertyKey_ConstantBitRate: 400_000])))
    // A second of still pictures that is filled up.
    #expect(constant > 25_000)
  }

  @Test(
    "With low latency, frames that the coarsest quantizer makes too large are left out, and the rate is kept",
    arguments: [50_000, 150_000])
  func dropped(rate: Int) throws {
    // Apple's session on low latency (WWDC21, 10158) and the header say so: at the largest QP frames are dropped to keep the rate.
    let session = try CodingStage.session(
      [
        kVTCompressionPropertyKey_AverageBitRate: rate, kVTCompressionPropertyKey_MaxAllowedFrameQP: 30,
        kVTCompressionPropertyKey_ExpectedFrameRate: 30,
      ], width: 64, height: 48,
      specification: [kVTVideoEncoderSpecification_EnableLowLatencyRateControl: true])
    let (sizes, dropped) = (Reports<Int>(), Reports<Int>())
    for number in 0..<300 {
      VTCompressionSessionEncodeFrame(
        session, imageBuffer: try CodingStage.noise(number, width: 64, height: 48),
        presentationTimeStamp: CMTime(value: Int64(number), timescale: 30), duration: .invalid,
        // The frame that is to be a key frame may be left out: then the next one is.
        frameProperties: number == 150 ? [kVTEncodeFrameOptionKey_ForceKeyFrame: true] : nil,
        infoFlagsOut: nil
      ) { status, flags, sample in
        #expect(status == noErr && flags.contains(.frameDropped) == (sample == nil))
        if let sample { sizes.add(sample.dataBuffer?.dataLength ?? 0) } else { dropped.add(number) }
      }
    }
    #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
    #expect(sizes.all.count + dropped.all.count == 300 && dropped.all.count > 30)
    let bits = Double(8 * sizes.all.reduce(0, +)) / 10
    #expect(abs(bits / Double(rate) - 1) < 0.1, "\(bits) of \(rate)")
  }

  @Test("Frames that fit are never left out, and without low latency none is")
  func notDropped() throws {
    for (properties, specification) in [
      (
        [
          kVTCompressionPropertyKey_AverageBitRate: 1_000_000,
          kVTCompressionPropertyKey_MaxAllowedFrameQP: 40,
        ], [kVTVideoEncoderSpecification_EnableLowLatencyRateControl: true]
      ),
      (
        [kVTCompressionPropertyKey_AverageBitRate: 1000, kVTCompressionPropertyKey_MaxAllowedFrameQP: 20],
        nil
      ),
      (
        [kVTCompressionPropertyKey_AverageBitRate: 1000],
        [kVTVideoEncoderSpecification_EnableLowLatencyRateControl: true]
      ),
    ] as [([String: Any], [String: Any]?)] {
      let session = try CodingStage.session(properties, specification: specification)
      #expect(try CodingStage.encode(0..<40, with: session).count == 40)
    }
  }

  @Test("A frame's coarsest quantizer, without low latency, and finest hold against the rate")
  func quantizers() throws {
    let free = CodingStage.size(try noisy([kVTCompressionPropertyKey_AverageBitRate: 100_000], 10))
    let held = CodingStage.size(
      try noisy(
        [kVTCompressionPropertyKey_AverageBitRate: 100_000, kVTCompressionPropertyKey_MaxAllowedFrameQP: 24],
        10))
    #expect(held > 2 * free)
    let fine = CodingStage.size(try noisy([kVTCompressionPropertyKey_Quality: 1.0], 5))
    let bound = CodingStage.size(
      try noisy(
        [kVTCompressionPropertyKey_Quality: 1.0, kVTCompressionPropertyKey_MinAllowedFrameQP: 40], 5))
    #expect(bound * 2 < fine)
  }

  @Test("The rate changes while frames come")
  func changedRate() throws {
    let session = try CodingStage.session(
      [
        kVTCompressionPropertyKey_AverageBitRate: 3_000_000, kVTCompressionPropertyKey_RealTime: true,
        kVTCompressionPropertyKey_AllowFrameReordering: false,
      ], width: 128, height: 96)
    func second(_ range: Range<Int>) throws -> [CMSampleBuffer] {
      try CodingStage.encode(range, with: session) { try CodingStage.noise($0, width: 128, height: 96) }
    }
    let before = try second(0..<20)
    VTSessionSetProperty(session, key: kVTCompressionPropertyKey_AverageBitRate, value: 300_000)
    let after = try second(20..<60)
    #expect(CodingStage.size(Array(after.suffix(20))) * 3 < CodingStage.size(before))
  }

  @Test("Profile and level, entropy coding, shape and colours are what the stream says")
  func stream() throws {
    let session = try CodingStage.session([
      kVTCompressionPropertyKey_ProfileLevel: kVTProfileLevel_H264_Main_4_0,
      kVTCompressionPropertyKey_H264EntropyMode: kVTH264EntropyMode_CAVLC,
      kVTCompressionPropertyKey_PixelAspectRatio: [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 4,
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 3,
      ] as CFDictionary,
      kVTCompressionPropertyKey_ColorPrimaries: kCMFormatDescriptionColorPrimaries_P3_D65,
      kVTCompressionPropertyKey_TransferFunction: kCMFormatDescriptionTransferFunction_ITU_R_709_2,
      kVTCompressionPropertyKey_YCbCrMatrix: kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2,
    ])
    let format = try #require(try CodingStage.encode(0..<2, with: session).first?.formatDescription)
    let sets = format.parameterSets
    // Profile and level of the sequence parameter set; CABAC is a bit of the picture's.
    #expect(sets[0][1] == 77 && sets[0][3] == 40)
    func text(_ key: String) -> String? {
      CMFormatDescriptionGetExtension(format, extensionKey: key) as? String
    }
    #expect(text(kCMFormatDescriptionExtension_ColorPrimaries) == kCMFormatDescriptionColorPrimaries_P3_D65)
    #expect(
      text(kCMFormatDescriptionExtension_TransferFunction) == kCMFormatDescriptionTransferFunction_ITU_R_709_2
    )
    #expect(text(kCMFormatDescriptionExtension_YCbCrMatrix) == kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2)
    let shown = CMVideoFormatDescriptionGetPresentationDimensions(
      format, usePixelAspectRatio: true, useCleanAperture: true)
    #expect(abs(shown.width / shown.height - 64.0 / 48 * 4 / 3) < 0.01)
    let profiles: [(String, Int)] = [
      (kVTProfileLevel_H264_Baseline_3_1, 66), (kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel, 66),
      (kVTProfileLevel_H264_Baseline_AutoLevel, 66),
      (kVTProfileLevel_H264_High_AutoLevel, 100), (kVTProfileLevel_H264_ConstrainedHigh_AutoLevel, 100),
    ]
    for (profile, number) in profiles {
      let session = try CodingStage.session([kVTCompressionPropertyKey_ProfileLevel: profile])
      let samples = try CodingStage.encode(0..<6, with: session)
      #expect(Int(samples[0].formatDescription?.parameterSets[0][1] ?? 0) == number)
      if profile != kVTProfileLevel_H264_High_AutoLevel {
        let times = samples.map { $0.presentationTimeStamp }
        #expect(times == times.sorted())
      }
    }
    // A picture parameter set with two numbers of zero, each a single 1: the bit behind them is the entropy mode.
    for (mode, isArithmetic) in [(kVTH264EntropyMode_CABAC, true), (kVTH264EntropyMode_CAVLC, false)] {
      let coder: VTSession = try CodingStage.session([
        kVTCompressionPropertyKey_ProfileLevel: kVTProfileLevel_H264_Main_AutoLevel
      ])
      #expect(
        VTSessionSetProperty(coder, key: kVTCompressionPropertyKey_H264EntropyMode, value: mode) == noErr)
      let session = try #require(coder as? VTCompressionSession)
      let picture = try #require(
        try CodingStage.encode(0..<2, with: session).first?.formatDescription?.parameterSets.last)
      #expect(picture[1] >> 6 == 3 && (picture[1] >> 5 & 1 == 1) == isArithmetic)
    }
    let hevc = try CodingStage.session(
      [kVTCompressionPropertyKey_ProfileLevel: kVTProfileLevel_HEVC_Main_AutoLevel],
      codec: kCMVideoCodecType_HEVC)
    #expect(try CodingStage.encode(0..<2, with: hevc).first?.formatDescription?.parameterSets.count == 3)
  }

  @Test("A session says which properties it has, and refuses others and wrong values")
  func supported() throws {
    let session = try CodingStage.session()
    var made: CFDictionary?
    #expect(VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &made) == noErr)
    let supported = try #require(made)
    let quality = try #require(supported[kVTCompressionPropertyKey_Quality] as? [String: Any])
    #expect(quality[kVTPropertyTypeKey] as? String == kVTPropertyType_Number)
    #expect(quality[kVTPropertyReadWriteStatusKey] as? String == kVTPropertyReadWriteStatus_ReadWrite)
    #expect(quality[kVTPropertySupportedValueMinimumKey] as? NSNumber == 0)
    #expect(quality[kVTPropertySupportedValueMaximumKey] as? NSNumber == 1)
    let profile = try #require(supported[kVTCompressionPropertyKey_ProfileLevel] as? [String: Any])
    #expect(profile[kVTPropertyTypeKey] as? String == kVTPropertyType_Enumeration)
    #expect(
      (profile[kVTPropertySupportedValueListKey] as? [String])?.contains(kVTProfileLevel_H264_High_5_2)
        == true)
    let pending = try #require(
      supported[kVTCompressionPropertyKey_NumberOfPendingFrames] as? [String: Any])
    #expect(pending[kVTPropertyReadWriteStatusKey] as? String == kVTPropertyReadWriteStatus_ReadOnly)
    let realTime = try #require(supported[kVTCompressionPropertyKey_RealTime] as? [String: Any])
    #expect(realTime[kVTPropertyTypeKey] as? String == kVTPropertyType_Boolean)
    for unheard in [
      "Unheard", kVTCompressionPropertyKey_MultiPassStorage, kVTCompressionPropertyKey_MoreFramesBeforeStart,
      kVTCompressionPropertyKey_MoreFramesAfterEnd,
    ] {
      #expect(VTSessionSetProperty(session, key: unheard, value: true) == kVTPropertyNotSupportedErr)
      #expect(supported[unheard] == nil)
    }
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_Quality, value: 2) == kVTParameterErr)
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_NumberOfPendingFrames, value: 2)
        == kVTPropertyReadOnlyErr)
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_DataRateLimits, value: [1000] as CFArray)
        == kVTParameterErr)
    #expect(
      VTSessionSetProperties(
        session,
        propertyDictionary: [
          kVTCompressionPropertyKey_Quality: 0.25, kVTCompressionPropertyKey_RealTime: kCFBooleanTrue!,
        ]) == noErr)
    var value: CFTypeRef?
    VTSessionCopyProperty(session, key: kVTCompressionPropertyKey_Quality, allocator: nil, valueOut: &value)
    #expect(value as? Double == 0.25)
    var isRealTime: CFBoolean?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_RealTime, allocator: nil, valueOut: &isRealTime)
    #expect(isRealTime == true)
    VTSessionSetProperty(session, key: kVTCompressionPropertyKey_Quality, value: nil)
    VTSessionCopyProperty(session, key: kVTCompressionPropertyKey_Quality, allocator: nil, valueOut: &value)
    #expect(value == nil)
    var all: CFDictionary?
    #expect(VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &all) == noErr)
    #expect(all?[kVTCompressionPropertyKey_RealTime] as? Bool == true)
    #expect(all?[kVTCompressionPropertyKey_NumberOfPendingFrames] == nil)
    VTCompressionSessionInvalidate(session)
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_Quality, value: 0.5)
        == kVTInvalidSessionErr)
  }

  @Test("Encoders are listed and chosen by name; a codec without one is refused")
  func encoders() throws {
    var list: CFArray?
    #expect(VTCopyVideoEncoderList(nil, &list) == noErr)
    let entries = (list ?? []).compactMap { $0 as? [String: Any] }
    let software = try #require(
      entries.first {
        $0[kVTVideoEncoderList_CodecType] as? CMVideoCodecType == kCMVideoCodecType_H264
          && $0[kVTVideoEncoderList_IsHardwareAccelerated] as? Bool == false
      })
    let name = try #require(software[kVTVideoEncoderList_EncoderID] as? String)
    #expect(software[kVTVideoEncoderList_CodecName] as? String == "H.264")
    #expect(software[kVTVideoEncoderList_EncoderName] as? String == name)
    #expect((software[kVTVideoEncoderList_DisplayName] as? String)?.contains(name) == true)
    let session = try CodingStage.session(specification: [kVTVideoEncoderSpecification_EncoderID: name])
    var chosen: CFTypeRef?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_EncoderID, allocator: nil, valueOut: &chosen)
    #expect(chosen as? String == name)
    var isHardware: CFBoolean?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder, allocator: nil,
      valueOut: &isHardware)
    #expect(isHardware == false)
    let hasHardware = entries.contains {
      $0[kVTVideoEncoderList_CodecType] as? CMVideoCodecType == kCMVideoCodecType_H264
        && $0[kVTVideoEncoderList_IsHardwareAccelerated] as? Bool == true
    }
    func status(_ codec: CMVideoCodecType, _ specification: [String: Any]?) -> OSStatus {
      var made: VTCompressionSession?
      return VTCompressionSessionCreate(
        allocator: nil, width: 640, height: 480, codecType: codec, encoderSpecification: specification,
        imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
        compressionSessionOut: &made)
    }
    #expect(
      status(
        kCMVideoCodecType_H264, [kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: true])
        == (hasHardware ? noErr : kVTCouldNotFindVideoEncoderErr))
    #expect(
      status(
        kCMVideoCodecType_H264, [kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: false])
        == noErr)
    #expect(status(kCMVideoCodecType_VP9, nil) == kVTCouldNotFindVideoEncoderErr)
    #expect(
      status(kCMVideoCodecType_H264, [kVTVideoEncoderSpecification_EncoderID: "libnothing"])
        == kVTCouldNotFindVideoEncoderErr)
  }

  @Test("The pool makes buffers of the session's size")
  func pool() throws {
    let session = try CodingStage.session()
    let pool = try #require(VTCompressionSessionGetPixelBufferPool(session))
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer)
    let made = try #require(buffer)
    #expect(CVPixelBufferGetWidth(made) == 64 && CVPixelBufferGetHeight(made) == 48)
    var attributes: CFDictionary?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes, allocator: nil,
      valueOut: &attributes)
    #expect(attributes?[kCVPixelBufferWidthKey] as? Int == 64)
    var isShared: CFBoolean?
    VTSessionCopyProperty(
      session, key: kVTCompressionPropertyKey_PixelBufferPoolIsShared, allocator: nil, valueOut: &isShared)
    #expect(isShared == true)
    VTCompressionSessionInvalidate(session)
    #expect(VTCompressionSessionGetPixelBufferPool(session) == nil)
  }
}

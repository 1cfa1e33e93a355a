internal import AVFAudio
internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import MediaFiles

/// Makes the settings of a movie's media from the client's settings and the session's plan; pure functions.
enum MovieSettings {
  /// Keys for video, the same for every connection.
  static let videoKeys = [
    AVVideoCodecKey, AVVideoCompressionPropertiesKey, AVVideoWidthKey, AVVideoHeightKey,
    AVVideoScalingModeKey,
    AVVideoColorPropertiesKey,
  ]
  /// Keys for audio.
  static let audioKeys = [
    AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVEncoderBitRateKey, AVLinearPCMBitDepthKey,
    AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey, AVLinearPCMIsNonInterleaved, AVChannelLayoutKey,
    AVEncoderBitRatePerChannelKey, AVEncoderAudioQualityKey,
  ]

  /// The codec that settings name.
  static func codec(_ settings: [String: Any]) -> AVVideoCodecType? {
    (settings[AVVideoCodecKey] as? AVVideoCodecType)
      ?? (settings[AVVideoCodecKey] as? String).map { AVVideoCodecType(rawValue: $0) }
  }

  /// Why settings cannot be set; `nil` when they can.
  static func refusal(_ settings: [String: Any], isVideo: Bool, codecs: [AVVideoCodecType]) -> String? {
    let keys = isVideo ? videoKeys : audioKeys
    if let key = settings.keys.sorted().first(where: { !keys.contains($0) }) {
      return "the key \(key) is none of supportedOutputSettingsKeys(for:)."
    }
    guard isVideo, !settings.isEmpty else { return nil }
    if let codec = codec(settings) {
      if !codecs.contains(codec) { return "the codec \(codec.rawValue) is none of availableVideoCodecTypes." }
    } else if settings[AVVideoCompressionPropertiesKey] != nil {
      return "AVVideoCompressionPropertiesKey needs AVVideoCodecKey beside it."
    }
    if (settings[AVVideoWidthKey] == nil) != (settings[AVVideoHeightKey] == nil) {
      return "AVVideoWidthKey and AVVideoHeightKey are set together."
    }
    return nil
  }

  // MARK: Video

  /// The whole dictionary, with the preset's values where a client left them out; empty for what is written as it comes.
  ///
  /// - Parameter hasEffect: Whether pictures are changed before they are written.
  static func videoDictionary(
    _ settings: [String: Any]?, _ plan: ConnectionPlan, _ fileType: AVFileType, hasEffect: Bool
  ) -> [String: Any] {
    if isWrittenAsItComes(settings, plan, hasEffect: hasEffect) { return [:] }
    let codec = settings.flatMap(codec) ?? .h264
    var whole =
      RecommendedVideoSettings(
        codec: codec, size: plan.stream.size, rate: plan.stream.frameDuration.rate,
        usesP3: plan.stream.usesP3
      ).dictionary
    guard let settings else { return whole }
    for (key, value) in settings where key != AVVideoCompressionPropertiesKey { whole[key] = value }
    whole[AVVideoCodecKey] = codec
    if let own = settings[AVVideoCompressionPropertiesKey] as? [String: Any] {
      var compression = whole[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
      // A quality is another way than a bit rate.
      if own[AVVideoQualityKey] != nil { compression[AVVideoAverageBitRateKey] = nil }
      compression.merge(own) { _, own in own }
      whole[AVVideoCompressionPropertiesKey] = compression
    }
    return whole
  }

  /// Whether the camera codes, and its pictures are what was asked for.
  private static func isWrittenAsItComes(
    _ settings: [String: Any]?, _ plan: ConnectionPlan, hasEffect: Bool
  ) -> Bool {
    switch plan.stream.format.encoding {
    case .h264, .hevc: true
    case .motionJPEG:
      settings.map { !hasEffect && ($0.isEmpty || ($0.count == 1 && codec($0) == .jpeg)) } ?? false
    case .pixels, .mosaic: false
    }
  }

  static func video(
    _ settings: [String: Any]?, _ plan: ConnectionPlan, _ fileType: AVFileType, hasEffect: Bool
  ) throws(RecordingRefusal) -> RecordingPlan.Video {
    let isCoded = isWrittenAsItComes(settings, plan, hasEffect: hasEffect)
    let isChanged = hasEffect && plan.stream.format.encoding == .motionJPEG
    if !isCoded, !isChanged, settings?.isEmpty == true {
      throw refusal("the camera sends uncompressed pictures, which are not written as they come; set a codec")
    }
    let dictionary = videoDictionary(settings, plan, fileType, hasEffect: hasEffect)
    var size = plan.stream.size
    if !isCoded {
      if let container = MovieContainer(fileType),
        let reason = WriterSettings.refusal(dictionary, .video, in: container)
      {
        throw refusal(reason)
      }
      size = FrameSize(
        width: LooseNumber.integer(dictionary[AVVideoWidthKey]) ?? size.width,
        height: LooseNumber.integer(dictionary[AVVideoHeightKey]) ?? size.height)
    }
    return RecordingPlan.Video(
      settings: isCoded ? nil : dictionary, size: size,
      isFullRange: isFullRange(plan.stream.format.encoding.pixelFormat), rotation: plan.rotation,
      isMirrored: plan.isMirrored,
      usualDuration: plan.stream.frameDuration.nanoseconds)
  }

  private static func isFullRange(_ pixelFormat: OSType) -> Bool {
    [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange]
      .contains(pixelFormat)
  }

  private static func refusal(_ reason: String) -> RecordingRefusal {
    let sentence = "The settings for the video connection cannot be applied: \(reason)."
    return RecordingRefusal(error: AVError(.unknown, because: sentence), rule: sentence)
  }

  // MARK: Audio

  /// The whole dictionary; empty for the device's own samples.
  static func audioDictionary(
    _ settings: [String: Any]?, _ plan: ConnectionPlan, _ fileType: AVFileType
  ) -> [String: Any] {
    if settings?.isEmpty == true, fileType == .mov { return [:] }
    let audio = plan.stream.audio
    let rates = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]
    var whole: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC,
      AVSampleRateKey: Double(rates.first { $0 <= Int(audio.rate) } ?? 8000),
      AVNumberOfChannelsKey: audio.channels,
    ]
    whole.merge(settings ?? [:]) { _, own in own }
    let format = LooseNumber.code(whole[AVFormatIDKey])
    if format == kAudioFormatLinearPCM {
      whole.merge(plainSamples) { own, _ in own }
    } else if AudioBitRate.asked(whole, channels: 1) == nil {
      whole[AVEncoderBitRateKey] = 64_000 * (LooseNumber.integer(whole[AVNumberOfChannelsKey]) ?? 1)
    }
    return BoxedNumbers.boxed(whole)
  }

  /// The settings of the audio encoder; for the device's own samples, of one that changes them only where clocks drift apart.
  static func audio(
    _ settings: [String: Any]?, _ plan: ConnectionPlan, _ fileType: AVFileType
  ) -> [String: Any] {
    let dictionary = audioDictionary(settings, plan, fileType)
    guard dictionary.isEmpty else { return dictionary }
    let own: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: plan.stream.audio.rate,
      AVNumberOfChannelsKey: plan.stream.audio.channels,
    ]
    return BoxedNumbers.boxed(plainSamples.merging(own) { own, _ in own })
  }

  /// Samples as microphones send them.
  private static var plainSamples: [String: Any] {
    [
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
      AVLinearPCMIsNonInterleaved: false,
    ]
  }
}

extension AVCaptureMovieFileOutput {
  /// Why a writer cannot take a whole dictionary.
  static func writerRefusal(
    _ settings: [String: Any], _ type: AVMediaType, _ fileType: AVFileType
  ) -> String? {
    MovieContainer(fileType).flatMap { WriterSettings.refusal(settings, type, in: $0) }
  }
}

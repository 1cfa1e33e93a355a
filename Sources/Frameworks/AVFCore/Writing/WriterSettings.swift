internal import AVFAudio
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
package import MediaFiles
internal import PixelTransforms
internal import VideoCodecs

/// Turns a client's settings dictionaries into settings of encoders, or refuses them with a reason.
package enum WriterSettings {
  /// Settings that cannot be applied: one sentence.
  struct Refusal: Error {
    let text: String
    /// Whether they do not say what they must.
    var isLack = false
  }

  /// Of pictures.
  static func video(_ settings: [String: Any]) throws(Refusal) -> VideoEncoderSettings {
    let name =
      (settings[AVVideoCodecKey] as? AVVideoCodecType)?.rawValue ?? settings[AVVideoCodecKey] as? String ?? ""
    guard let codec = VideoEncoderSettings.Codec(rawValue: name) else {
      throw Refusal(
        text: name.isEmpty
          ? "Video output settings need AVVideoCodecKey."
          : "Video output settings need a codec that can be written; '\(name)' cannot.", isLack: name.isEmpty)
    }
    guard let width = LooseNumber.integer(settings[AVVideoWidthKey]),
      let height = LooseNumber.integer(settings[AVVideoHeightKey]), (1...16384).contains(width),
      (1...16384).contains(height)
    else {
      throw Refusal(
        text: "Video output settings need AVVideoWidthKey and AVVideoHeightKey, both above 0.", isLack: true)
    }
    var asked = VideoEncoderSettings(codec: codec, size: PixelSize(width: width, height: height))
    asked.scaling = try scaling(settings[AVVideoScalingModeKey])
    let colors = settings[AVVideoColorPropertiesKey] as? [String: Any] ?? [:]
    asked.colorPrimaries = colors[AVVideoColorPrimariesKey] as? String
    asked.transferFunction = colors[AVVideoTransferFunctionKey] as? String
    asked.matrix = colors[AVVideoYCbCrMatrixKey] as? String
    let compression = settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
    try apply(compression, to: &asked)
    // They stand among the compression properties; programs of the first years have them beside.
    asked.pixelAspect = try PictureShape.aspect(
      compression[AVVideoPixelAspectRatioKey] ?? settings[AVVideoPixelAspectRatioKey])
    asked.facts.aperture = try PictureShape.aperture(
      compression[AVVideoCleanApertureKey] ?? settings[AVVideoCleanApertureKey], in: asked.size)
    return asked
  }

  private static func scaling(_ value: Any?) throws(Refusal) -> ScalingRule {
    switch value as? String {
    case nil, AVVideoScalingModeFit: .fit
    case AVVideoScalingModeResize: .stretch
    case AVVideoScalingModeResizeAspect: .fit
    case AVVideoScalingModeResizeAspectFill: .fill
    default: throw Refusal(text: "AVVideoScalingModeKey has a value that is none of the scaling modes.")
    }
  }

  private static func apply(
    _ compression: [String: Any], to asked: inout VideoEncoderSettings
  ) throws(Refusal) {
    asked.bitRate = LooseNumber.double(compression[AVVideoAverageBitRateKey]).map { Int($0) }
    if let rate = asked.bitRate, rate <= 0 {
      throw Refusal(text: "AVVideoAverageBitRateKey must be above 0.")
    }
    asked.quality = LooseNumber.double(compression[AVVideoQualityKey])
    if let quality = asked.quality, !(0...1).contains(quality) {
      throw Refusal(text: "AVVideoQualityKey must be from 0 to 1.")
    }
    asked.keyFrameInterval = LooseNumber.integer(compression[AVVideoMaxKeyFrameIntervalKey]).flatMap {
      $0 > 0 ? $0 : nil
    }
    asked.keyFrameSeconds = LooseNumber.double(compression[AVVideoMaxKeyFrameIntervalDurationKey]).flatMap {
      $0 > 0 ? $0 : nil
    }
    asked.expectedFrameRate =
      LooseNumber.double(compression[AVVideoExpectedSourceFrameRateKey])
    asked.allowsFrameReordering = LooseNumber.truth(compression[AVVideoAllowFrameReorderingKey]) ?? true
    // VideoToolbox's `kVTCompressionPropertyKey_MaxFrameDelayCount`: its keys may stand among these, too.
    if let most = LooseNumber.integer(compression["MaxFrameDelayCount"]) {
      asked.isLowLatency = most >= 0
    } else {
      // A sixth of a second: what an encoder holds is lost when the program is killed.
      let rate = asked.expectedFrameRate.flatMap { $0 > 0 ? min($0, 1000) : nil } ?? 30
      asked.mostHeldFrames = Int(rate / 6)
      asked.isLowLatency = rate < 6
    }
    asked.usesSimpleEntropyCoding =
      compression[AVVideoH264EntropyModeKey] as? String == AVVideoH264EntropyModeCAVLC
    if let profile = compression[AVVideoProfileLevelKey] as? String { try applyProfile(profile, to: &asked) }
  }

  /// Such as `H264_High_4_1` or `HEVC_Main_AutoLevel`.
  private static func applyProfile(
    _ text: String, to asked: inout VideoEncoderSettings
  ) throws(Refusal) {
    let parts = text.split(separator: "_")
    guard parts.count >= 3, ["H264", "HEVC"].contains(parts[0]),
      (parts[0] == "H264") == (asked.codec == .h264),
      let profile = parts[1] == "ConstrainedBaseline"
        ? .baseline : VideoEncoderSettings.Profile(rawValue: parts[1].lowercased())
    else { throw Refusal(text: "The profile '\(text)' is none of the codec's that can be written.") }
    asked.profile = parts[0] == "H264" ? profile : nil
    if parts.count == 4, let major = Int(parts[2]), let minor = Int(parts[3]) {
      asked.level = 10 * major + minor
    }
  }

  /// Of audio.
  static func audio(_ settings: [String: Any]) throws(Refusal) -> AudioEncoderSettings {
    guard let formatID = LooseNumber.code(settings[AVFormatIDKey]) else {
      throw Refusal(text: "Audio output settings need AVFormatIDKey.", isLack: true)
    }
    var asked = AudioEncoderSettings(formatID: formatID)
    asked.rate = LooseNumber.double(settings[AVSampleRateKey]).map { Int($0) }
    asked.channels = LooseNumber.integer(settings[AVNumberOfChannelsKey])
    guard let rate = asked.rate, let channels = asked.channels, rate > 0, (1...8).contains(channels) else {
      throw Refusal(
        text: "Audio output settings need AVSampleRateKey and AVNumberOfChannelsKey.", isLack: true)
    }
    asked.bitRate = AudioBitRate.asked(settings, channels: channels)
    if let layout = settings[AVChannelLayoutKey] {
      guard let layout = layout as? Data, let said = AVAudioChannelLayout(data: layout) else {
        throw Refusal(text: "AVChannelLayoutKey must be the bytes of an AudioChannelLayout.")
      }
      guard Int(said.channelCount) == channels else {
        throw Refusal(
          text: "AVChannelLayoutKey has \(said.channelCount) channels, AVNumberOfChannelsKey \(channels).")
      }
    }
    if formatID == kAudioFormatLinearPCM {
      guard let bits = LooseNumber.integer(settings[AVLinearPCMBitDepthKey]),
        let isFloat = LooseNumber.truth(settings[AVLinearPCMIsFloatKey]),
        let isBig = LooseNumber.truth(settings[AVLinearPCMIsBigEndianKey]),
        let isApart = LooseNumber.truth(settings[AVLinearPCMIsNonInterleaved])
      else {
        throw Refusal(
          text:
            "Output settings of linear PCM need bit depth, float, byte order, and whether channels interleave."
        )
      }
      guard !isApart else { throw Refusal(text: "Files hold linear PCM with interleaved channels only.") }
      guard isFloat ? [32, 64].contains(bits) : [16, 24, 32].contains(bits) else {
        throw Refusal(text: "Linear PCM with \(bits) bits cannot be written.")
      }
      asked.bits = bits
      asked.isFloat = isFloat
      asked.isBigEndian = isBig
    } else if formatID != kAudioFormatMPEG4AAC, formatID != kAudioFormatOpus {
      throw Refusal(
        text: "Audio '\(FourCharacterCode(rawValue: formatID))' cannot be written; choose AAC or linear PCM.")
    }
    return asked
  }

  /// The reason why settings lack what every file needs, or have what none takes; `nil` when they are whole, writable or not.
  static func lack(of settings: [String: Any]?, _ mediaType: AVMediaType) -> String? {
    guard let settings else { return nil }
    do throws(Refusal) {
      switch mediaType {
      case .video: _ = try video(settings)
      case .audio: _ = try audio(settings)
      default: return onlyAsIs(mediaType)
      }
    } catch {
      return error.isLack ? error.text : nil
    }
    return nil
  }

  /// Why settings cannot be applied in a file of a type; `nil` when they can.
  package static func refusal(
    _ settings: [String: Any]?, _ mediaType: AVMediaType, in container: MovieContainer
  ) -> String? {
    guard let settings else { return nil }
    do throws(Refusal) {
      switch mediaType {
      case .video:
        let asked = try video(settings)
        if container == .appleAudio { return "M4A files hold no pictures." }
        if container != .quickTime, ![.h264, .hevc, .jpeg].contains(asked.codec) {
          return "Only QuickTime movies hold \(asked.codec.rawValue)."
        }
      case .audio:
        let asked = try audio(settings)
        if container != .quickTime, asked.formatID == kAudioFormatLinearPCM {
          return "Only QuickTime movies hold linear PCM."
        }
        if container == .quickTime, asked.formatID == kAudioFormatOpus {
          return "QuickTime movies hold no Opus."
        }
      default: return onlyAsIs(mediaType)
      }
    } catch {
      return error.text
    }
    return nil
  }

  private static func onlyAsIs(_ mediaType: AVMediaType) -> String {
    "Media of type '\(mediaType.rawValue)' is only written as it is, with nil settings."
  }
}

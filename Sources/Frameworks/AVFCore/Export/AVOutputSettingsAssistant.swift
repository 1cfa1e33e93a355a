internal import AVFAudio
public import CoreMedia
public import Foundation
internal import GraphicsCore
internal import Linux

/// A name of settings for a movie: codec and size.
///
/// Apple: `AVOutputSettingsPreset`.
public struct AVOutputSettingsPreset: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The preset with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// At most 640 by 480, H.264.
  public static let preset640x480 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset640x480")
  /// At most 960 by 540, H.264.
  public static let preset960x540 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset960x540")
  /// At most 1280 by 720, H.264.
  public static let preset1280x720 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset1280x720")
  /// At most 1920 by 1080, H.264.
  public static let preset1920x1080 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset1920x1080")
  /// At most 3840 by 2160, H.264.
  public static let preset3840x2160 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset3840x2160")
  /// At most 1920 by 1080, HEVC.
  public static let hevc1920x1080 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPresetHEVC1920x1080")
  /// At most 3840 by 2160, HEVC.
  public static let hevc3840x2160 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPresetHEVC3840x2160")

  /// The export preset of the same codec and size.
  var exported: ExportPreset? {
    Self.all.contains(self)
      ? ExportPreset(rawValue.replacingOccurrences(of: "OutputSettings", with: "AssetExport")) : nil
  }

  static let all: [AVOutputSettingsPreset] = [
    .preset640x480, .preset960x540, .preset1280x720, .preset1920x1080, .preset3840x2160, .hevc1920x1080,
    .hevc3840x2160,
  ]
}

/// Makes settings for an `AVAssetWriterInput` out of a preset and of what is known of the source.
///
/// Thread-safe. Apple: `AVOutputSettingsAssistant`.
open class AVOutputSettingsAssistant: NSObject, @unchecked Sendable {  // Safe: changes are under a lock.
  private struct Source: @unchecked Sendable {  // Safe because descriptions do not change.
    var video: CMVideoFormatDescription?
    var audio: CMAudioFormatDescription?
    var average = CMTime(value: 1, timescale: 30)
    var minimum = CMTime.invalid
  }

  private let preset: ExportPreset
  private let source = Locked(Source())

  /// An assistant; `nil` for a preset that is none of ``availableOutputSettingsPresets()``.
  ///
  /// Apple: `AVOutputSettingsAssistant.init(preset:)`.
  public init?(preset presetIdentifier: AVOutputSettingsPreset) {
    guard let preset = presetIdentifier.exported else { return nil }
    self.preset = preset
  }

  /// The presets that there are.
  ///
  /// Apple: `AVOutputSettingsAssistant.availableOutputSettingsPresets()`.
  open class func availableOutputSettingsPresets() -> [AVOutputSettingsPreset] { AVOutputSettingsPreset.all }

  /// The format of the source's pictures; `nil` at first, which gives the preset's largest size.
  ///
  /// Pictures are made smaller to fit, never larger. Apple: `AVOutputSettingsAssistant.sourceVideoFormat`.
  open var sourceVideoFormat: CMVideoFormatDescription? {
    get { source.withLock { $0.video } }
    set { source.withLock { $0.video = newValue } }
  }

  /// The format of the source's audio; `nil` at first, which gives two channels of 44.1 kHz.
  ///
  /// Apple: `AVOutputSettingsAssistant.sourceAudioFormat`.
  open var sourceAudioFormat: CMAudioFormatDescription? {
    get { source.withLock { $0.audio } }
    set { source.withLock { $0.audio = newValue } }
  }

  /// The time for which a picture of the source is shown, on the average; 1/30 s at first, as which counts what is not above zero.
  ///
  /// Apple: `AVOutputSettingsAssistant.sourceVideoAverageFrameDuration`.
  open var sourceVideoAverageFrameDuration: CMTime {
    get { source.withLock { $0.average } }
    set { source.withLock { $0.average = newValue } }
  }

  /// The shortest time for which a picture of the source is shown, which the encoder has to expect; invalid at first.
  ///
  /// Apple: `AVOutputSettingsAssistant.sourceVideoMinFrameDuration`.
  open var sourceVideoMinFrameDuration: CMTime {
    get { source.withLock { $0.minimum } }
    set { source.withLock { $0.minimum = newValue } }
  }

  /// The type of the file that the settings are for.
  ///
  /// Apple: `AVOutputSettingsAssistant.outputFileType`.
  open var outputFileType: AVFileType { .mov }

  /// Settings of a writer's input of pictures.
  ///
  /// Apple: `AVOutputSettingsAssistant.videoSettings`.
  open var videoSettings: [String: Any]? {
    let source = source.withLock { $0 }
    guard let box = preset.box else { return nil }
    let known = source.video.map {
      CMVideoFormatDescriptionGetPresentationDimensions(
        $0, usePixelAspectRatio: true, useCleanAperture: false)
    }
    let size = known.flatMap { $0.width > 0 && $0.height > 0 ? preset.size(of: $0) : nil } ?? box
    let average = Self.rate(source.average) ?? 30
    var settings = preset.videoSettings(size, rate: Float(average), bitRateLimit: nil)
    var compression = settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
    compression[AVVideoExpectedSourceFrameRateKey] = Int((Self.rate(source.minimum) ?? average).rounded())
    // A writer's own samples are lost with what an encoder holds, unlike those of an export.
    compression["MaxFrameDelayCount"] = nil
    settings[AVVideoCompressionPropertiesKey] = compression
    return settings
  }

  private static func rate(_ duration: CMTime) -> Double? {
    duration.isNumeric && duration > .zero ? 1 / duration.seconds : nil
  }

  /// Settings of a writer's input of audio: AAC.
  ///
  /// Apple: `AVOutputSettingsAssistant.audioSettings`.
  open var audioSettings: [String: Any]? {
    let basic = source.withLock { $0.audio }?.audioStreamBasicDescription
    let channels = min(2, max(1, Int(basic?.mChannelsPerFrame ?? 2)))
    let rate = basic.map(\.mSampleRate) ?? 44_100
    return [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: min(rate, 48_000),
      AVNumberOfChannelsKey: channels, AVEncoderBitRateKey: 64_000 * channels,
    ]
  }
}

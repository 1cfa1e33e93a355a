internal import Foundation
internal import GraphicsCore

/// Small and coarse, H.264.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// For sending, H.264.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// The source's size, H.264.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// The source's size, HEVC.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// At most 640 by 480, H.264.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// At most 960 by 540, H.264.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// At most 1280 by 720, H.264.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// At most 1920 by 1080, H.264.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// At most 3840 by 2160, H.264.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// At most 1920 by 1080, HEVC.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// At most 3840 by 2160, HEVC.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// The source's size, ProRes 422 and linear PCM.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// Audio alone, AAC.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// All samples as they are.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// The encoding that an export preset names: codec, largest size, and bit rates.
struct ExportPreset: Sendable {
  let codec: AVVideoCodecType?
  /// The size that pictures must fit into, in landscape; `nil` keeps their size.
  var box: CGSize?
  /// Bits of a pixel.
  var density = 0.11
  var audioBitRate = 128_000
  var isPassthrough = false

  /// The preset with a name; `nil` for one that is not known.
  init?(_ name: String) {
    codec =
      switch name {
      case AVAssetExportPresetPassthrough, AVAssetExportPresetAppleM4A: nil
      case AVAssetExportPresetAppleProRes422LPCM: .proRes422
      default: name.contains("HEVC") ? .hevc : .h264
      }
    switch name {
    case AVAssetExportPresetLowQuality:
      box = CGSize(width: 224, height: 128)
      density = 0.1
      audioBitRate = 32_000
    case AVAssetExportPresetMediumQuality:
      box = CGSize(width: 568, height: 320)
      audioBitRate = 64_000
    case AVAssetExportPresetHighestQuality, AVAssetExportPresetHEVCHighestQuality: density = 0.2
    case AVAssetExportPreset640x480: box = CGSize(width: 640, height: 480)
    case AVAssetExportPreset960x540: box = CGSize(width: 960, height: 540)
    case AVAssetExportPreset1280x720: box = CGSize(width: 1280, height: 720)
    case AVAssetExportPreset1920x1080, AVAssetExportPresetHEVC1920x1080:
      box = CGSize(width: 1920, height: 1080)
    case AVAssetExportPreset3840x2160, AVAssetExportPresetHEVC3840x2160:
      box = CGSize(width: 3840, height: 2160)
    case AVAssetExportPresetPassthrough: isPassthrough = true
    case AVAssetExportPresetAppleM4A, AVAssetExportPresetAppleProRes422LPCM: break
    default: return nil
    }
    if codec == .hevc { density *= 0.6 }
  }

  static let names = [
    AVAssetExportPresetLowQuality, AVAssetExportPresetMediumQuality, AVAssetExportPresetHighestQuality,
    AVAssetExportPresetHEVCHighestQuality, AVAssetExportPreset640x480, AVAssetExportPreset960x540,
    AVAssetExportPreset1280x720, AVAssetExportPreset1920x1080, AVAssetExportPreset3840x2160,
    AVAssetExportPresetHEVC1920x1080, AVAssetExportPresetHEVC3840x2160,
    AVAssetExportPresetAppleProRes422LPCM, AVAssetExportPresetAppleM4A, AVAssetExportPresetPassthrough,
  ]

  /// Whether only audio is written.
  var isAudioOnly: Bool { codec == nil && !isPassthrough }

  /// Which files can be written.
  var fileTypes: [AVFileType] {
    if isAudioOnly { return [.m4a] }
    if codec == .proRes422 { return [.mov] }
    return isPassthrough ? [.mov, .mp4, .m4v, .m4a] : [.mov, .mp4, .m4v]
  }

  /// The size of pictures of a source, which are never enlarged, in whole colour samples.
  func size(of source: CGSize) -> CGSize {
    var scale: CGFloat = 1
    if let box {
      let isUpright = source.height > source.width
      let (width, height) = isUpright ? (box.height, box.width) : (box.width, box.height)
      scale = min(1, width / source.width, height / source.height)
    }
    func even(_ value: CGFloat) -> CGFloat { max(2, (value * scale / 2).rounded() * 2) }
    return CGSize(width: even(source.width), height: even(source.height))
  }

  /// Settings for pictures of a size.
  func videoSettings(_ size: CGSize, rate: Float, bitRateLimit: Int?) -> [String: Any] {
    var settings: [String: Any] = [
      AVVideoCodecKey: codec ?? .h264, AVVideoWidthKey: Int(size.width), AVVideoHeightKey: Int(size.height),
      AVVideoScalingModeKey: AVVideoScalingModeResize,
    ]
    if codec != .proRes422 {
      let rate = rate > 0 ? min(Double(rate), 120) : 30
      let wanted = max(40_000, Int(Double(size.width * size.height) * rate * density))
      settings[AVVideoCompressionPropertiesKey] = [
        AVVideoAverageBitRateKey: min(wanted, bitRateLimit ?? .max),
        // The source is there still when an export is killed: the encoder may look ahead as far as it likes.
        "MaxFrameDelayCount": -1,
      ]
    }
    return settings
  }
}

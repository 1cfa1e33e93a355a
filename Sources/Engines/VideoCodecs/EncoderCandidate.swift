internal import CFFmpeg
internal import Foundation
internal import PixelTransforms

/// One encoder of FFmpeg's that may serve settings.
struct EncoderCandidate {
  let name: String
  var pixels: cam_pixels
  var usesVAAPI = false
  var options: [(String, String)] = []
  /// FFmpeg's quantizer where there is no bit rate; 0 where the options say the quality.
  var globalQuality: Int32 = 0

  /// Those for `settings`, in the order in which they are tried: VAAPI, V4L2, the processor.
  static func candidates(for settings: VideoEncoderSettings) -> [EncoderCandidate] {
    all(for: settings).filter { candidate in
      (candidate.isHardware || !settings.requiresHardware)
        && (settings.encoderName == nil || settings.encoderName == candidate.name)
    }.map { candidate in
      var candidate = candidate
      if let least = settings.smallestQuantizer { candidate.options.append(("qmin", "\(least)")) }
      if let most = settings.largestQuantizer { candidate.options.append(("qmax", "\(most)")) }
      return candidate
    }
  }

  /// Whether it is one of the hardware's.
  var isHardware: Bool { usesVAAPI || name.hasSuffix("_v4l2m2m") }

  private static func all(for settings: VideoEncoderSettings) -> [EncoderCandidate] {
    switch settings.codec {
    case .h264: hardware("h264", settings) + [x264(settings)]
    case .hevc: hardware("hevc", settings) + [x265(settings)]
    case .jpeg: [motionJPEG(settings)]
    case .proRes422HQ: [proRes(3)]
    case .proRes422: [proRes(2)]
    case .proRes422LT: [proRes(1)]
    case .proRes422Proxy: [proRes(0)]
    }
  }

  private static func hardware(_ codec: String, _ settings: VideoEncoderSettings) -> [EncoderCandidate] {
    guard settings.prefersHardware else { return [] }
    var vaapi = EncoderCandidate(name: "\(codec)_vaapi", pixels: cam_pixels_nv12, usesVAAPI: true)
    if settings.bitRate == nil {
      vaapi.options = [("rc_mode", "CQP")]
      vaapi.globalQuality = Int32(quantizer(settings.quality, best: 14, worst: 44, standard: 23))
    }
    return [vaapi, EncoderCandidate(name: "\(codec)_v4l2m2m", pixels: cam_pixels_nv12)]
  }

  private static func x264(_ settings: VideoEncoderSettings) -> EncoderCandidate {
    var options = [("preset", settings.isHasty ? "ultrafast" : "veryfast"), ("forced-idr", "1")]
    if settings.isLowLatency { options.append(("tune", "zerolatency")) }
    if settings.bitRate == nil {
      options.append(("crf", "\(quantizer(settings.quality, best: 12, worst: 45, standard: 23))"))
    }
    if let profile = settings.profile { options.append(("profile", profile.rawValue)) }
    if settings.usesSimpleEntropyCoding { options.append(("coder", "cavlc")) }
    if settings.isConstantRate { options.append(("nal-hrd", "cbr")) }
    var own = settings.isLowLatency ? [] : held(settings)
    // Slices for other threads would cost bits and time.
    if settings.isHasty { own.append("threads=1") }
    if settings.facts.isInterlaced { own.append(settings.facts.isTopFirst ? "tff=1" : "bff=1") }
    if let bytes = settings.sliceBytes { own.append("slice-max-size=\(bytes)") }
    if !own.isEmpty { options.append(("x264-params", "'" + own.joined(separator: ":") + "'")) }
    return EncoderCandidate(name: "libx264", pixels: cam_pixels_nv12, options: options)
  }

  /// x264's parameters by which few frames wait in it.
  private static func held(_ settings: VideoEncoderSettings) -> [String] {
    guard let most = settings.mostHeldFrames else { return [] }
    // One more waits until its duration is known.
    let ahead = min(10, max(most - 1, settings.isReordering ? 2 : 0))
    // Threads that share a picture hold none, but each of their slices costs bits.
    let threads = min(ProcessInfo.processInfo.activeProcessorCount, max(2, settings.size.height / 270))
    var own = ["rc-lookahead=\(ahead)", "sync-lookahead=0", "sliced-threads=1", "threads=\(threads)"]
    if ahead == 0 { own.append("mbtree=0") }
    return own
  }

  private static func x265(_ settings: VideoEncoderSettings) -> EncoderCandidate {
    // x265 prints by itself; its own parameters are one option.
    var own = ["log-level=none", "repeat-headers=0"]
    if let level = settings.level { own.append("level-idc=\(level)") }
    var options = [("preset", "ultrafast"), ("forced-idr", "1")]
    // Otherwise it holds three frames at least.
    if settings.isLowLatency || settings.mostHeldFrames ?? .max < 4 {
      options.append(("tune", "zerolatency"))
    }
    if settings.bitRate == nil {
      options.append(("crf", "\(quantizer(settings.quality, best: 12, worst: 45, standard: 26))"))
    }
    if !settings.isLowLatency, let most = settings.mostHeldFrames, most >= 4 {
      // A shorter look ahead costs much time; a second thread would hold one more.
      own += ["rc-lookahead=\(min(5, most - 1))", "frame-threads=1"]
    }
    options.append(("x265-params", "'" + own.joined(separator: ":") + "'"))
    return EncoderCandidate(name: "libx265", pixels: cam_pixels_yuv420, options: options)
  }

  private static func motionJPEG(_ settings: VideoEncoderSettings) -> EncoderCandidate {
    var candidate = EncoderCandidate(name: "mjpeg", pixels: cam_pixels_yuv420)
    // FF_QP2LAMBDA is 118.
    candidate.globalQuality = Int32(118 * quantizer(settings.quality, best: 2, worst: 31, standard: 4))
    return candidate
  }

  private static func proRes(_ profile: Int) -> EncoderCandidate {
    EncoderCandidate(
      name: "prores_ks", pixels: cam_pixels_yuv422_10,
      options: [("profile", "\(profile)"), ("vendor", "apl0")])
  }

  private static func quantizer(_ quality: Double?, best: Int, worst: Int, standard: Int) -> Int {
    guard let quality else { return standard }
    return worst - Int((Double(worst - best) * min(max(quality, 0), 1)).rounded())
  }

  /// The options as FFmpeg reads them.
  var optionText: String { options.map { "\($0.0)=\($0.1)" }.joined(separator: ":") }
}

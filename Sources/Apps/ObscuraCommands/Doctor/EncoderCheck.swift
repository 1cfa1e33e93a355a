internal import VideoCodecs

/// Looks at the video encoders: which one movies are coded by, and why those before it are not used.
///
/// Their trouble leaves the cameras usable, so it changes no exit code.
struct EncoderCheck {
  /// The codecs that movies can have, and each encoder that is tried for them.
  func findings() -> [Finding] {
    findings(.h264, "H.264") + findings(.hevc, "HEVC")
  }

  private func findings(_ codec: VideoEncoderSettings.Codec, _ name: String) -> [Finding] {
    let entries = (try? EncoderSurvey.entries(for: codec)) ?? []
    return Self.findings(of: entries, name)
  }

  /// The findings that encoders amount to; the first that works serves.
  static func findings(of entries: [EncoderSurvey.Entry], _ name: String) -> [Finding] {
    let serving = entries.first { $0.refusal == nil }
    let refused = entries.compactMap { entry in
      entry.refusal.map { reason in
        Finding("encoders", note: "The encoder \(entry.name) cannot be used: \(reason).")
      }
    }
    let others = entries.filter { $0.refusal == nil && $0 != serving }.map {
      Finding("encoders", "The encoder \($0.name) works, too.")
    }
    guard let serving else {
      return refused + [
        Finding(
          "encoders",
          problem:
            "Movies cannot be coded as \(name), because no encoder works; install an FFmpeg with one (Debian: libavcodec59)."
        )
      ]
    }
    return refused + [Finding("encoders", "Movies are coded as \(name) by \(serving.name).")] + others
  }
}

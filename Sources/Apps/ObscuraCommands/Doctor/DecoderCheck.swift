internal import VideoCodecs

/// Looks at the decoders of live pictures: whether the hardware decodes what webcams and network cameras send as H.264 or HEVC.
///
/// The processor always can, so none of it is a problem; a word of the user's that names no decoder is one.
struct DecoderCheck {
  func findings() -> [Finding] {
    (DecoderSurvey.mistake.map { [Finding("decoders", problem: $0)] } ?? [])
      + [("h264", "H.264"), ("hevc", "HEVC")].map { codec, name in
        Self.finding(of: DecoderSurvey.entries(for: codec), name)
      }
  }

  /// The finding that a codec's decoders amount to; the first that works serves.
  static func finding(of entries: [DecoderSurvey.Entry], _ name: String) -> Finding {
    if let serving = entries.first(where: { $0.refusal == nil }) {
      return Finding(
        "decoders",
        "Live \(name) goes to \(serving.name) first, and to the processor where its driver does not know the profile."
      )
    }
    if entries.isEmpty { return Finding("decoders", "Live \(name) is decoded by the processor.") }
    let reasons = entries.compactMap { entry in entry.refusal.map { "\(entry.name): \($0)" } }
    return Finding(
      "decoders", "Live \(name) is decoded by the processor (\(reasons.joined(separator: "; "))).")
  }
}

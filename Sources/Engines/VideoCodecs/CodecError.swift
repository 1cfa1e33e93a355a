/// An error of encoding or decoding media.
package struct CodecError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reasons that callers distinguish.
  package enum Reason: Sendable, Hashable {
    /// There is no encoder that takes these settings; ``CodecError/refusals`` says why.
    case noEncoder
    /// There is no decoder of the format.
    case noDecoder
    /// The media does not fit the settings: another format, size or order of times.
    case unsuitable
    /// The data is damaged.
    case damaged
    /// The encoder or decoder failed.
    case failed
  }

  /// The reason that callers distinguish.
  package let reason: Reason
  /// One sentence: what failed and why.
  package let description: String
  /// The encoders that were tried, in order, with the reason of each refusal.
  package let refusals: [EncoderRefusal]

  /// An error with a sentence.
  package init(_ reason: Reason, _ description: String, refusals: [EncoderRefusal] = []) {
    self.reason = reason
    self.description = description
    self.refusals = refusals
  }
}

/// An encoder that could not be opened.
package struct EncoderRefusal: Sendable, Hashable, CustomStringConvertible {
  /// Its name, such as `h264_vaapi`.
  package let encoder: String
  /// The reason of the refusal, as part of a sentence.
  package let reason: String

  /// The text for a log.
  package var description: String { "\(encoder): \(reason)" }
}

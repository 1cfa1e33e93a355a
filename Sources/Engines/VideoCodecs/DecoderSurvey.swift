internal import CFFmpeg

/// Tries the decoders of live pictures on this machine's hardware.
package enum DecoderSurvey {
  /// One of them.
  package struct Entry: Sendable, Hashable {
    /// The interface: `VAAPI` or `V4L2`.
    package let name: String
    /// The reason why it cannot be used; `nil` when it is tried first for every live stream.
    package let refusal: String?
  }

  /// Those of a codec that `OBSCURA_DECODERS` asks for, by FFmpeg's name of that, in the order in which they are tried.
  ///
  /// One that opens may still leave some profiles to the processor.
  package static func entries(for codec: String) -> [Entry] {
    HardwareDecoding.all.map { place in
      let name = place == cam_decoding_vaapi ? "VAAPI" : "V4L2"
      let opened = codec.withCString { codec in
        var asked = cam_decoder_settings()
        asked.codec = codec
        asked.decoding = place
        (asked.width, asked.height) = (1280, 720)
        asked.timescale = 90_000
        asked.is_live = true
        return LibraryStatus.withReason { cam_decoder_open_video(&asked, $0, $1) }
      }
      if let decoder = opened.value { cam_codec_close(decoder) }
      return Entry(name: name, refusal: opened.value == nil ? opened.reason : nil)
    }
  }

  /// What is wrong with `OBSCURA_DECODERS`, in one sentence; `nil` where each of its words is known.
  package static var mistake: String? { mistake(in: HardwareDecoding.asked) }

  /// What is wrong with such words.
  package static func mistake(in words: String?) -> String? {
    let unknown = HardwareDecoding.unknown(in: words).map { "'\($0)'" }
    guard !unknown.isEmpty else { return nil }
    return
      "No decoder of live pictures is called \(unknown.joined(separator: " or ")), which OBSCURA_DECODERS asks for; "
      + "use vaapi, v4l2, both with a comma between them, or none for the processor alone."
  }
}

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
}

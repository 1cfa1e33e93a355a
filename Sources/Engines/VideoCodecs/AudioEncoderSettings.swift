package import CoreMedia

/// The settings of an audio encoder.
package struct AudioEncoderSettings: Sendable, Hashable {
  /// A `kAudioFormat…`: AAC, Opus, or linear PCM.
  package var formatID: AudioFormatID
  /// Samples of one channel in a second; `nil` is the source's.
  package var rate: Int?
  /// The number of channels; `nil` is the source's.
  package var channels: Int?
  /// Bits in a second; `nil` for the encoder's own.
  package var bitRate: Int?
  /// The bits of an uncompressed sample: 16, 24 or 32 of an integer, 32 or 64 of a floating-point number.
  package var bits = 16
  /// Whether they are floating-point numbers.
  package var isFloat = false
  /// Whether the byte of most weight comes first in them.
  package var isBigEndian = false

  /// Settings that leave all but the format to the encoder.
  package init(formatID: AudioFormatID) {
    self.formatID = formatID
  }

  /// FFmpeg's name of the encoder; `nil` where there is none.
  var encoderName: String? {
    switch formatID {
    case kAudioFormatMPEG4AAC: return "aac"
    case kAudioFormatOpus: return "libopus"
    case kAudioFormatLinearPCM:
      let end = isBigEndian ? "be" : "le"
      switch (isFloat, bits) {
      case (false, 16), (false, 24), (false, 32): return "pcm_s\(bits)\(end)"
      case (true, 32), (true, 64): return "pcm_f\(bits)\(end)"
      default: return nil
      }
    default: return nil
    }
  }
}

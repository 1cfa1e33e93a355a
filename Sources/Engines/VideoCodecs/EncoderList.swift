internal import CFFmpeg
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// The video encoders of this machine.
package enum EncoderList {
  /// An encoder.
  package struct Entry: Sendable, Hashable {
    /// FFmpeg's name, such as `libx264`.
    package let name: String
    /// The codec of its output.
    package let codec: VideoEncoderSettings.Codec
    /// Whether the hardware codes.
    package let isHardware: Bool
  }

  /// Those that open, in the order in which they are tried; looked up once.
  package static let entries: [Entry] = VideoEncoderSettings.Codec.allCases.flatMap { codec -> [Entry] in
    let settings = VideoEncoderSettings(codec: codec, size: PixelSize(width: 640, height: 480))
    return EncoderCandidate.candidates(for: settings).compactMap { candidate -> Entry? in
      guard cam_encoder_exists(candidate.name), opens(candidate, settings) else { return nil }
      return Entry(name: candidate.name, codec: codec, isHardware: candidate.isHardware)
    }
  }

  /// Whether something here makes a codec; looks for hardware only where the processor has no encoder.
  package static func makes(_ codec: VideoEncoderSettings.Codec) -> Bool {
    let settings = VideoEncoderSettings(codec: codec, size: PixelSize(width: 640, height: 480))
    let candidates = EncoderCandidate.candidates(for: settings)
    return candidates.contains { !$0.isHardware && cam_encoder_exists($0.name) }
      || entries.contains { $0.codec == codec }
  }

  /// FFmpeg has names of hardware that this machine lacks.
  private static func opens(_ candidate: EncoderCandidate, _ settings: VideoEncoderSettings) -> Bool {
    guard candidate.isHardware else { return true }
    var settings = settings
    settings.encoderName = candidate.name
    guard
      let picture = try? CVPixelBuffer(
        format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 480)
    else { return false }
    return (try? VideoEncoder(settings, first: picture)) != nil
  }
}

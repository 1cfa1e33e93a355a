internal import CFFmpeg
internal import CoreVideo
package import PixelTransforms

/// Tries the video encoders on this machine, and lists which ones work.
package enum EncoderSurvey {
  /// One encoder.
  package struct Entry: Sendable, Hashable {
    /// FFmpeg's name of it, such as `h264_vaapi`.
    package let name: String
    /// The reason why it cannot be used; `nil` when it can.
    package let refusal: String?
  }

  /// The encoders of a codec in the order in which they are tried, each opened for pictures of a usual size.
  package static func entries(
    for codec: VideoEncoderSettings.Codec, size: PixelSize = PixelSize(width: 1280, height: 720)
  ) throws(CodecError) -> [Entry] {
    var settings = VideoEncoderSettings(codec: codec, size: size)
    settings.bitRate = 4_000_000
    settings.expectedFrameRate = 30
    settings.allowsFrameReordering = false
    let picture: CVPixelBuffer
    do {
      picture = try CVPixelBuffer(
        format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: size.width, height: size.height,
        attributes: [:])
    } catch {
      throw CodecError(.failed, "There is no memory for a picture: \(error)")
    }
    let colors = VideoColors(settings, first: picture)
    return EncoderCandidate.candidates(for: settings).map { candidate in
      let opened = VideoEncoder.open(candidate, settings, colors)
      if let codec = opened.value {
        cam_codec_close(codec)
        return Entry(name: candidate.name, refusal: nil)
      }
      return Entry(name: candidate.name, refusal: opened.reason)
    }
  }
}

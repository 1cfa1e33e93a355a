internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms
internal import VideoCodecs

/// Codes the pictures of Live Photos' movies as they come, whether or not anything is pressed; on the queue of the recorder.
///
/// H.264 without reordering, so that each picture comes out before the next goes in, with a key frame each half second, at which movies
/// begin. At most 1920×1080 and some thirty pictures a second: an encoder of the processor takes one thread, and a third of it on a
/// small computer of today.
final class FilmEncoder {
  /// The largest picture; phones film theirs in such sizes, too.
  private static let bounds = FrameSize(width: 1920, height: 1080)
  /// Small pictures have so little memory that they need not save it.
  private static let leastBitRate = 4_000_000
  /// Times are kept in millionths of a second.
  private static let timescale: CMTimeScale = 1_000_000

  private let encoder: VideoEncoder
  /// What is inside of the encoder, by its time there.
  private var inside: [Int64: (time: Int64, isSwung: Bool)] = [:]

  /// Whether this machine has an encoder for them.
  static let isAvailable = EncoderList.makes(.h264)

  /// The size of the movies of a stream, both sides even.
  static func size(of stream: StreamConfiguration) -> FrameSize {
    let fitted = FormatChoice.fitted(stream.size, into: bounds)
    return FrameSize(width: max(2, fitted.width & ~1), height: max(2, fitted.height & ~1))
  }

  /// An encoder for a stream, of which `first` is the first picture.
  init(_ stream: StreamConfiguration, first: CVPixelBuffer) throws(CodecError) {
    let size = Self.size(of: stream)
    let rate = min(stream.frameDuration.rate, 30)
    let recommended = RecommendedVideoSettings(
      codec: .h264, size: size, rate: rate, usesP3: stream.usesP3)
    var settings = VideoEncoderSettings(
      codec: .h264, size: PixelSize(width: size.width, height: size.height))
    settings.timescale = Self.timescale
    settings.bitRate = max(recommended.bitRate, Self.leastBitRate)
    settings.expectedFrameRate = rate
    settings.keyFrameSeconds = 0.5
    settings.allowsFrameReordering = false
    settings.isLowLatency = true
    settings.isHasty = true
    encoder = try VideoEncoder(settings, first: first)
  }

  /// Codes a picture; what comes out may be of earlier ones where hardware codes.
  func code(
    _ picture: CVPixelBuffer, at time: Int64, isSwung: Bool
  ) throws(CodecError) -> [FilmPicture] {
    let moment = CMTime(nanoseconds: time).convertScale(Self.timescale, method: .roundHalfAwayFromZero)
    inside[moment.value] = (time, isSwung)
    return try encoder.encode(picture, at: moment).map { sample in
      let known = inside.removeValue(forKey: sample.presentationTimeStamp.value)
      return FilmPicture(
        sample: sample, time: known?.time ?? sample.presentationTimeStamp.value * 1000,
        isKey: sample.isKeyFrame(), isSwung: known?.isSwung ?? false)
    }
  }
}

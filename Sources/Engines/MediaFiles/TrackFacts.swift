internal import CFFmpeg
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore

/// Reads what FFmpeg says of a stream.
struct TrackFacts {
  private let movie: OpenMovie
  private let index: Int
  private let header: BoxReader?
  private let amounts: TrackAmounts
  private let stream: cam_stream

  /// - Parameters:
  ///   - header: The boxes of a movie's header, for what FFmpeg does not say.
  ///   - amounts: How many samples there are.
  init(_ movie: OpenMovie, _ index: Int, _ header: BoxReader?, _ amounts: TrackAmounts) {
    self.header = header
    self.amounts = amounts
    self.movie = movie
    self.index = index
    stream = cam_movie_stream(movie.pointer, Int32(index))
  }

  /// The track; `nil` for what is neither picture, audio nor metadata.
  var track: MovieFile.Track? {
    guard let mediaType else { return nil }
    let timescale = Int32(clamping: stream.time_denominator)
    let range = timeRange
    let format = format
    let size =
      format.map {
        mediaType == kCMMediaType_Video
          ? CMVideoFormatDescriptionGetPresentationDimensions(
            // Of all of the picture: that is what decoders give and players show.
            $0, usePixelAspectRatio: true, useCleanAperture: false) : .zero
      } ?? .zero
    let edits = edits
    let isPCM = format?.audioStreamBasicDescription?.mFormatID == kAudioFormatLinearPCM
    return MovieFile.Track(
      index: index, number: Int(stream.number), mediaType: mediaType, format: format, timescale: timescale,
      timeRange: range, size: size, transform: transform,
      rate: isPCM ? Double(stream.rate) : amounts.rate(said: stream.frame_rate),
      minimumSampleDuration: amounts.shortest.map(time) ?? .invalid,
      bitRate: amounts.bitRate ?? Double(stream.bit_rate), byteCount: amounts.bytes, language: language,
      isEnabled: stream.is_default,
      mayReorder: Self.reorderingCodecs.contains(String(cString: stream.codec)), references: references,
      // Of audio FFmpeg follows the list to the sample; of metadata it ends the last sample too early where an empty part comes first.
      edits: [kCMMediaType_Video, kCMMediaType_Metadata].contains(mediaType) ? edits : nil,
      mappings: stream.is_cut ? [] : edits?.mappings(until: range.end, timescale: timescale) ?? [])
  }

  /// Only codecs that predict from later frames reorder.
  private static let reorderingCodecs: Set = ["h264", "hevc", "mpeg4", "mpeg2video", "vvc"]

  private var mediaType: CMMediaType? {
    switch stream.media {
    case cam_media_video: kCMMediaType_Video
    case cam_media_audio: kCMMediaType_Audio
    case cam_media_data:
      switch stream.tag {
      case 0x7862_656D: kCMMediaType_Metadata
      case StreamFormats.timeCodeTag: kCMMediaType_TimeCode
      default: nil
      }
    default: nil
    }
  }

  /// The tracks that belong to it, as numbers, by their kind of reference.
  private var references: [String: [Int]] {
    header.map { TrackBoxes($0).references(ofTrack: Int(stream.number)) } ?? [:]
  }

  /// The edit list: the parts of the media that are shown.
  private var edits: EditList? { header.flatMap { EditList($0, ofTrack: Int(stream.number)) } }

  private func time(_ value: Int64) -> CMTime {
    CMTime(value: value * Int64(stream.time_numerator), timescale: Int32(clamping: stream.time_denominator))
  }

  private var timeRange: CMTimeRange {
    // FFmpeg counts from the first picture, which may begin later than the part of the media that is shown, and has an empty part
    // in the duration, too.
    if let parts = edits?.parts, let first = parts.first, let last = parts.last, !stream.is_cut,
      last.shown.upperBound < 1 << 60
    {
      return CMTimeRange(start: time(first.shown.lowerBound), end: time(last.shown.upperBound))
    }
    let start = stream.start == cam_no_time ? CMTime.zero : max(time(stream.start), .zero)
    if stream.duration != cam_no_time { return CMTimeRange(start: start, duration: time(stream.duration)) }
    let whole = cam_movie_duration(movie.pointer)
    guard whole != cam_no_time else { return CMTimeRange(start: start, duration: .invalid) }
    return CMTimeRange(start: start, duration: CMTime(value: whole, timescale: 1_000_000))
  }

  private var language: String? {
    let text = withUnsafeBytes(of: stream.language) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return text.isEmpty || text == "und" ? nil : text
  }

  private var transform: CGAffineTransform {
    guard stream.has_matrix else { return .identity }
    func fixed(_ value: Int32) -> CGFloat { CGFloat(value) / 65536 }
    let matrix = stream.matrix
    return CGAffineTransform(
      a: fixed(matrix.0), b: fixed(matrix.1), c: fixed(matrix.3), d: fixed(matrix.4), tx: fixed(matrix.6),
      ty: fixed(matrix.7))
  }

  private var format: CMFormatDescription? { StreamFormats(stream, header).format }
}

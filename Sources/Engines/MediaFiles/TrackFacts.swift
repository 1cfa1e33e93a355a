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
      case 0x6463_6D74: kCMMediaType_TimeCode
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

  // MARK: Formats

  private var format: CMFormatDescription? {
    switch stream.media {
    case cam_media_video: videoFormat
    case cam_media_audio: audioFormat
    case cam_media_data:
      header.flatMap {
        mediaType == kCMMediaType_TimeCode
          ? TimeCodeEntry.format($0, ofTrack: Int(stream.number))
          : MetadataKeys.format($0, ofTrack: Int(stream.number))
      }
    default: nil
    }
  }

  private var extradata: Data {
    stream.extradata.map { Data(bytes: $0, count: stream.extradata_size) } ?? Data()
  }

  /// The sample entry of encrypted media, whatever it is of: without the key there is no decoder.
  ///
  /// FFmpeg names what is behind it.
  private var protection: FourCharCode? {
    let type = header.flatMap { TrackBoxes($0).entry(ofTrack: Int(stream.number))?.type }
    return type.flatMap {
      ["encv", "enca", "drmi", "drms"].contains($0) ? FourCharacterCode($0)?.rawValue : nil
    }
  }

  private var videoFormat: CMFormatDescription? {
    let codec = String(cString: stream.codec)
    let tag = stream.tag.byteSwapped
    let known = protection ?? (CodecNames.video(tag) == codec ? tag : nil)
    guard let code = known ?? CodecNames.videoCode(codec).flatMap({ FourCharacterCode($0)?.rawValue })
    else { return nil }
    var extensions: [String: Any] = [:]
    extensions[kCMFormatDescriptionExtension_ColorPrimaries] =
      CVColorPrimariesGetStringForIntegerCodePoint(stream.colors.primaries)
    extensions[kCMFormatDescriptionExtension_TransferFunction] =
      CVTransferFunctionGetStringForIntegerCodePoint(stream.colors.transfer)
    extensions[kCMFormatDescriptionExtension_YCbCrMatrix] =
      CVYCbCrMatrixGetStringForIntegerCodePoint(stream.colors.matrix)
    if stream.has_range {
      extensions[kCMFormatDescriptionExtension_FullRangeVideo] = stream.colors.is_full_range
    }
    if stream.aspect_width > 0, stream.aspect_height > 0, stream.aspect_width != stream.aspect_height {
      extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: Int(stream.aspect_width),
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: Int(stream.aspect_height),
      ]
    }
    if let header, let aperture = CleanAperture(header, ofTrack: Int(stream.number)),
      aperture.fits(width: stream.width, height: stream.height)
    {
      extensions[kCMFormatDescriptionExtension_CleanAperture] = aperture.dictionary
    }
    if let atom = CodecNames.atom(code), !extradata.isEmpty {
      let data =
        atom == "esds"
        ? Data([0, 0, 0, 0]) + AudioCookie.descriptor(configuration: extradata, bitRate: 0)
        : extradata
      extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = [atom: data]
    }
    var made: CMFormatDescription?
    _ = CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: code, width: stream.width, height: stream.height, extensions: extensions,
      formatDescriptionOut: &made)
    return made
  }

  private var audioFormat: CMFormatDescription? {
    let codec = String(cString: stream.codec)
    guard stream.rate > 0, stream.channels > 0 else { return nil }
    var basic = AudioStreamBasicDescription()
    basic.mSampleRate = Double(stream.rate)
    basic.mChannelsPerFrame = UInt32(stream.channels)
    basic.mFramesPerPacket = UInt32(max(stream.frame_size, 0))
    var cookie = extradata
    if let pcm = Self.pcm(codec) {
      basic.mFormatID = kAudioFormatLinearPCM
      basic.mFormatFlags = pcm.flags | kAudioFormatFlagIsPacked
      basic.mBitsPerChannel = pcm.bits
      basic.mBytesPerFrame = pcm.bits / 8 * UInt32(stream.channels)
      basic.mBytesPerPacket = basic.mBytesPerFrame
      basic.mFramesPerPacket = 1
    } else if let protection {
      basic.mFormatID = protection
    } else if let formatID = Self.formats[codec] {
      basic.mFormatID = formatID
      if codec == "aac" {
        if basic.mFramesPerPacket == 0 { basic.mFramesPerPacket = 1024 }
        cookie = AudioCookie.descriptor(configuration: extradata, bitRate: Int(stream.bit_rate))
      }
    } else {
      return nil
    }
    return try? CMFormatDescription(
      audioStreamBasicDescription: basic, magicCookie: cookie.isEmpty ? nil : cookie)
  }

  private static let formats: [String: AudioFormatID] = [
    "aac": kAudioFormatMPEG4AAC, "opus": kAudioFormatOpus, "mp3": kAudioFormatMPEGLayer3,
    "mp2": kAudioFormatMPEGLayer2, "alac": kAudioFormatAppleLossless, "flac": kAudioFormatFLAC,
    "ac3": kAudioFormatAC3, "eac3": kAudioFormatEnhancedAC3, "pcm_mulaw": kAudioFormatULaw,
    "pcm_alaw": kAudioFormatALaw, "adpcm_ima_qt": kAudioFormatAppleIMA4,
  ]

  private static func pcm(_ codec: String) -> (bits: UInt32, flags: AudioFormatFlags)? {
    if codec == "pcm_u8" { return (8, 0) }
    if codec == "pcm_s8" { return (8, kAudioFormatFlagIsSignedInteger) }
    guard codec.hasPrefix("pcm_"), let bits = UInt32(codec.dropFirst(5).dropLast(2)) else { return nil }
    let end = codec.hasSuffix("be") ? kAudioFormatFlagIsBigEndian : 0
    switch codec.dropFirst(4).first {
    case "s": return (bits, end | kAudioFormatFlagIsSignedInteger)
    case "f": return (bits, end | kAudioFormatFlagIsFloat)
    default: return nil
    }
  }
}

internal import CFFmpeg
package import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras

/// The format of a stream's samples, from what FFmpeg says of the stream.
package struct StreamFormats {
  private let stream: cam_stream
  private let header: BoxReader?
  /// `tmcd`, the lowest byte first.
  static let timeCodeTag: UInt32 = 0x6463_6D74

  /// - Parameter header: The boxes of a movie's header, for what FFmpeg does not say.
  init(_ stream: cam_stream, _ header: BoxReader?) {
    self.stream = stream
    self.header = header
  }

  /// The format of a stream of an open `cam_movie`, which stays the caller's; `nil` for a codec that has no name here.
  package static func format(ofOpen movie: OpaquePointer, index: Int) -> CMFormatDescription? {
    StreamFormats(cam_movie_stream(movie, Int32(index)), nil).format
  }

  /// The format; `nil` for codecs that have no name here.
  var format: CMFormatDescription? {
    switch stream.media {
    case cam_media_video: videoFormat
    case cam_media_audio: audioFormat
    case cam_media_data:
      header.flatMap {
        stream.tag == Self.timeCodeTag
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

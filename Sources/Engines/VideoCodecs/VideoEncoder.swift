internal import CFFmpeg
package import CoreMedia
package import CoreVideo
internal import FoundationExtras
internal import MediaFiles
internal import PixelTransforms

/// Codes pixel buffers.
///
/// The first encoder that opens serves: VAAPI, V4L2, then x264 or x265. Pixel buffers of any format that `PixelTransformer`
/// reads go in; 420v and 420f reach x264 without a copy. Samples come out in the order of decoding, with their parameter sets
/// in the format description. Not thread-safe.
package final class VideoEncoder {
  /// The requested settings.
  package private(set) var settings: VideoEncoderSettings
  /// The name of the encoder that serves, such as `libx264`.
  package var name: String { encoder.name }
  /// Encoders that were tried before it, and why each refused.
  package let refusals: [EncoderRefusal]
  /// The format of the samples; known from the start, or with the first sample of encoders that report it only there.
  package private(set) var formatDescription: CMFormatDescription?

  /// The quantizer of the newest sample on average; `nil` where the encoder does not say it.
  package private(set) var lastQuantizer: Double?

  /// The number of pictures that went in and have not come out.
  package private(set) var heldCount = 0

  private let encoder: OpenEncoder
  private let pixels: cam_pixels
  private let source: EncoderSource
  private let colors: VideoColors
  private var durations: [Int64: CMTime] = [:]
  private var lastTime: Int64?
  private var lastKeyTime: Int64?

  /// Opens the first encoder that takes the settings.
  ///
  /// - Parameter first: The first picture, or one like it: its range and colours become the file's.
  /// - Throws: ``CodecError``: `noEncoder`, with what each one said.
  package init(_ settings: VideoEncoderSettings, first: CVPixelBuffer) throws(CodecError) {
    self.settings = settings
    colors = VideoColors(settings, first: first)
    var refusals: [EncoderRefusal] = []
    var found: (codec: OpaquePointer, candidate: EncoderCandidate)?
    for candidate in EncoderCandidate.candidates(for: settings) {
      let opened = Self.open(candidate, settings, colors)
      if let codec = opened.value {
        found = (codec, candidate)
        break
      }
      refusals.append(EncoderRefusal(encoder: candidate.name, reason: opened.reason))
    }
    guard let found else {
      throw CodecError(
        .noEncoder,
        "No encoder takes \(settings.codec.rawValue) of \(settings.size): "
          + refusals.map(\.description).joined(separator: "; ") + ".",
        refusals: refusals)
    }
    encoder = OpenEncoder(found.codec, name: found.candidate.name)
    pixels = found.candidate.pixels
    self.refusals = refusals
    source = EncoderSource(settings, pixels: pixels, isFullRange: colors.isFullRange)
    formatDescription = CodedFormat.description(settings.codec, encoder.extradata, settings, colors)
  }

  static func open(
    _ candidate: EncoderCandidate, _ settings: VideoEncoderSettings, _ colors: VideoColors
  ) -> (value: OpaquePointer?, reason: String) {
    candidate.name.withCString { name in
      candidate.optionText.withCString { options in
        var asked = cam_video_settings()
        asked.name = name
        asked.options = options
        asked.width = Int32(clamping: settings.size.width)
        asked.height = Int32(clamping: settings.size.height)
        asked.pixels = candidate.pixels
        asked.timescale = settings.timescale
        asked.frame_rate = settings.expectedFrameRate ?? 30
        asked.bit_rate = Int64(settings.bitRate ?? 0)
        let limits = settings.rateLimits
        asked.highest_rate = Int64(limits.highest)
        asked.rate_window = Int64(limits.window)
        asked.key_interval = Int32(clamping: settings.keyFrameInterval ?? 0)
        asked.reordered = settings.isReordering ? 2 : 0
        asked.profile = -99
        asked.level = settings.codec == .h264 ? Int32(settings.level ?? -99) : -99
        asked.global_quality = candidate.globalQuality
        asked.colors = colors.codePoints
        asked.aspect_width = Int32(clamping: settings.pixelAspect?.width ?? 0)
        asked.aspect_height = Int32(clamping: settings.pixelAspect?.height ?? 0)
        asked.uses_vaapi = candidate.usesVAAPI
        return LibraryStatus.withReason { cam_encoder_open_video(&asked, $0, $1) }
      }
    }
  }

  /// Whether the encoder is one of the hardware's.
  package var isHardware: Bool { name.hasSuffix("_vaapi") || name.hasSuffix("_v4l2m2m") }

  /// Changes rates from the next picture on, where the encoder can without beginning anew.
  ///
  /// - Returns: Whether it could: `false` for other changes too.
  package func changeRates(to wanted: VideoEncoderSettings) -> Bool {
    var same = settings
    same.bitRate = wanted.bitRate
    same.windowBits = wanted.windowBits
    same.rateWindow = wanted.rateWindow
    guard name == "libx264", same == wanted, !settings.isConstantRate, let bitRate = wanted.bitRate,
      settings.bitRate != nil
    else { return false }
    let limits = wanted.rateLimits
    cam_encoder_set_rates(encoder.codec, Int64(bitRate), Int64(limits.highest), Int64(limits.window))
    settings = wanted
    return true
  }

  /// Codes one picture.
  ///
  /// - Parameters:
  ///   - time: When it is shown; later than the one before.
  ///   - duration: How long, where that is known.
  ///   - isKeyFrame: Whether it must be a key frame.
  /// - Returns: The samples that are ready, which may be of earlier pictures.
  /// - Throws: ``CodecError``: `unsuitable`, `failed`.
  package func encode(
    _ picture: CVPixelBuffer, at time: CMTime, duration: CMTime = .invalid, isKeyFrame: Bool = false
  ) throws(CodecError) -> [CMSampleBuffer] {
    guard time.isNumeric else { throw CodecError(.unsuitable, "A picture without a time cannot be coded.") }
    let moment = time.convertScale(settings.timescale, method: .roundHalfAwayFromZero).value
    if let lastTime, moment <= lastTime {
      throw CodecError(
        .unsuitable, "A picture at \(time.seconds) s does not come after the one before it.")
    }
    let isDue =
      settings.keyFrameSeconds.flatMap { limit in
        lastKeyTime.map { limit > 0 && Double(moment - $0) >= limit * Double(settings.timescale) - 0.5 }
      } ?? false
    let prepared = try source.prepare(picture)
    if duration.isNumeric { durations[moment] = duration }
    lastTime = moment
    if isDue || isKeyFrame || lastKeyTime == nil { lastKeyTime = moment }
    let status = prepared.withPicture(settings.facts) { picture, owner in
      cam_encoder_send_picture(
        encoder.codec, picture, moment, 0, isKeyFrame || isDue, { HeldPicture.release($0) }, owner)
    }
    try encoder.check(status)
    heldCount += 1
    return try encoder.receive(makeSample)
  }

  /// Whether an encoder that would be opened for these settings and this first picture would be like this one.
  package func suits(_ wanted: VideoEncoderSettings, first: CVPixelBuffer) -> Bool {
    wanted == settings && VideoColors(settings, first: first) == colors
  }

  /// Says that no picture comes any more.
  ///
  /// - Returns: The samples of all pictures that were still inside.
  package func finish() throws(CodecError) -> [CMSampleBuffer] {
    try encoder.finish()
    return try encoder.receive(makeSample)
  }

  /// A sample on the packet's own memory, or on a copy where start codes must become lengths.
  private func makeSample(_ packet: OpaquePointer) throws(CodecError) -> CMSampleBuffer {
    heldCount -= 1
    let facts = cam_packet_look(packet)
    lastQuantizer = facts.quantizer < 0 ? nil : facts.quantizer
    let bytes = UnsafeRawBufferPointer(start: facts.data, count: facts.size)
    let data: CMBlockBuffer
    if CodedFormat.hasStartCodes(settings.codec) {
      defer { cam_packet_free(packet) }
      if formatDescription == nil {
        formatDescription = CodedFormat.description(settings.codec, bytes, settings, colors)
      }
      data = StartCodes.replaceByLengths(bytes, codec: settings.codec)
    } else {
      data = PacketMemory.block(packet, bytes)
    }
    guard let formatDescription else {
      throw CodecError(.failed, "The encoder \(name) gave pictures without parameter sets.")
    }
    func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: settings.timescale) }
    return CMSampleBuffer.coded(
      data, formatDescription: formatDescription,
      timing: CMSampleTimingInfo(
        duration: durations.removeValue(forKey: facts.presentation) ?? .invalid,
        presentationTimeStamp: time(facts.presentation), decodeTimeStamp: time(facts.decoding)),
      isKeyFrame: facts.is_key)
  }
}
